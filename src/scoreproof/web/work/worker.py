"""The process that computes: jobs come in on standard input, answers go out on standard output.

A message is a line of JSON.  A job may send any number of ``{"progress": …}`` messages before its
answer, which is ``{"answer": …}``, ``{"error": …}`` for input that is refused, or ``{"bug": …}``.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import Any

from scoreproof.web.work.pool import packed

#: Address space a worker may use, in bytes: a hostile claim ends here and not in swapping.
MEMORY = 4 * 2**30


def main() -> None:
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed by accident must not get between the messages

    def send(message: dict[str, Any]) -> None:
        out.write(packed(message))
        out.flush()

    with suppress(ImportError, ValueError, OSError):  # elsewhere the limits on size and time remain
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    from scoreproof.web.work.jobs import answer

    send({"ready": True})
    for line in sys.stdin.buffer:
        send(answer(json.loads(line), lambda progress: send({"progress": progress})))


if __name__ == "__main__":
    main()
