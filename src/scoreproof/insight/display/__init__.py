"""A verdict for the eye: HTML, SVG and Markdown, from the same few pieces.

The notebook, the report file and the web page all show what :mod:`sections` builds; none of
it needs anything beyond the base installation.
"""

from scoreproof.insight.display.html import Html, tag
from scoreproof.insight.display.markdown import markdown
from scoreproof.insight.display.report import notebook, report
from scoreproof.insight.display.sections import sections

__all__ = ["Html", "markdown", "notebook", "report", "sections", "tag"]
