"""axe finds no fault with any page in any state: empty, read, decided, wrong, refused; in light and in dark.

The tools have a test of their own, and so has work that takes long.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from accessible import violations
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from served import serving
from test_in_a_browser import all_parts_there, fill, go, keep, press, see, until, whole_page_fits
from test_web_api import SLOW, SLOWLY

from conftest import Start
from scoreproof.web.links import pack
from scoreproof.web.settings import Settings

pytestmark = pytest.mark.browser

FITS = {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.95", "f1": "0.93", "mcc": "0.89"}}
CLASHES = {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "sens": "0.8500", "spec": "0.9750"}}
OPEN = {"experiment": {"p": 100, "n": 200}, "scores": {"auc": "0.9567", "acc": "0.9000"}}
FOLDS = {
    "experiment": {"p": 100, "n": 200, "folds": 5, "aggregate": "mean", "stratified": True},
    "scores": {"acc": "0.9567", "sens": "0.8500", "spec": "0.9750"},
}
CLASSES = {"experiment": {"classes": [30, 40, 50]}, "scores": {"acc": "0.9000", "f1_macro": "0.8912"}}
NUMBERS = {"experiment": {"kind": "regression", "total": 100}, "scores": {"mae": "0.12", "rmse": "0.10"}}
ROWS = "study,p,n,acc,sens\na,100,200,0.9567,0.9100\nb,100,200,0.9567,0.8512\n"
STUDIES = "study,total,sens,spec\na,265,0.86 (0.78-0.91),0.90 (0.85-0.95)\nb,300,0.8512,0.91\n"

#: Addresses, with what is there once the page is: by the name of the picture.
PLACES = {
    "first-empty": ("/", "#text"),
    "first-dataset": ("/?dataset=drive", "#dataset"),
    "first-read": (
        "/?text=accuracy+0.9567,+sensitivity+0.8500,+100+positives+and+200+negatives",
        "#verdict .badge",
    ),
    "first-fits": (
        "/?text=accuracy+0.9567,+sensitivity+0.9100,+100+positives+and+200+negatives",
        "#verdict .badge",
    ),
    "first-no-counts": ("/?text=precision+0.83,+recall+0.75,+F1+0.82", "#verdict .badge"),
    "first-rows": (
        "/?text=model%09p%09n%09accuracy%0AA%09100%09200%090.9567%0AB%09100%09200%090.9512",
        "#verdict #rows",
    ),
    "first-nothing-read": ("/?text=nothing+to+see+here", "#verdict .problem"),
    "first-wrong-figure": ("/?text=accuracy+1.5,+100+positives+and+200+negatives", "#verdict *"),
    "form": ("/form", "#p"),
    "form-filled": (f"/form?c={pack(CLASHES)}", "#p"),
    "form-classes": (f"/form?c={pack(CLASSES)}", "#p"),
    "result-fits": (f"/claim?c={pack(FITS)}", ".verdict"),
    "result-clashes": (f"/claim?c={pack(CLASHES)}", ".verdict"),
    "result-open": (f"/claim?c={pack(OPEN)}", ".verdict"),
    "result-folds": (f"/claim?c={pack(FOLDS)}", ".verdict"),
    "result-classes": (f"/claim?c={pack(CLASSES)}", ".verdict"),
    "explain": (f"/explain?c={pack(CLASHES)}", "#part blockquote"),
    "reconstruct": (f"/reconstruct?c={pack(CLASHES)}", "#part"),
    "scan": ("/scan", "#file"),
    "batch": ("/batch", "#file"),
    "review": ("/review", "#file"),
    "bundle": ("/bundle", "#bundle"),
    "about": ("/about", "h1"),
    "no-such-page": ("/nothing/here", ".problem"),
    "damaged-link": ("/claim?c=damaged", ".problem"),
    "no-such-work": ("/result/0123456789abcdef", ".problem"),
    "unfit-claim": (
        f"/claim?c={pack({'experiment': {'p': 100, 'n': -5}, 'scores': {'acc': '0.9'}})}",
        ".summary",
    ),
}


def form_with_errors(browser: Chrome, address: str) -> None:
    browser.get(f"{address}/form")
    fill(browser, ("acurracy", "0.95"), ("recall", "0.9x"), p="abc", n="-5", folds="x")
    go(browser)
    until(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, ".summary li")) >= 5)


def first_with_errors(browser: Chrome, address: str) -> None:
    browser.get(address)
    fill(browser, ("acurracy", "0.95"), p="abc")
    go(browser)
    see(browser, ".summary")


def rows_of_a_table(browser: Chrome, address: str) -> None:
    browser.get(f"{address}/form")
    press(browser, "summary", "Paste a table")
    see(browser, "#table").send_keys(ROWS.replace(",", ";"))
    go(browser)
    see(browser, "#rows .inconsistent")


def nothing_sent(place: str) -> Callable[[Chrome, str], None]:
    def state(browser: Chrome, address: str) -> None:
        browser.get(f"{address}/{place}")
        go(browser)
        see(browser, ".summary")

    return state


def sent(place: str, text: str, end: str, *, words: str = "") -> Callable[[Chrome, str], None]:
    def state(browser: Chrome, address: str) -> None:
        browser.get(f"{address}/{place}")
        see(browser, "#table").send_keys(text)
        go(browser)
        see(browser, end, words)

    return state


def bundle_tried(browser: Chrome, address: str) -> None:
    browser.get(f"{address}/bundle")
    press(browser, '#bundle option[value="drive"]')
    fill(browser, ("acc", "0.9478"), ("sens", "0.8532"), ("spec", "0.9801"))
    go(browser)
    see(browser, ".verdict")


def everything_unfolded(browser: Chrome, address: str) -> None:
    browser.get(f"{address}/claim?c={pack(CLASHES)}")
    see(browser, ".verdict")
    browser.execute_script("for (const each of document.querySelectorAll('details')) each.open = true")
    parts = "return [...document.querySelectorAll('[data-part]')].every(part => part.dataset.done === 'yes')"
    until(browser, lambda b: b.execute_script(parts))


#: States that something must be done for.
STATES = {
    "form-errors": form_with_errors,
    "first-errors": first_with_errors,
    "table-rows": rows_of_a_table,
    "scan-nothing": nothing_sent("scan"),
    "batch-nothing": nothing_sent("batch"),
    "review-nothing": nothing_sent("review"),
    "bundle-nothing": nothing_sent("bundle"),
    "verify-nothing": nothing_sent("verify"),
    "aggregate-nothing": nothing_sent("aggregate"),
    "batch-done": sent("batch", ROWS, "#rows"),
    "review-done": sent("review", STUDIES, ".review"),
    "scan-done": sent(
        "scan", "The test set has 100 positives and 200 negatives.\n\n" + ROWS, "h1", words="Scan of"
    ),
    "bundle-tried": bundle_tried,
    "everything-unfolded": everything_unfolded,
}
SHADES = {"light": False, "dark": True}


@pytest.mark.parametrize("shade", SHADES)
def test_axe_finds_no_fault_with_any_state(start: Start, usual: str, shade: str) -> None:
    browser = start(dark=SHADES[shade])
    faults = {}
    for name in [*PLACES, *STATES]:
        if name in PLACES:
            place, there = PLACES[name]
            browser.get(usual + place)
            see(browser, there)
            all_parts_there(browser)
        else:
            STATES[name](browser, usual)
        keep(browser, f"states/{name}-{shade}")
        found = violations(browser)
        if not whole_page_fits(browser):
            found.append("wider than the screen")
        if found:
            faults[name] = found
    assert not faults, faults


def test_work_that_the_first_page_waits_for(start: Start) -> None:
    with serving(Settings(timeout=900, workers=1)) as slow:
        for dark in SHADES.values():
            browser = start(dark=dark)
            browser.get(f"{slow}/?c={pack(SLOW)}&effort={SLOWLY}")
            see(browser, "#verdict", "Working")
            see(browser, "#verdict a")
            keep(browser, f"states/first-working-{'dark' if dark else 'light'}")
            assert violations(browser) == []


def test_a_file_that_is_too_large_is_refused_on_a_page(browser: Chrome, address: str, tmp_path: Path) -> None:
    large = tmp_path / "large.csv"
    large.write_bytes(b"study,p,n,acc\n" + b"a,100,200,0.9567\n" * 1_100_000)
    for place, field, button in (
        ("/batch", "#file", "#go"),
        ("/", "#file", "#drop button"),
        ("/scan", "#file", "#go"),
    ):
        browser.get(address + place)
        see(browser, field).send_keys(str(large))
        press(browser, button)
        see(browser, ".problem", "More than 16 MiB were sent")
        assert violations(browser) == []
    keep(browser, "states/too-large")
