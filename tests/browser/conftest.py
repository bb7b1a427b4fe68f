"""A real Chromium without a window, and a server for it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "web"))

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from served import serving

from scoreproof.web.settings import Settings

Start = Callable[..., webdriver.Chrome]


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    # Limits no claim of the tests comes near, however busy the machine.
    with serving(Settings(timeout=60, workers=2)) as found:
        yield found


@pytest.fixture(scope="session")
def usual() -> Iterator[str]:
    """A server with the limits everybody has."""
    with serving(Settings()) as found:
        yield found


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts browsers that are closed after the test."""
    driver, binary = shutil.which("chromedriver"), shutil.which("chromium") or shutil.which("google-chrome")
    assert driver and binary, (
        "these tests need chromium and chromedriver (apt-get install chromium chromium-driver)"
    )
    started: list[webdriver.Chrome] = []

    def go(
        width: int = 1200, height: int = 1000, scripts: bool = True, dark: bool = False, log: bool = False
    ) -> webdriver.Chrome:
        options = webdriver.ChromeOptions()
        options.binary_location = binary
        for word in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "hide-scrollbars"):
            options.add_argument(f"--{word}")
        options.add_argument(f"--window-size={width},{height}")
        if not scripts:
            settings = {"profile.managed_default_content_settings.javascript": 2}
            options.add_experimental_option("prefs", settings)
        if log:  # of what goes over the network
            options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        browser = webdriver.Chrome(options=options, service=Service(driver))
        started.append(browser)
        browser.set_page_load_timeout(300)
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        if dark:
            wish = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)
        return browser

    yield go
    for browser in started:
        browser.quit()


@pytest.fixture
def browser(start: Start) -> webdriver.Chrome:
    return start()
