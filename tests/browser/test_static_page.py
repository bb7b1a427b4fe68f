"""The page that needs no installation, in Chromium, with its server gone once it has loaded."""

from __future__ import annotations

import functools
import http.server
import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from campaign import share
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

import scoreproof

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "bare"))

from core_claims import BEYOND, claims  # noqa: E402

FOLDER = ROOT / "build" / "static-page"
KINDS = ("one_matrix", "means")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not FOLDER.exists(), reason="`make site` has not built the static page"),
]
#: Asks as the page does; the answer comes when the worker has it.
ASK = """
const [text, done] = arguments;
const box = document.getElementById("text");
box.value = text;
const seen = new MutationObserver(async () => {
  if (document.getElementById("working").textContent) return;
  seen.disconnect();
  const file = document.querySelector("#verdict a[download$='.json']");
  const words = document.getElementById("verdict").textContent;
  done({ words, json: file ? await (await fetch(file.href)).text() : null });
});
seen.observe(document.getElementById("working"), { childList: true, characterData: true, subtree: true });
document.getElementById("go").click();
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words: Any) -> None:
        pass


@contextmanager
def served() -> Iterator[http.server.ThreadingHTTPServer]:
    handler = functools.partial(Quiet, directory=str(FOLDER))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def opened(browser: webdriver.Chrome) -> float:
    """The page loaded, kept for later and cut off from its server; seconds to the first verdict."""
    browser.set_script_timeout(120)
    with served() as server:
        started = time.monotonic()
        browser.get(f"http://127.0.0.1:{server.server_port}/")
        waiting = WebDriverWait(browser, 120)
        waiting.until(lambda b: "Ready" in b.find_element("id", "working").text)
        asked(browser, next(claims(1, seed=1)))
        first = time.monotonic() - started
        kept = "const [done] = arguments; navigator.serviceWorker.ready.then(() => done(true))"
        assert browser.execute_async_script(kept)
    return first


def asked(browser: webdriver.Chrome, claim: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = browser.execute_async_script(ASK, json.dumps(claim))
    return found


def compare(browser: webdriver.Chrome, count: int) -> None:
    alike = 0
    for claim in claims(count, seed=200, kinds=KINDS):
        own = json.loads(asked(browser, claim)["json"])
        full = json.loads(json.dumps(scoreproof.check(claim, timeout=None).to_dict()))
        assert (own["verdict"], own["count"]) == (full["verdict"], full["count"]), claim
        assert own["sentence"] == full["sentence"], claim
        alike += own == full
    print(f"{alike} of {count} alike to the last character")
    assert alike >= 0.9 * count


def test_claims_are_decided_as_by_the_command_when_the_server_is_gone(browser: webdriver.Chrome) -> None:
    first = opened(browser)
    print(f"first verdict after {first:.1f} s")
    compare(browser, 20)
    assert "takes numpy" in asked(browser, BEYOND["curved means"])["words"]
    browser.refresh()  # nobody answers: the page was kept
    WebDriverWait(browser, 120).until(lambda b: "Ready" in b.find_element("id", "working").text)
    compare(browser, 2)


@pytest.mark.campaign
def test_claims_are_decided_as_by_the_command_at_length(browser: webdriver.Chrome) -> None:
    opened(browser)
    compare(browser, share(200))
