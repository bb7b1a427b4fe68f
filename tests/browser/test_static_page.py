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
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

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


def by_command(claims: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """What `scoreproof check --json` prints for each of the claims."""
    from click.testing import CliRunner

    from scoreproof.cli import cli

    found = []
    for i, claim in enumerate(claims):
        file = folder / f"{i}.json"
        file.write_text(json.dumps(claim))
        found.append(json.loads(CliRunner().invoke(cli, ["check", str(file), "--json"]).stdout))
    return found


def compare(browser: webdriver.Chrome, count: int, folder: Path) -> None:
    asking = list(claims(count, seed=200, kinds=KINDS))
    others = 0
    for claim, full in zip(asking, by_command(asking, folder), strict=True):
        own = json.loads(asked(browser, claim)["json"])
        unlike = {key for key in {**own, **full} if own.get(key) != full.get(key)}
        assert unlike <= {"witness", "unevenness"}, claim  # of a mean in five hundred
        others += bool(unlike)
    print(f"{count - others} of {count} alike to the last character")
    assert others <= 0.002 * count


def test_claims_are_decided_as_by_the_command_when_the_server_is_gone(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    first = opened(browser)
    print(f"first verdict after {first:.1f} s")
    assert not [each for each in browser.get_log("browser") if each["level"] == "SEVERE"]
    compare(browser, 20, tmp_path)
    assert "takes numpy" in asked(browser, BEYOND["curved means"])["words"]
    browser.refresh()  # nobody answers: the page was kept
    WebDriverWait(browser, 120).until(lambda b: "Ready" in b.find_element("id", "working").text)
    compare(browser, 2, tmp_path)


def test_the_page_is_used_with_the_keyboard_alone(browser: webdriver.Chrome) -> None:
    opened(browser)

    def press(*keys: str) -> Any:
        ActionChains(browser).send_keys(*keys).perform()
        return browser.switch_to.active_element

    def answered(where: str, words: str) -> None:
        WebDriverWait(browser, 60).until(lambda b: words in b.find_element("id", where).text)

    browser.execute_script("document.getElementById('text').value = ''; document.body.focus()")
    browser.find_element("id", "text").send_keys("acc 0.9567, sens 0.8500, 100 positives and 200 negatives")
    ActionChains(browser).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()
    answered("verdict", "inconsistent with 100 positives and 200 negatives")
    assert "p = 100, n = 200" in browser.find_element("id", "read").text
    assert press(Keys.TAB).text == "a sentence that cannot be"
    assert [press(Keys.TAB) for _ in range(3)][-1].get_attribute("id") == "go"
    named = "return document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
    reached = [browser.execute_script(named) for _ in range(20) if press(Keys.TAB)]
    assert {"verdict.json", "verdict.html", "What was read", "Verify"} <= set(reached)
    proof = browser.find_element("id", "proof")
    for text, words in (("acc 0.9", "paste the JSON of a verdict"), ("{", "not valid JSON")):
        proof.clear()
        proof.send_keys(text, Keys.TAB)
        browser.find_element("id", "verify").send_keys(Keys.ENTER)
        answered("replayed", words)


@pytest.mark.campaign
def test_claims_are_decided_as_by_the_command_at_length(browser: webdriver.Chrome, tmp_path: Path) -> None:
    opened(browser)
    compare(browser, share(200), tmp_path)
