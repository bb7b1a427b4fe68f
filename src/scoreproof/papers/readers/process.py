"""A process of its own for every document: it may use so much time and memory, and can be ended.

The child is asked in a line of JSON, followed by the bytes of a document that is no file.  It answers in
lines of JSON: any number of ``{"progress": …}``, then ``{"document": …}`` or ``{"refused": …}``.  It opens no
connection, starts no program and writes no file.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from signal import SIGXCPU
from subprocess import DEVNULL, PIPE, Popen
from threading import Timer
from time import process_time
from typing import IO, Any

from scoreproof.errors import ScoreproofError, shorten
from scoreproof.papers.document import Document, Passage, Place, Table
from scoreproof.papers.readers import limits
from scoreproof.papers.readers.limits import Unreadable

#: Bytes of an answer that are read, at most.
LONGEST_ANSWER = 200 * 2**20
#: What the child may not do, by the names of Python's audit events.
_FORBIDDEN = (
    "socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.remove", "os.rename",
    "os.rmdir", "os.mkdir", "os.truncate", "os.chmod", "os.link", "os.symlink", "shutil.",
    "webbrowser.", "urllib.", "ftplib.", "smtplib.",
)  # fmt: skip


# -- the parent -------------------------------------------------------------------------------------------


def read_apart(
    name: str,
    source: Path | bytes,
    kind: str,
    folder: Path | None,
    say: Callable[[str], None],
    seconds: float = limits.SECONDS,
) -> Document:
    """The document, read in a process of its own; one that takes too much is refused."""
    given = source if isinstance(source, bytes) else None
    asked = {
        "name": name,
        "kind": kind,
        "path": None if given is not None else str(source),
        "folder": str(folder) if folder is not None else None,
        "size": len(given or b""),
        "seconds": seconds,
    }
    words = (sys.executable, "-m", "scoreproof.papers.readers.process")
    with Popen(words, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=_environment()) as child:
        assert child.stdin is not None and child.stdout is not None
        watch = _Watch(child, seconds)
        try:
            with suppress(BrokenPipeError):
                child.stdin.write(json.dumps(asked).encode() + b"\n")
                child.stdin.write(given or b"")
                child.stdin.close()
            return _answer(name, child.stdout, watch, say)
        finally:
            watch.end()
            child.kill()


def _environment() -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "PYTHONIOENCODING": "utf-8",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }


class _Watch:
    """Ends a process that takes too long, or gives no sign of life."""

    def __init__(self, child: Popen[bytes], seconds: float) -> None:
        self.child = child
        self.late = False
        self.timers: dict[float, Timer] = {}
        for limit in (seconds, min(limits.PATIENCE, seconds)):
            self._start(limit)

    def _start(self, limit: float) -> None:
        timer = Timer(limit, self._kill)
        timer.daemon = True
        timer.start()
        self.timers[limit] = timer

    def _kill(self) -> None:
        self.late = True
        self.child.kill()

    def alive(self) -> None:
        """A sign of life: the shorter of the two limits starts anew."""
        if len(self.timers) > 1:
            limit = min(self.timers)
            self.timers[limit].cancel()
            self._start(limit)

    def end(self) -> None:
        for timer in self.timers.values():
            timer.cancel()


def _answer(name: str, stream: IO[bytes], watch: _Watch, say: Callable[[str], None]) -> Document:
    room = LONGEST_ANSWER
    while line := stream.readline(room):
        room -= len(line)
        if not line.endswith(b"\n"):
            break
        message: dict[str, Any] = json.loads(line)
        if "progress" in message:
            watch.alive()
            say(message["progress"])
        elif "document" in message:
            return _document(message["document"])
        else:
            raise Unreadable(name, message["refused"])
    if watch.late or watch.child.wait() == -SIGXCPU:
        raise Unreadable(name, "was given up: reading it took too long; keep the pages with the tables")
    raise Unreadable(
        name, "was given up: reading it took more memory than a document may need, or it is damaged"
    )


def _document(data: dict[str, Any]) -> Document:
    """The document that the child sent, out of plain data."""
    tables = [
        Table(
            each["cells"], each["label"], each["caption"], tuple(each["notes"]),
            Place(**each["place"]), each["order"], tuple(each["lines"]),
        )
        for each in data["tables"]
    ]  # fmt: skip
    passages = [Passage(each["words"], Place(**each["place"]), each["kind"]) for each in data["passages"]]
    return Document(data["name"], tuple(tables), tuple(passages), tuple(data["remarks"]), data["pages"])


# -- the child --------------------------------------------------------------------------------------------


def main() -> None:
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get between the messages

    def send(message: dict[str, Any]) -> None:
        out.write(json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode() + b"\n")
        out.flush()

    def progress(words: str) -> None:
        _go_on(seconds)
        send({"progress": words})

    asked = json.loads(sys.stdin.buffer.readline())
    seconds = asked["seconds"]
    _confine(seconds)
    try:
        send({"document": asdict(_read(asked, progress))})
    except ScoreproofError as error:
        send({"refused": getattr(error, "problem", str(error))})
    except (RecursionError, MemoryError):
        send({"refused": "is nested too deeply, or too large, to be a paper"})
    except Exception as error:  # whatever a library makes of a damaged document
        what = f"{type(error).__name__}: {shorten(error, 80)}"
        send({"refused": f"cannot be read; it is damaged, or of a make not known here ({what})"})


def _read(asked: dict[str, Any], progress: Callable[[str], None]) -> Document:
    from scoreproof.papers.readers.draft import Draft
    from scoreproof.papers.readers.kinds import read

    if asked["path"] is None:
        data = sys.stdin.buffer.read(asked["size"])
    else:
        try:
            data = Path(asked["path"]).read_bytes()
        except OSError as error:
            raise Unreadable(asked["name"], f"cannot be opened: {error.strerror}") from None
    folder = Path(asked["folder"]) if asked["folder"] else None
    return read(asked["name"], data, asked["kind"], Draft(asked["name"], progress, folder))


def _confine(seconds: float) -> None:
    """Bound the memory and the computing time of this process, and what it can do."""
    with suppress(ImportError, ValueError, OSError):  # elsewhere the parent's clock remains
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limits.MEMORY, limits.MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _go_on(seconds)
    sys.addaudithook(_refuse)


def _go_on(seconds: float) -> None:
    """A sign of life: the computing time that may pass without another one starts anew."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        most = int(seconds) + 2
        silent = int(process_time() + min(limits.SILENT, seconds)) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (min(silent, most - 1), most))


def _refuse(event: str, args: tuple[Any, ...]) -> None:
    writes = event == "open" and isinstance(args[1], str) and any(letter in args[1] for letter in "wax+")
    if writes or event.startswith(_FORBIDDEN):
        raise PermissionError(f"a document that is read may not do this: {event}")


if __name__ == "__main__":
    main()
