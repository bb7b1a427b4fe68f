"""What the server allows."""

from __future__ import annotations

from dataclasses import dataclass

#: Jobs that are many checks.
LONG = ("scan", "power", "simulate")
#: How many times as long as one claim a study may take.
STUDY_TIMES = 6


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits of time and size."""

    timeout: float = 10.0  # seconds a claim may take, as on the command line
    workers: int = 2  # processes in each lane
    patience: float = 1.0  # seconds after which a job counts as slow
    largest_body: int = 2**20  # bytes of a claim or a form
    largest_upload: int = 16 * 2**20  # bytes of a table to be checked row by row
    most_rows: int = 20_000  # ... and its rows
    most_pasted: int = 60  # rows of a pasted table
    longest_link: int = 7000  # characters of a claim in the address
    files: str = ""  # the folder whose files may be named in the box; none if it is empty
    longest_pause: float = 30.0  # seconds between two pieces of what is sent
    hosts: frozenset[str] = frozenset()  # names the server goes by beside those of this machine
    token: str = ""  # what whoever asks must know; nothing where only this machine can ask
    proxy: bool = False  # whether a proxy in front of it says who asks
    requests_a_second: float = 0.0  # of one client; 0 for any number
    requests_at_once: float = 200.0  # ... after a pause
    most_under_way: int = 0  # pieces of work of one client that are not done; 0 for any number
    most_long: int = 3  # ... of those that take minutes, if the others are counted

    def seconds(self, job: str) -> float:
        """Seconds for a job; explanations and bundles get three times as many, as on the command line."""
        return 3 * self.timeout if job in ("explain", "bundle") else self.timeout

    def hard_limit(self, timeout: float, job: str = "") -> float:
        """Seconds after which a process is ended: finding words takes a while, too, and so do many checks."""
        return (12 if job in LONG else 2) * timeout + 15
