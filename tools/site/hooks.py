"""What the site has beyond the pages under ``docs/``, made from the code: reference, gallery and pictures.

They are made anew at every build, so none of them can be older than the code it is about.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parent))

from made import filled, made


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path, content in made().items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    return filled(markdown)
