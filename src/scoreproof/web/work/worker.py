"""The process that computes: jobs come in on standard input, answers go out on standard output.

A message is a line of JSON.  A job may send any number of ``{"progress": …}`` messages before its
answer, which is ``{"answer": …}``, ``{"error": …}`` for input that is refused, or ``{"bug": …}``.  After
``{"stop": true}`` it ends at its next look at the clock, with what it has (and ``"stopped": true``).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any

from scoreproof.effort import STOP
from scoreproof.web.work.pool import packed

#: Address space a worker may use, in bytes: a hostile claim ends here and not in swapping.
MEMORY = 4 * 2**30

_TEXT = "accuracy 0.9567, sensitivity 0.8500, specificity 0.9750, 100 positives and 200 negatives"
FIRST: tuple[dict[str, Any], ...] = (
    {"do": "paste", "with": {"text": _TEXT, "known": {}}},
    {"do": "check", "with": {"claim": _TEXT, "html": True, "timeout": 10}},
)


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

    for job in FIRST:  # what is needed for the usual job is loaded before one comes
        answer(job, lambda progress: None)
    send({"ready": True})
    for job in _jobs():
        found = answer(job, lambda progress: send({"progress": progress}))
        send({**found, "stopped": True} if STOP.is_set() else found)


def _jobs() -> Iterator[dict[str, Any]]:
    """The jobs as they come; a thread listens meanwhile whether one is to be stopped."""
    waiting: SimpleQueue[dict[str, Any]] = SimpleQueue()

    def listen() -> None:
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if "stop" in message:
                STOP.set()
            else:
                STOP.clear()  # it was meant for the job before
                waiting.put(message)
        os._exit(0)  # nobody is there to hear an answer

    Thread(target=listen, daemon=True).start()
    while True:
        yield waiting.get()


if __name__ == "__main__":
    main()
