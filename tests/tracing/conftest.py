"""A browser for the tests of what it shows; they are skipped where no Chromium is installed."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import sync_playwright

from tests.tracing.browser import CHROMIUM, FLAGS, Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    with sync_playwright() as playwright:
        with_flags = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, chromium_sandbox=False)
        yield with_flags
        with_flags.close()
