"""How much of a long campaign is run: all of it, or the share that CI has time for."""

from __future__ import annotations

import os


def share(cases: int) -> int:
    """The number of cases to run of so many, at least one.

    SCOREPROOF_CAMPAIGN_SHARE is a number between 0 and 1, and 1 if it is not set.
    """
    return max(1, int(cases * float(os.environ.get("SCOREPROOF_CAMPAIGN_SHARE", "1"))))
