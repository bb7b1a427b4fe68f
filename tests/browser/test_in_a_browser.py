"""The page in a real browser.  Every look at a page waits until what is looked for is there."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from selenium.common import (
    ElementClickInterceptedException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from served import serving
from test_web_api import SLOW_PAGE

from conftest import Start
from scoreproof.web.links import pack
from scoreproof.web.settings import Settings

pytestmark = pytest.mark.browser

PATIENCE = 180  # seconds, for a busy machine
SHOTS = Path(__file__).parent.parent.parent / "build" / "screenshots"


def until(browser: Chrome, condition: Callable[[Chrome], object]) -> object:
    changed = [StaleElementReferenceException, NoSuchElementException, ElementClickInterceptedException]
    return WebDriverWait(browser, PATIENCE, ignored_exceptions=changed).until(condition)


def see(browser: Chrome, selector: str, containing: str = "") -> WebElement:
    """The first element that is visible and contains the words, as soon as there is one."""

    def look(browser: Chrome) -> WebElement | None:
        for element in browser.find_elements(By.CSS_SELECTOR, selector):
            if element.is_displayed() and containing in element.text:
                return element
        return None

    found = until(browser, look)
    assert isinstance(found, WebElement)
    return found


def press(browser: Chrome, selector: str, containing: str = "") -> None:
    """Click on it, also where the page is just being loaded anew."""

    def click(browser: Chrome) -> bool:
        see(browser, selector, containing).click()
        return True

    until(browser, click)


def keep(browser: Chrome, name: str) -> None:
    """A picture of the whole page, for people to look at."""
    (SHOTS / name).parent.mkdir(parents=True, exist_ok=True)
    size = browser.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1}
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
    (SHOTS / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))


def fill(browser: Chrome, *scores: tuple[str, str], **fields: str) -> None:
    for name, text in fields.items():
        see(browser, f"#{name}").send_keys(text)
    for index, (name, figure) in enumerate(scores):
        see(browser, f"#score-{index}").send_keys(name)
        see(browser, f"#figure-{index}").send_keys(figure)


def go(browser: Chrome) -> None:
    press(browser, "#go")


def whole_page_fits(browser: Chrome) -> bool:
    size = browser.execute_cdp_cmd("Page.getLayoutMetrics", {})
    return bool(size["cssContentSize"]["width"] <= size["cssLayoutViewport"]["clientWidth"])


def all_parts_there(browser: Chrome) -> None:
    script = (
        "return [...document.querySelectorAll('section[data-part]')].every(part => part.dataset.done === 'yes')"
    )
    until(browser, lambda b: b.execute_script(script))


def test_a_consistent_claim(browser: Chrome, address: str) -> None:
    browser.get(f"{address}/form")
    keep(browser, "form")
    fill(browser, ("accuracy", "0.95"), ("f1", "0.93"), ("mcc", "0.89"), p="100", n="200")
    go(browser)
    see(browser, ".verdict .consistent")
    see(browser, ".verdict", "14 confusion matrices give these figures")
    see(browser, "figure.region path.fit")
    see(browser, "table", "could be, given the others")
    all_parts_there(browser)
    keep(browser, "consistent")


def test_an_inconsistent_claim_with_link_and_files(browser: Chrome, address: str) -> None:
    browser.get(f"{address}/form")
    fill(
        browser,
        ("acc", "0.9567"),
        ("sens", "0.8500"),
        ("spec", "97.50 %"),
        p="100",
        n="200",
        title="<b>Table</b> 2",
    )
    go(browser)
    see(browser, ".verdict .inconsistent")
    see(browser, "h1", "<b>Table</b> 2")  # markup is text
    see(browser, "strong.clash", "clashes")
    see(
        browser,
        "figcaption",
        "No matrix lies in the bands of acc and sens at once: where sens and acc come closest",
    )
    until(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, "figure.region path.band.clash")) >= 2)
    all_parts_there(browser)
    keep(browser, "inconsistent")
    press(browser, "button[data-copy=paragraph]")
    copied = "button[data-copy=paragraph][data-copied=yes]"
    until(browser, lambda b: b.find_elements(By.CSS_SELECTOR, copied))
    see(browser, "#paragraph", "The reported figures")
    press(browser, "#keep summary")
    press(browser, "button[data-copy=link]")
    until(
        browser,
        lambda b: b.find_element(By.CSS_SELECTOR, "button[data-copy=link]").get_dom_attribute("data-copied"),
    )
    link = see(browser, "#link").get_dom_attribute("value")
    assert link == browser.current_url
    press(browser, "a.button", "Change the claim")
    see(browser, "#figure-1")
    until(browser, lambda b: see(b, "#figure-1").get_dom_attribute("value") == "0.8500")


def test_an_undecided_claim_is_waited_for_and_says_why(browser: Chrome) -> None:
    with serving(Settings(timeout=1, workers=1)) as address:
        browser.get(address + SLOW_PAGE)
        see(browser, ".verdict .undecided")
        until(browser, lambda b: "the time ran out" in see(b, ".verdict").text)
        all_parts_there(browser)
        keep(browser, "undecided")


def test_slow_work_can_be_stopped(browser: Chrome) -> None:
    with serving(Settings(timeout=900, workers=1)) as address:
        browser.get(address + SLOW_PAGE)
        see(browser, "h1", "Still working")
        keep(browser, "waiting")
        press(browser, "#stop")
        see(browser, ".verdict .undecided")
        see(browser, ".stopped", "Stopped after")


def test_a_pasted_table_with_several_rows(browser: Chrome, address: str) -> None:
    browser.get(f"{address}/form")
    fill(browser, p="100", n="200")
    press(browser, "summary", "Paste a table")
    latex = r"""\begin{tabular}{lcc} \toprule
Model & Accuracy & Recall (\%) \\ \midrule
Ours & \textbf{0.9567} & 91.00 \\
Theirs & 0.9567 & 85.12 \\ \bottomrule
\end{tabular}"""
    see(browser, "#table").send_keys(latex)
    go(browser)
    see(browser, "#rows .consistent")
    see(browser, "#rows .inconsistent")
    keep(browser, "table")
    press(browser, "#rows a", "Theirs")
    see(browser, ".verdict .inconsistent")


def test_a_bundle(browser: Chrome, address: str) -> None:
    browser.get(f"{address}/bundle")
    press(browser, '#bundle option[value="drive"]')
    fill(browser, ("acc", "0.9478"), ("sens", "0.8532"), ("spec", "0.9801"))
    go(browser)
    see(browser, ".verdict", "evaluations that were tried")
    until(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, "#part tbody tr")) == 8)
    keep(browser, "bundle")


def test_a_table_is_uploaded_and_its_verdicts_come_back(browser: Chrome, address: str, tmp_path: Path) -> None:
    table = tmp_path / "results.csv"
    table.write_text("study,p,n,acc,sens\na,100,200,0.9567,0.9100\nb,100,200,0.9567,0.8512\n", encoding="utf-8")
    browser.get(f"{address}/batch")
    see(browser, "#file").send_keys(str(table))
    keep(browser, "batch-form")
    go(browser)
    see(browser, "h1", "2 rows of results.csv")
    see(browser, "#rows", "0.8512")
    see(browser, "a.button", "All rows with their verdicts")
    keep(browser, "batch")


def test_an_error_stands_beside_its_field(browser: Chrome, address: str) -> None:
    browser.get(f"{address}/form")
    fill(browser, ("acurracy", "0.95"), ("recall", "0.9x"), p="100", n="200")
    go(browser)
    see(browser, "#score-0-problem", "did you mean 'accuracy'")
    see(browser, "#figure-1-problem", "cannot read")
    see(browser, ".summary a")
    keep(browser, "errors")
    field = see(browser, "#score-0")
    assert field.get_dom_attribute("aria-describedby") == "score-0-problem"
    until(browser, lambda b: b.switch_to.active_element.get_dom_attribute("id") == "score-0")
    field.clear()
    field.send_keys("accuracy")
    figure = see(browser, "#figure-1")
    figure.clear()
    figure.send_keys("0.91")
    go(browser)
    see(browser, ".verdict")


def test_with_the_keyboard_alone(browser: Chrome, address: str) -> None:
    browser.get(f"{address}/form")
    see(browser, "#p")

    def tab_to(name: str) -> None:
        for _ in range(60):
            ActionChains(browser).send_keys(Keys.TAB).perform()
            active = browser.switch_to.active_element
            if active.get_dom_attribute("id") == name:
                return
        raise AssertionError(f"no way to {name}")

    for name, text in (("p", "100"), ("n", "200"), ("score-0", "acc"), ("figure-0", "0.9567")):
        tab_to(name)
        ActionChains(browser).send_keys(text).perform()
    ActionChains(browser).send_keys(Keys.ENTER).perform()
    see(browser, ".verdict .consistent")
    ActionChains(browser).send_keys(Keys.TAB).perform()
    until(browser, lambda b: b.switch_to.active_element.text == "To the content")
    outline = browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_on_a_phone(start: Start, address: str, dark: bool) -> None:
    browser = start(390, 844, dark=dark)
    shade = "dark" if dark else "light"
    browser.get(f"{address}/form")
    see(browser, "#p")
    until(browser, whole_page_fits)
    keep(browser, f"phone-form-{shade}")
    browser.get(address)
    see(browser, "#text")
    until(browser, whole_page_fits)
    keep(browser, f"phone-first-{shade}")
    fill(browser, ("acc", "0.9567"), ("sens", "0.8500"), ("spec", "0.9750"), p="100", n="200")
    see(browser, "#verdict .inconsistent")
    until(browser, whole_page_fits)
    keep(browser, f"phone-verdict-{shade}")
    go(browser)
    see(browser, "h1", "do not fit together")
    all_parts_there(browser)
    until(browser, whole_page_fits)
    keep(browser, f"phone-result-{shade}")


def test_the_first_page_reads_while_one_types(browser: Chrome, address: str) -> None:
    browser.get(address)
    keep(browser, "first")
    see(browser, "#text").send_keys("accuracy 0.9567, sensitivity 0.8500; 100 positives and 200 negatives")
    see(browser, "#read-heading", "What was read")
    see(browser, "#read mark", "accuracy 0.9567")
    assert see(browser, "#p").get_attribute("value") == "100"
    see(browser, "#verdict .inconsistent")
    see(browser, "#verdict figure.region path.fit, #verdict figure.region path.band")
    until(
        browser,
        lambda b: b.find_element(By.ID, "working").get_attribute("textContent") == "Verdict: ✗ inconsistent",
    )
    keep(browser, "first-verdict")
    figure = see(browser, "#figure-1")
    figure.clear()
    figure.send_keys("0.9100")  # cell by cell: the verdict follows
    see(browser, "#verdict .consistent")
    assert see(browser, "#figure-1").get_attribute("value") == "0.9100"
    go(browser)  # what was changed by hand is what is checked
    see(browser, "h1", "Figures and set-up fit together")
    see(browser, ".recap", "0.9100")
    browser.back()
    assert see(browser, "#text").is_enabled()


def test_cells_of_a_pasted_table_can_be_changed(browser: Chrome, address: str) -> None:
    browser.get(address)
    press(browser, "a[data-example]", "a table")
    see(browser, "#verdict #rows .consistent")
    see(browser, "#verdict #rows .inconsistent")
    keep(browser, "first-table")
    cell = see(browser, "#grid tbody tr:nth-child(2) td:nth-child(5) input")
    assert cell.get_attribute("value") == "0.8500"
    cell.clear()
    cell.send_keys("0.9100")
    until(browser, lambda b: not b.find_elements(By.CSS_SELECTOR, "#verdict #rows .inconsistent"))
    assert "Network\t100\t200\t0.9567\t0.9100" in (see(browser, "#text").get_attribute("value") or "")
    see(browser, "#text").send_keys(Keys.CONTROL, "a", Keys.NULL, Keys.DELETE)
    see(browser, "#read-heading", "Or type it")
    until(browser, lambda b: not b.find_element(By.ID, "verdict").text)


@pytest.mark.parametrize(
    ("name", "text", "heading"),
    [
        ("results.csv", "study,p,n,acc\na,100,200,0.9567\nb,100,200,0.9512\n", "2 rows of results.csv"),
        ("paper.tex", "no tables at all", "Scan of paper.tex"),
        ("verdict.json", "{}", "Confirm somebody's verdict"),
    ],
)
def test_a_dropped_file_goes_where_its_kind_is_read(
    browser: Chrome, address: str, name: str, text: str, heading: str
) -> None:
    browser.get(address)
    see(browser, "#box")
    script = """
const held = new DataTransfer();
held.items.add(new File([arguments[1]], arguments[0]));
const how = { dataTransfer: held, bubbles: true, cancelable: true };
for (const kind of ["dragover", "drop"]) document.getElementById("box").dispatchEvent(new DragEvent(kind, how));
"""
    browser.execute_script(script, name, text)
    see(browser, "h1", heading)


def test_the_picture_answers_to_the_pointer(browser: Chrome, address: str) -> None:
    browser.get(f"{address}/?text=accuracy+0.9567,+sensitivity+0.9100,+100+positives+and+200+negatives")
    picture = see(browser, "#verdict svg[data-under]")
    ActionChains(browser).move_to_element(picture).perform()
    see(browser, "#verdict .under", "TP")


def test_what_is_missing_or_wrong_is_said_on_the_first_page(browser: Chrome, address: str) -> None:
    browser.get(address)
    see(browser, "#text").send_keys("no figures at all")
    see(browser, "#verdict .problem, #verdict [aria-label='What needs another look']")
    keep(browser, "first-problem")
    go(browser)
    see(browser, ".summary", "another look")
    see(browser, "#text-problem")
    keep(browser, "first-problem-sent")


def test_without_scripts(start: Start, address: str) -> None:
    browser = start(scripts=False)
    browser.get(f"{address}/form")
    fill(browser, ("acc", "0.9567"), ("sens", "0.85x"), p="100", n="200")
    go(browser)
    see(browser, "#figure-1-problem", "cannot read")
    field = see(browser, "#figure-1")
    field.clear()
    field.send_keys("0.8500")
    go(browser)
    see(browser, ".verdict .inconsistent")
    see(browser, "figure.region svg")
    assert not browser.find_elements(By.CSS_SELECTOR, "button.copy:not([hidden])")
    keep(browser, "no-scripts")
    browser.get(address)
    press(browser, ".examples a", "a sentence that cannot be")
    go(browser)
    see(browser, ".verdict .inconsistent")


def test_contrast_is_enough_in_light_and_dark(start: Start, address: str) -> None:
    """Every visible text against the colour behind it: at least 4.5 to 1 (WCAG AA)."""
    script = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
    claim = {
        "experiment": {"p": 100, "n": 200},
        "scores": {"acc": "0.9567", "sens": "0.8500"},
        "rounding": "open",
    }
    for dark in (False, True):
        browser = start(dark=dark)
        for path in ("/", "/form", f"/claim?c={pack(claim)}", "/about"):
            browser.get(address + path)
            see(browser, ".verdict" if "claim" in path else "h1")
            all_parts_there(browser)
            weak = browser.execute_script(script)
            assert weak == [], f"{path} dark={dark}"
