"""Answers claims from standard input, one JSON text a line, with the standard library alone.

Run as ``python -I -S answers_alone.py SOURCE``: only the standard library and SOURCE are seen.
"""

from __future__ import annotations

import json
import sys

BLOCKED = ("numpy", "scipy", "click", "rich", "narwhals", "jinja2", "pandas", "pyarrow")


def main(source: str) -> None:
    for each in BLOCKED:
        sys.modules[each] = None  # type: ignore[assignment]  # an import of it fails as if it were not there
    sys.path.insert(0, source)
    import scoreproof

    for line in sys.stdin:
        verdict = scoreproof.check(json.loads(line), timeout=None)
        answer = {"verdict": verdict.to_dict(), "verified": scoreproof.verify(verdict.to_dict())}
        print(json.dumps(answer), flush=True)
    strange = {name.split(".")[0] for name in sys.modules} - sys.stdlib_module_names
    print(json.dumps(sorted(strange - {"scoreproof", "__main__"} - set(BLOCKED))))


if __name__ == "__main__":
    main(sys.argv[1])
