"""Files of any length: every row checked, interrupted runs taken up again."""

from scoreproof.batch.run import check_file

__all__ = ["check_file"]
