"""Published cases, shipped as claim files, each with its citation."""

from scoreproof.cases.listing import SAID, published

__all__ = ["SAID", "published"]
