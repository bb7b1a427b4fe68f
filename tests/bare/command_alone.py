"""The command as it is where numpy and scipy are not installed: ``python command_alone.py WORDS``."""

import sys

for each in ("numpy", "scipy"):
    sys.modules[each] = None  # type: ignore[assignment]  # an import of it fails as if it were not there

from scoreproof.cli import cli  # noqa: E402

cli()
