"""Traces in the formats of other tools: OpenTelemetry, OpenInference, Perfetto."""
