"""Computing in processes of its own, so that it can be stopped."""

from scoreproof.web.work.pool import Busy, Errand, Pool, Stopped

__all__ = ["Busy", "Errand", "Pool", "Stopped"]
