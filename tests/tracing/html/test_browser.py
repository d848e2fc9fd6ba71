"""The page in a real browser: skipped where no Chromium is installed."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.recorded_trace import weather
from tests.tracing.browser import Browser
from tests.tracing.exports.runs import HOSTILE, as_run, cut_short, failing, good
from tutor.tracing.files import RunTrace
from tutor.tracing.html import write_page
from tutor.tracing.records import TokenRecord

Show = Callable[..., Page]


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        yield context


@pytest.fixture
def show(window: BrowserContext, tmp_path: Path) -> Iterator[Show]:
    """Open the page of some runs; the browser may complain of nothing."""
    complaints: list[str] = []

    def opened(*runs: RunTrace, at: str = "") -> Page:
        path = tmp_path / "page.html"
        with path.open("w", encoding="utf-8") as file:
            write_page(runs, file, "t.jsonl")
        page = window.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: complaints.append(request.url) if "page.html" not in request.url else None,
        )
        page.goto(path.as_uri() + at)
        page.wait_for_selector("#detail > *")
        return page

    yield opened
    for page in window.pages:
        page.close()
    assert complaints == []


def chosen(page: Page) -> str:
    return page.inner_text("#steps .t.on")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_a_run_opens_at_its_first_decision_and_tells_what_the_mask_did(show: Show) -> None:
    page = show(good(), failing())
    assert chosen(page) == "past"
    detail = page.inner_text("#detail")
    assert "$.args.tense" in detail
    assert "would rather have said “present” (60.0%)" in detail
    assert page.locator("#detail .rival.shut code").all_inner_texts() == ["× present"]
    assert page.locator("#detail .numbers b").all_inner_texts()[:4] == ["30.0%", "75.0%", "60.0%", "12"]
    assert page.inner_text("#detail .json mark") == "past"
    assert "_simple" in page.inner_text("#detail .json .ahead")
    assert page.locator(".way.chosen").all_inner_texts() == ["went\n90.0%"]


def test_the_parts_of_a_step_fill_its_bar(show: Show) -> None:
    page = show(good())
    widths = page.evaluate(
        "[...document.querySelectorAll('.parts')].map((bar) => [bar.clientWidth, bar.lastChild.offsetLeft + "
        "bar.lastChild.offsetWidth - bar.firstChild.offsetLeft])"
    )
    assert widths
    assert all(filled == pytest.approx(whole, abs=1) for whole, filled in widths)


def test_hostile_text_is_text(show: Show) -> None:
    page = show(failing())
    assert page.locator("img").count() == 0
    shown = page.inner_text("#head .sentence")
    assert shown.startswith("</script><img src=x onerror=alert(1)>")
    assert "\u202e" not in page.inner_text("body")
    assert HOSTILE[-4:] in shown


def test_arrow_keys_walk_over_tokens_and_j_and_k_over_runs(show: Show) -> None:
    page = show(good(), failing(), as_run(weather()))
    press(page, "ArrowRight")
    assert chosen(page) == '_simple"}}'
    press(page, "ArrowUp")
    assert chosen(page) == "past"
    press(page, "ArrowLeft", "ArrowLeft")
    assert chosen(page) == "tool"
    press(page, "]")
    assert page.get_attribute(".bar >> nth=1", "aria-current") == "true"
    press(page, "j", "j")
    assert page.inner_text("#head .sentence") == "The weather in Lima: "
    assert chosen(page) == "clear"
    press(page, "k")
    assert page.inner_text(".run-row[aria-current=true] .status") == "error"


def test_a_link_leads_to_its_token_and_the_address_follows(show: Show) -> None:
    page = show(good(), as_run(weather()), at="#run=2&token=3")
    assert chosen(page) == '"}'
    press(page, "ArrowLeft")
    page.wait_for_url("**#run=2&token=2")
    page.evaluate("location.hash = '#run=1&token=2'")
    expect(page.locator("#steps .t.on")).to_have_text("tool")


@pytest.mark.parametrize("address", ["#run=99", "#run=x&token=y", "#run=1&token=100000", "#token=-3", "#%ff"])
def test_an_address_that_leads_nowhere_shows_the_first_run(show: Show, address: str) -> None:
    page = show(good(), at=address)
    assert chosen(page) == "past"


def test_filters_dim_what_does_not_match_and_keys_skip_it(show: Show) -> None:
    page = show(good())
    page.select_option("#filters select", "$.args")
    assert page.inner_text("#matches") == "2 of 10 tokens"
    assert page.locator("#steps .t:not(.off)").all_inner_texts() == ["past", '_simple"}}']
    page.click("#filters .chip >> nth=1")
    assert page.locator("#steps .t:not(.off)").all_inner_texts() == ["past"]
    page.locator("#steps .t").first.click()
    press(page, "ArrowRight")
    assert chosen(page) == "past"


def test_the_slider_grows_the_text_token_by_token(show: Show) -> None:
    page = show(good())
    page.focus("#detail input[type=range]")
    press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft")
    assert chosen(page) == '{"next":"'
    assert page.evaluate("document.activeElement.type") == "range"
    press(page, "End")
    assert page.inner_text("#detail .json .ahead") == ""


def test_hovering_shows_a_token_and_leaving_goes_back(show: Show) -> None:
    page = show(good())
    page.hover("#steps .t >> nth=0")
    assert page.inner_text("#detail h2") == '"{\\"next\\":\\""'
    page.hover("#head")
    assert page.inner_text("#detail h2") == '"past"'


def test_runs_are_found_by_their_words(show: Show) -> None:
    page = show(*(good(str(number), f"Sentence number {number}.") for number in range(300)))
    assert page.locator(".run-row").count() < 60
    press(page, "/")
    page.keyboard.type("number 271")
    assert page.locator(".run-row b").all_inner_texts() == ["Sentence number 271."]
    page.click(".run-row")
    assert page.inner_text("#head .sentence") == "Sentence number 271."


def test_a_run_without_tokens_and_one_cut_short_are_shown(show: Show) -> None:
    page = show(RunTrace(good().header), cut_short())
    assert "broken off" in page.inner_text("#head")
    press(page, "j")
    assert "unfinished" in page.inner_text("#steps")
    assert chosen(page) == '{"next":"'


def test_of_a_long_run_only_what_is_near_the_view_is_drawn(show: Show) -> None:
    run = as_run(weather())
    run.steps[0].tokens = [
        TokenRecord(
            token_id=at,
            text=f" w{at}",
            path=f"$.a[{at}]",
            origin="decided",
            logprob_before=-1.0,
            logprob_after=-0.5,
        )
        for at in range(20_000)
    ]
    page = show(run)
    assert page.locator("#steps .t").count() < 3000
    assert page.locator("#filters option").all_inner_texts() == ["every path", "$.a", "$.a[*]"]
    page.evaluate("location.hash = '#run=1&token=19000'")
    expect(page.locator("#steps .t.on")).to_have_text(" w18999")
    assert page.locator("#steps .t.on").is_visible()
    assert page.locator("#steps .t").count() < 6000


@pytest.mark.parametrize(("scheme", "other"), [("light", "dark"), ("dark", "light")])
def test_light_and_dark_follow_the_system_and_the_button(show: Show, scheme: str, other: str) -> None:
    page = show(good())
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    press(page, "t")
    assert page.evaluate("document.documentElement.style.colorScheme") == other
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != paper


def test_a_phone_shows_the_run_and_the_token(show: Show) -> None:
    page = show(good(), failing())
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.click("#show-runs")
    page.click(".run-row >> nth=1")
    assert page.inner_text("#head .badge") == "error"
    assert page.locator("#detail h2").is_visible()
