"""The log of the package, which is silent unless somebody listens."""

from __future__ import annotations

import logging

logger = logging.getLogger("scoreproof")
logger.addHandler(logging.NullHandler())
