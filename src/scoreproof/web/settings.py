"""What the server allows."""

from __future__ import annotations

from dataclasses import dataclass


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

    def seconds(self, job: str) -> float:
        """Seconds for a job; explanations and bundles get three times as many, as on the command line."""
        return 3 * self.timeout if job in ("explain", "bundle") else self.timeout

    def hard_limit(self, timeout: float, job: str = "") -> float:
        """Seconds after which a process is ended: finding the words takes a while, too, and so do documents."""
        return (12 if job == "scan" else 2) * timeout + 15
