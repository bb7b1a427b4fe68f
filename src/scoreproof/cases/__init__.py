"""Published cases, shipped as claim files, each with its citation."""

from scoreproof.cases.listing import published

__all__ = ["published"]
