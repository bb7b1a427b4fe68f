"""What a notebook needs beside the results themselves, which show themselves.

magic      ``%load_ext scoreproof``, then ``%%scoreproof`` over anything that was printed
progress   how far long work is, in the cell that waits for it
"""

from scoreproof.notebooks.magic import load_ipython_extension
from scoreproof.notebooks.progress import show_progress

__all__ = ["load_ipython_extension", "show_progress"]
