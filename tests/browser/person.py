"""Somebody who does a task on the page: with the pointer or the keyboard alone, counted and timed."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from accessible import violations
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from test_in_a_browser import SHOTS, keep, press, see, until, whole_page_fits

#: Presses of the tab key after which something counts as out of reach.
FAR = 120


@dataclass(slots=True)
class Person:
    """A person at a browser; what is counted is what a person would do, without the time to read and think."""

    browser: Chrome
    task: str
    keyboard: bool = False
    scripts: bool = True
    clicks: int = 0  # with the keyboard alone: keys pressed to get somewhere
    filled: int = 0  # fields pasted or typed into, and files chosen
    steps: int = 0
    _started: float = field(default_factory=time.monotonic)
    _paused: float = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started - self._paused

    def opens(self, address: str) -> None:
        self._started = time.monotonic()
        self.browser.get(address)

    def sees(self, selector: str, words: str = "") -> WebElement:
        return see(self.browser, selector, words)

    def looks(self, name: str) -> None:
        """A picture of the step, which has no violation and fits the width of the screen; not timed."""
        begun = time.monotonic()
        self.steps += 1
        until(self.browser, whole_page_fits)
        keep(self.browser, f"users/{self.task}-{self.steps}-{name}")
        if self.scripts:
            assert violations(self.browser) == [], f"{self.task}: {name}"
        self._paused += time.monotonic() - begun

    def presses(self, selector: str, words: str = "") -> None:
        if self.keyboard:
            self._reach(lambda: self.sees(selector, words))
            ActionChains(self.browser).send_keys(Keys.ENTER).perform()
        else:
            press(self.browser, selector, words)
        self.clicks += 1

    def types(self, selector: str, text: str) -> None:
        self._enter(selector)
        ActionChains(self.browser).send_keys(text).perform()
        self.filled += 1

    def pastes(self, selector: str, text: str) -> None:
        """From the clipboard with its keys; where no script may write there, as one piece of text."""
        self._enter(selector)
        if self.scripts:
            hold(self.browser, text)
            ActionChains(self.browser).key_down(Keys.CONTROL).send_keys("v").key_up(Keys.CONTROL).perform()
        else:
            self.browser.execute_cdp_cmd("Input.insertText", {"text": text})
        self.filled += 1

    def chooses(self, selector: str, path: Path) -> None:
        """A file, in the window of the system that no test sees."""
        self.sees(selector).send_keys(str(path))
        self.clicks += 1
        self.filled += 1

    def copies(self, button: str) -> str:
        """Press a button to copy; what is then on the clipboard."""
        hold(self.browser, "nothing yet")
        self.presses(button)
        until(self.browser, lambda b: held(b) != "nothing yet")
        return held(self.browser)

    def _enter(self, selector: str) -> None:
        if self.keyboard:
            self._reach(lambda: self.sees(selector))
        else:
            press(self.browser, selector)
            self.clicks += 1

    def _reach(self, wanted: Callable[[], WebElement]) -> None:
        for _ in range(FAR):
            if self.browser.switch_to.active_element == wanted():
                return
            ActionChains(self.browser).send_keys(Keys.TAB).perform()
            self.clicks += 1
        raise AssertionError(f"{self.task}: the keyboard does not reach {wanted().text!r}")


def hold(browser: Chrome, text: str) -> None:
    """Put a text onto the clipboard."""
    leave = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    browser.execute_cdp_cmd("Browser.grantPermissions", leave)
    browser.set_script_timeout(60)
    script = (
        "navigator.clipboard.writeText(arguments[0]).then(() => arguments[1](true), () => arguments[1](false))"
    )
    assert browser.execute_async_script(script, text), "no leave to use the clipboard"


def held(browser: Chrome) -> str:
    """What is on the clipboard."""
    return str(browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])"))


def printed(browser: Chrome, name: str) -> None:
    """The page on paper, and a picture of how it looks there."""
    made = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})
    (SHOTS / f"{name}.pdf").write_bytes(base64.b64decode(made["data"]))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    keep(browser, name)
    shown = [
        each for each in browser.find_elements(By.CSS_SELECTOR, "header nav, button") if each.is_displayed()
    ]
    assert not shown, "nobody can press anything on paper"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def tell(request: pytest.FixtureRequest, words: str) -> None:
    """Print figures that were measured, whatever else is not printed."""
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(f"\n{words}")
