"""Bundles: figures tested against every evaluation that is common in a field.

>>> survey = bundle("drive", {"acc": "0.9478", "sens": "0.8532", "spec": "0.9801"}, eps="0.0001")
>>> survey.sentence
'The figures fit none of the 8 evaluations that were tried.'
"""

from scoreproof.bundles.entry import Bundle
from scoreproof.bundles.run import bundle, find, known_bundles
from scoreproof.bundles.survey import Evaluated, Survey

__all__ = ["Bundle", "Evaluated", "Survey", "bundle", "find", "known_bundles"]
