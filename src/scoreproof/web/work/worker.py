"""The process that computes: jobs come in on standard input, answers go out on standard output.

A message is its length in four bytes, then JSON.  A job may send any number of ``{"progress":
…}`` messages before its answer, which is ``{"answer": …}``, ``{"error": …}`` for input that is
refused, or ``{"bug": …}``.
"""

from __future__ import annotations

import json
import os
import sys
from typing import IO, Any

#: Address space a worker may use, in bytes: a hostile claim ends here and not in swapping.
MEMORY = 4 * 2**30


def send(out: IO[bytes], message: dict[str, Any]) -> None:
    data = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    out.write(len(data).to_bytes(4, "big") + data)
    out.flush()


def receive(source: IO[bytes]) -> dict[str, Any] | None:
    head = source.read(4)
    if len(head) < 4:
        return None
    data: dict[str, Any] = json.loads(source.read(int.from_bytes(head, "big")))
    return data


def main() -> None:
    source, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed by accident must not get between the messages
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):
        pass  # not on this system; the limits on size and time remain
    from scoreproof.web.work.jobs import answer

    send(out, {"ready": True})
    while (job := receive(source)) is not None:
        send(out, answer(job, lambda progress: send(out, {"progress": progress})))


if __name__ == "__main__":
    main()
