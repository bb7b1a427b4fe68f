"""How soon the first verdict is there, how much the first page weighs, and that nothing is asked elsewhere."""

from __future__ import annotations

import json
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import pytest
from person import Person, tell
from selenium.webdriver import Chrome
from test_in_a_browser import all_parts_there, go, press, see, until

from conftest import Start

pytestmark = pytest.mark.browser

#: Milliseconds between a paste and its verdict, and bytes of the first page.
SOON = 300
LIGHT = 150_000
TIMES = 20

#: Notes when something was pasted, and when a verdict is on the screen.
WATCH = """
window.pasted = window.shown = null;
document.addEventListener("paste", () => { window.pasted = performance.now(); }, true);
new MutationObserver(() => {
  if (window.shown === null && document.querySelector("#verdict .verdict .badge"))
    requestAnimationFrame(() => { window.shown ??= performance.now(); });
}).observe(document.body, { childList: true, subtree: true });
"""


def sentence(number: int) -> str:
    """A claim about one matrix; each is another, so that no answer is kept from the one before."""
    accuracy = f"0.9{5 + number % 5}{number:02d}"
    return f"accuracy {accuracy}, sensitivity 0.8500, specificity 0.9750, 100 positives and 200 negatives"


def test_the_verdict_follows_a_paste_at_once(
    browser: Chrome, usual: str, request: pytest.FixtureRequest
) -> None:
    took = []
    for number in range(TIMES + 1):
        person = Person(browser, "quick")
        person.opens(usual)
        browser.execute_script(WATCH)
        person.pastes("#text", sentence(number))
        until(browser, lambda b: b.execute_script("return window.shown"))
        took.append(browser.execute_script("return window.shown - window.pasted"))
    first, *others = took  # the first wakes the workers
    said = f"paste to verdict: median {median(others):.0f} ms, worst {max(others):.0f} ms, first {first:.0f} ms"
    tell(request, said)
    assert median(others) < SOON, said


def network(browser: Chrome) -> list[dict[str, Any]]:
    """What went over the network since it was asked last."""
    told = [json.loads(each["message"])["message"] for each in browser.get_log("performance")]
    return [each for each in told if each["method"].startswith("Network.")]


def test_the_first_page_is_light(start: Start, usual: str, request: pytest.FixtureRequest) -> None:
    browser = start(log=True)
    browser.execute_cdp_cmd("Network.enable", {})
    browser.get(usual)
    see(browser, "#text")
    until(browser, lambda b: b.execute_script("return document.readyState") == "complete")
    told = network(browser)
    sizes = [each["params"]["dataLength"] for each in told if each["method"] == "Network.dataReceived"]
    sent = [each["params"]["encodedDataLength"] for each in told if each["method"] == "Network.loadingFinished"]
    said = f"first page: {len(sent)} requests, {sum(sizes):,} bytes, {sum(sent):,} as sent"
    tell(request, said)
    assert len(sent) >= 3 and sum(sizes) > 10_000, said  # the page, its style, its script
    assert sum(sizes) < LIGHT and sum(sent) < LIGHT, said


def test_no_request_leaves_the_machine(start: Start, usual: str) -> None:
    browser = start(log=True)
    browser.execute_cdp_cmd("Network.enable", {})
    browser.get(usual)
    press(browser, "a[data-example]", "a table")
    see(browser, "#verdict #rows .inconsistent")
    go(browser)
    press(browser, "#rows a", "Network")
    see(browser, ".verdict .inconsistent")
    all_parts_there(browser)
    for place in ("/form", "/scan", "/batch", "/review", "/tables", "/verify?example=1", "/datasets",
                  "/datasets/drive", "/cases", "/power", "/simulate", "/aggregate", "/bundle", "/tools",
                  "/about"):  # fmt: skip
        browser.get(usual + place)
        see(browser, "h1")
    asked = [
        each["params"]["request"]["url"]
        for each in network(browser)
        if each["method"] == "Network.requestWillBeSent"
    ]
    assert len(asked) > 30
    elsewhere = {
        url for url in asked if not url.startswith("data:") and urlsplit(url).netloc != urlsplit(usual).netloc
    }
    assert not elsewhere
