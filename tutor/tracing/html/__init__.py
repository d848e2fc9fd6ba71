"""A trace as one self-contained HTML page."""

from tutor.tracing.html.page import write_page

__all__ = ["write_page"]
