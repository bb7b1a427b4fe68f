"""All tools on one page, in the order of what people need."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scoreproof.web.pages import page


class Card(NamedTuple):
    """A tool: where it is, what it is called, what it does for whoever opens it, and its command."""

    link: str
    title: str
    words: str
    commands: tuple[str, ...]


class Group(NamedTuple):
    title: str
    cards: tuple[Card, ...]


# fmt: off
GROUPS = (
    Group("Check what a paper prints", (
        Card("/", "Check figures",
             "Could these scores come from this data at all? You get an example that gives them, or a proof.",
             ("check", "explain", "reconstruct", "dossier")),
        Card("/scan", "Check a whole paper",
             "Drop a PDF, Word or LaTeX file: its tables are found, read and checked.", ("scan",)),
        Card("/batch", "Check a spreadsheet",
             "One experiment a row: every row gets its verdict, and you get the file back.", ("batch",)),
        Card("/bundle", "Find the evaluation behind figures on a benchmark",
             "Which pixels, whose annotation, averaged or pooled? Every evaluation that is common is tried.",
             ("bundle",)),
    )),
    Group("For systematic reviews", (
        Card("/tables", "2x2 table of one study",
             "TP, FP, FN and TN from sensitivity and specificity with their intervals.", ("tables",)),
        Card("/review", "2x2 tables of a whole review",
             "A spreadsheet with one study a row, however each of them reports.", ("tables",)),
    )),
    Group("Trust a verdict", (
        Card("/verify", "Confirm somebody's verdict",
             "Drop a saved verdict: its proof is followed, and you see what it proves.", ("verify",)),
        Card("/cases", "Published cases",
             "Figures from papers, each with what came of checking it.", ("cases", "demo")),
        Card("/power", "How often would a mistake be caught?",
             "Papers with a known mistake are made up and checked, for the data you have in mind.",
             ("power",)),
    )),
    Group("Report your own results", (
        Card("/aggregate", "Average your folds",
             "Paste the counts of every fold: each score, averaged in every way in use, side by side.",
             ("aggregate",)),
        Card("/simulate", "Which average is fair?",
             "See how far the ways to average over folds are from the truth, where the truth is known.",
             ("simulate",)),
    )),
    Group("Look something up", (
        Card("/datasets", "Datasets",
             "How many items of each class public datasets have, with their sources.", ("datasets",)),
        Card("/about", "Scores, verdicts and the interface for programs",
             "Every score with its formula and its other names; what the verdicts mean.",
             ("scores", "serve", "mcp")),
    )),
)
# fmt: on


async def look(request: Request) -> Response:
    return page("tools/tools", groups=GROUPS, here="/tools")


ROUTES = [Route("/tools", look)]
