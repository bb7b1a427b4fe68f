"""Builds the page that needs no installation: ``python -m tools.static_page.build`` writes build/static-page.

Python for the browser is the npm package ``pyodide`` in build/node_modules; the package is the wheel of this
tree; the frame, the style and the examples of the page are those of ``scoreproof serve``.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import jinja2

from scoreproof.insight.display.report import style
from scoreproof.version import __version__
from scoreproof.web.first import EXAMPLES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WEB = ROOT / "src" / "scoreproof" / "web"
PYODIDE = ROOT / "build" / "node_modules" / "pyodide"
TARGET = ROOT / "build" / "static-page"
#: What a browser needs of pyodide.
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
#: What differs between a server's page and a folder of files.
CHANGED = (
    ('href="/static/', 'href="static/'),
    ('src="/static/pointer.js"', 'src="static/pointer.js"'),
    ('<script src="/static/script.js" defer>', '<script src="page.js" type="module">'),
    ('href="/"', 'href="./"'),
    (' <a href="/about">Help and API</a>', ""),
)


def page() -> str:
    """The page, in the frame of the one that a server shows."""
    loader = jinja2.FileSystemLoader([HERE, WEB / "templates"])
    frame = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined)
    html = frame.get_template("page.html").render(examples=EXAMPLES, navigation=(), version=__version__)
    for old, new in CHANGED:
        assert old in html, f"base.html no longer has {old}"
        html = html.replace(old, new)
    return html


def wheel(into: Path) -> None:
    """The wheel of this tree."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*command, "--wheel-dir", folder, str(ROOT)], check=True)
        (made,) = Path(folder).glob("scoreproof-*.whl")
        shutil.copyfile(made, into)


def build(target: Path = TARGET) -> int:
    """The bytes of the folder, made anew."""
    shutil.rmtree(target, ignore_errors=True)
    (target / "static").mkdir(parents=True)
    (target / "pyodide").mkdir()
    for name in PYTHON:
        shutil.copyfile(PYODIDE / name, target / "pyodide" / name)
    for name in ("icon.svg", "pointer.js"):
        shutil.copyfile(WEB / "static" / name, target / "static" / name)
    look = style() + (WEB / "static" / "style.css").read_text(encoding="utf-8")  # as the server sends it
    (target / "static" / "style.css").write_text(look, encoding="utf-8")
    for name in ("page.js", "worker.js", "inside.py"):
        shutil.copyfile(HERE / name, target / name)
    wheel(target / "scoreproof.whl")
    (target / "index.html").write_text(page(), encoding="utf-8")
    files = sorted(each for each in target.rglob("*") if each.is_file())
    version = hashlib.sha256(b"".join(each.read_bytes() for each in files)).hexdigest()[:16]
    names = ["./", *(each.relative_to(target).as_posix() for each in files)]
    script = (HERE / "offline.js").read_text(encoding="utf-8")
    script = script.replace("/* FILES */ []", json.dumps(names)).replace("/* VERSION */", version)
    (target / "offline.js").write_text(script, encoding="utf-8")
    return sum(each.stat().st_size for each in files) + len(script)


if __name__ == "__main__":
    if not PYODIDE.exists():
        sys.exit("build/node_modules/pyodide is missing; `make site` fetches it with npm")
    size = build()
    print(f"written to {TARGET.relative_to(ROOT)} ({size / 1e6:.1f} MB); open it with")
    print(f"  python3 -m http.server --bind 127.0.0.1 --directory {TARGET.relative_to(ROOT)}")
