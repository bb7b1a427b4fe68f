"""A verdict with all that it takes to believe it, in one archive: the same bytes for the same claim."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from textwrap import fill
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from scoreproof.insight.display.report import report
from scoreproof.verdict import Verdict
from scoreproof.version import __version__

CLAIM, VERDICT = "claim.json", "verdict.json"
WIDTH = 100
ABOUT = f"""\
Files
  {CLAIM}     the claim, with every count in it
  {VERDICT}   the verdict with its witness or proof, and why
  why.txt        why the figures clash, in steps to be checked by hand
  report.html    the verdict for the eye, with its picture; needs no other file

Replay, with nothing but the package
  python -m pip install scoreproof=={__version__}
  scoreproof verify {VERDICT} --against {CLAIM}    follows the proof, without the engines
  scoreproof check {CLAIM} --why                     decides again, and says the same sentence
"""


def dossier(verdict: Verdict) -> bytes:
    """The archive; the verdict should have been made without a clock, which two machines do not share."""
    made = BytesIO()
    # stored, not packed, and without dates: what packs differs from machine to machine
    with ZipFile(made, "w", ZIP_STORED) as archive:
        for name, text in _files(verdict):
            entry = ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, text.encode())
    return made.getvalue()


def _files(verdict: Verdict) -> Iterator[tuple[str, str]]:
    claim = dict(verdict.claim.counted)
    why = [each.to_dict() for each in verdict.why]
    yield "README.txt", f"{_head(verdict)}\n{ABOUT}"
    yield CLAIM, _json(claim)
    yield VERDICT, _json({**verdict.to_dict(), "why": why})
    yield "why.txt", _why(verdict)
    yield "report.html", report(verdict)


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _head(verdict: Verdict) -> str:
    source = verdict.claim.source
    lines = [str(source[key]) for key in ("title", "citation", "note") if source.get(key)]
    made = f"Made with scoreproof {__version__}."
    return "\n".join(fill(line, WIDTH) + "\n" for line in (*lines, verdict.sentence, made))


def _why(verdict: Verdict) -> str:
    if not verdict.why:
        return fill(verdict.sentence, WIDTH) + "\n"
    told = []
    for derivation in verdict.why:
        told.append(f"If {derivation.reading}:" if derivation.reading else "Why:")
        for number, step in enumerate(derivation.steps, 1):
            told.append(fill(f"{number}. {step.words}", WIDTH, subsequent_indent="   ", break_on_hyphens=False))
        told.append("")
    return "\n".join(told)
