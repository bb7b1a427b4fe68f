"""The addresses of all tools."""

from __future__ import annotations

from scoreproof.web.tools import averages, datasets, folds, gallery, listing, replay, slips, study

TOOL_ROUTES = [
    *listing.ROUTES,
    *datasets.ROUTES,
    *study.TOOL.routes,
    *replay.ROUTES,
    *gallery.ROUTES,
    *folds.ROUTES,
    *slips.TOOL.routes,
    *averages.TOOL.routes,
]
