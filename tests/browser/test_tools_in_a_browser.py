"""Every tool in a real browser, with axe: light and dark, on a desk and on a phone, without scripts."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from accessible import violations
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from test_in_a_browser import go, keep, press, see

from conftest import Start
from scoreproof.web.tools import averages, folds, slips, study
from scoreproof.web.tools.page import Tool

pytestmark = pytest.mark.browser


def example(tool: Tool, number: int = 0, **more: str) -> str:
    return f"/{tool.name}?{urlencode({**tool.examples[number][1], **more, 'go': '1'})}"


#: Every state of every page, by the name of its picture.
PLACES = {
    "tools": "/tools",
    "datasets": "/datasets?q=retina",
    "datasets-none": "/datasets?q=zebra",
    "dataset": "/datasets/drive",
    "tables": "/tables",
    "tables-wrong": "/tables?sens=abc&total=1.5&p=-3&go=1",
    "tables-several": example(study.TOOL),
    "tables-one": example(study.TOOL, 0, ci="wilson"),
    "tables-none": example(study.TOOL, 2),
    "verify": "/verify",
    "verify-example": "/verify?example=1",
    "cases": "/cases",
    "aggregate": "/aggregate",
    "aggregate-rare": folds.example(1),
    "aggregate-runs": folds.example(2),
    "power": "/power",
    "power-wrong": "/power?p=x&decimals=2.5&trials=0&folds=many&go=1",
    "power-done": example(slips.TOOL, 2, trials="40"),
    "simulate": "/simulate",
    "simulate-wrong": "/simulate?positives=200&truth=2&cases=1&folds=x&trials=&go=1",
    "simulate-done": example(averages.TOOL, 0, trials="1000"),
    "simulate-auc": example(averages.TOOL, 2, trials="100"),
}
#: The shapes a page is looked at in: width, height, dark.
SHAPES = {"desk": (1200, 900, False), "dark": (1200, 900, True), "phone": (390, 844, False)}


def arrived(browser: Chrome, address: str, place: str) -> None:
    """The page once it no longer says that it is working."""
    browser.get(address + place)
    see(browser, "#main h1")
    if place == "/cases":
        see(browser, ".card")
    elif "go=1" in place and "wrong" not in place:
        see(browser, "#result-heading, .summary")


@pytest.mark.parametrize("shape", SHAPES)
def test_axe_finds_no_fault_and_nothing_is_wider_than_the_screen(
    start: Start, address: str, shape: str
) -> None:
    width, height, dark = SHAPES[shape]
    browser = start(width, height, dark=dark)
    faults = {}
    for name, place in PLACES.items():
        arrived(browser, address, place)
        keep(browser, f"tool-{name}-{shape}")
        found = violations(browser)
        if browser.execute_script("return document.documentElement.scrollWidth") > width:
            found.append("wider than the screen")
        if found:
            faults[name] = found
    assert not faults, faults


def test_every_picture_has_its_words(browser: Chrome, address: str) -> None:
    for name in ("power-done", "simulate-done"):
        arrived(browser, address, PLACES[name])
        drawn = browser.find_elements(By.CSS_SELECTOR, "#result svg[role=img]")
        assert drawn
        for each in drawn:
            assert each.find_element(By.CSS_SELECTOR, "desc").get_attribute("textContent")


def test_a_verdict_is_confirmed_from_the_example_without_scripts(start: Start, address: str) -> None:
    browser = start(390, 844, scripts=False)
    browser.get(f"{address}/verify")
    press(browser, ".examples a")
    see(browser, "#against")
    go(browser)
    assert "Confirmed" in see(browser, "#result-heading").text
    keep(browser, "tool-verify-confirmed-phone")
    press(browser, "a.button", "Open this claim")
    see(browser, ".badge", "inconsistent")


def test_a_clinician_finds_the_table_without_scripts(start: Start, address: str) -> None:
    browser = start(390, 844, scripts=False)
    browser.get(f"{address}/tables")
    for name, text in {"sens": "0.86 (0.78-0.91)", "spec": "0.90 (0.85-0.95)", "total": "265"}.items():
        see(browser, f"#{name}").send_keys(text)
    go(browser)
    assert "Exactly one 2x2 table" in see(browser, "#result-heading").text
    assert not [each for each in browser.find_elements(By.CSS_SELECTOR, "button.copy") if each.is_displayed()]


def test_a_student_sees_curves_after_one_click(browser: Chrome, address: str) -> None:
    browser.get(f"{address}/simulate")
    press(browser, ".examples a")
    see(browser, "#result svg[role=img]")
    assert browser.find_element(By.ID, "positives").get_attribute("value") == "1 %, 2 %, 3 %, 4 %, 5 %"
