"""A Chromium that is driven, for the tests of what it shows."""

from __future__ import annotations

import shutil

from playwright.sync_api import Browser

__all__ = ["CHROMIUM", "FLAGS", "Browser"]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
