"""What axe finds wrong with the page that a browser shows."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

from selenium.webdriver import Chrome

#: The newest axe-core that is there: npm's, which `make browser` fetches if it can, or the one in a wheel.
AXE = Path(__file__).parents[2] / "build" / "node_modules" / "axe-core" / "axe.min.js"
if not AXE.exists():
    AXE = Path(str(resources.files("axe_core_python") / "axe.min.js"))


def violations(browser: Chrome) -> list[str]:
    """Every violation of axe's rules, with the elements it is about."""
    script = Path(os.environ.get("SCOREPROOF_AXE", AXE))
    assert script.exists(), "these tests need axe-core: npm install --prefix build --no-save axe-core"
    browser.execute_script(script.read_text(encoding="utf-8"))
    browser.set_script_timeout(120)
    found = browser.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document).then(found => done(found.violations), why => done([{id: String(why), nodes: []}]));"
    )
    return [f"{each['id']}: {[node['html'] for node in each['nodes']]}" for each in found]
