"""A small HTTP server that keeps the tutor warm."""
