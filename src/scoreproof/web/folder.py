"""The folder of this machine whose files may be opened by their name, and no other."""

from __future__ import annotations

from pathlib import Path

from scoreproof.errors import shorten
from scoreproof.web.desk import Unfit
from scoreproof.web.settings import Settings


def opened_in(settings: Settings, name: str, field: str) -> tuple[Path, bytes]:
    """The file of that name with what it holds, if it lies in the folder that was allowed; Unfit otherwise."""
    folder = Path(settings.files).resolve()
    try:
        path = (folder / Path(name).expanduser()).resolve(strict=True)
        if not path.is_relative_to(folder):
            raise Unfit(field, f"only files in {folder} are opened here")
        if not path.is_file():
            raise Unfit(field, f"{shorten(name, 80)} is not a file")
        if path.stat().st_size > settings.largest_upload:
            raise Unfit(field, f"the file has more than {settings.largest_upload // 2**20} MiB")
        return path, path.read_bytes()
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or "there is no such file"
        raise Unfit(field, f"{shorten(name, 80)} cannot be opened: {why}") from None
