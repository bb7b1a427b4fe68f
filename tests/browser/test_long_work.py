"""Work that takes long, in a real browser: seen, stopped, left and come back to."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from accessible import violations
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from served import serving
from test_in_a_browser import keep, press, see, until
from test_web_api import SLOW_PAGE

from conftest import Start
from scoreproof.web.settings import Settings

pytestmark = pytest.mark.browser

ROWS = "study,p,n,acc,total,folds,aggregate,mcc,f1\n" + "".join(
    f"quick {i},100,200,{'0.9567' if i % 2 else '0.8512'},,,,,\n" for i in range(50)
)
SLOW_ROWS = "slow,,,,1900,10,mean,0.8500 ± 0.0301,0.9312 ± 0.0002\n" * 50


@pytest.fixture(scope="module")
def patient() -> Iterator[str]:
    with serving(Settings(timeout=900, workers=1, patience=0.2)) as address:
        yield address


def send(browser: Chrome, address: str, folder: Path) -> str:
    table = folder / "results.csv"
    table.write_text(ROWS + SLOW_ROWS, encoding="utf-8")
    browser.get(f"{address}/batch")
    see(browser, "#file").send_keys(str(table))
    press(browser, "#go")
    see(browser, "h1", "Still working")
    return browser.current_url


def test_the_keyboard_reaches_the_stop_and_stays_there(browser: Chrome, patient: str, tmp_path: Path) -> None:
    place = send(browser, patient, tmp_path)
    see(browser, "#job-says", "50 of 100 rows checked")
    browser.execute_script("window.same = true")
    for _ in range(30):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        if browser.switch_to.active_element.get_dom_attribute("id") == "stop":
            break
    for _ in range(8):  # the page looks again meanwhile, and moves nothing
        time.sleep(1)
        assert browser.switch_to.active_element.get_dom_attribute("id") == "stop"
    assert browser.execute_script("return window.same") is True  # it was never loaded anew
    assert "so far" in see(browser, "#job-says").text
    assert browser.execute_script("return document.getElementById('job-status').textContent") != ""
    assert violations(browser) == []
    keep(browser, "long-work")
    ActionChains(browser).send_keys(Keys.ENTER).perform()
    see(browser, "h1", "100 rows of results.csv")
    assert browser.current_url == place
    see(browser, ".stopped", "Stopped after")
    see(browser, "#audit", "not checked")
    assert violations(browser) == []
    keep(browser, "long-work-stopped")
    press(browser, "#rows a", "open row 1")
    see(browser, ".verdict .inconsistent")


def test_a_closed_tab_can_be_opened_again(start: Start, patient: str, tmp_path: Path) -> None:
    first = start()
    place = send(first, patient, tmp_path)
    first.get("about:blank")
    second = start(390, 844, dark=True)
    second.get(place)
    see(second, "#job-says", "of 100 rows checked")
    assert violations(second) == []
    keep(second, "long-work-phone-dark")
    press(second, "#stop")
    see(second, "h1", "100 rows of results.csv")
    assert violations(second) == []


def test_without_scripts_there_is_a_link_and_a_button(start: Start, patient: str) -> None:
    browser = start(scripts=False)
    browser.get(patient + SLOW_PAGE)
    see(browser, "h1", "Still working")
    assert not browser.find_elements(By.CSS_SELECTOR, "meta[http-equiv]")
    press(browser, "a", "Look again")
    see(browser, "h1", "Still working")
    press(browser, "#stop")
    see(browser, ".stopped", "Stopped after")
    see(browser, ".verdict .undecided")


def test_work_that_is_no_longer_kept_is_not_started_again_in_silence(browser: Chrome) -> None:
    with serving(Settings(timeout=900, workers=1, patience=0.2)) as address:
        browser.get(address + SLOW_PAGE)
        see(browser, "h1", "Still working")
        script = "document.querySelector('[data-job]').dataset.job = '/jobs/nothing'"
        browser.execute_script(script)
        see(browser, "#job-says", "no longer kept")
        see(browser, "#job-link a", "Start it again")
        assert violations(browser) == []
        press(browser, "#job-link a")
        until(browser, lambda b: see(b, "#stop"))
        press(browser, "#stop")
        see(browser, ".stopped", "Stopped after")


def test_refusals_and_the_way_in_have_no_violations(browser: Chrome, tmp_path: Path) -> None:
    large = tmp_path / "large.csv"
    large.write_bytes(b"study,p,n,acc\n" + b"a,100,200,0.9567\n" * 1_100_000)
    settings = Settings(workers=1, token="a token that nobody guesses")
    with serving(settings) as address:
        browser.get(f"{address}/batch")
        see(browser, "h1", "Sign in")
        assert violations(browser) == []
        see(browser, "#token").send_keys("something else")
        press(browser, "#go")
        see(browser, "#token-problem", "not the token")
        assert violations(browser) == []
        keep(browser, "sign-in")
        see(browser, "#token").send_keys("a token that nobody guesses")
        press(browser, "#go")
        see(browser, "#file").send_keys(str(large))
        press(browser, "#go")
        see(browser, ".problem", "More than 16 MiB were sent")
        assert violations(browser) == []
        keep(browser, "too-large")
        press(browser, "a.button", "To the form")
        see(browser, "#file")
