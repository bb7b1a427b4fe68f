"""Files of any length: every row checked, or rebuilt; interrupted runs taken up again."""

from scoreproof.batch.reviews import tables_file
from scoreproof.batch.run import check_file

__all__ = ["check_file", "tables_file"]
