"""The words of papers, by what they tell: classes, items, parts of the data, ways to evaluate."""

from __future__ import annotations

import re


def listed(words: str) -> str:
    """A pattern for any of the words, which may be patterns; ``_`` stands for a blank.

    >>> listed("leave_one_out loo")
    '(?:leave one out|loo)'
    """
    return f"(?:{'|'.join(words.replace('_', ' ') for words in words.split())})"


def words(text: str) -> re.Pattern[str]:
    """Whole words, in any case."""
    return re.compile(rf"\b{listed(text)}\b", re.IGNORECASE)


#: What a class is called that is looked for, and what the other is; a name may hold words of both.
NEGATIVE = words(r"""
    negatives? benign normals? healthy controls? non[-_]?\w+ without no not absen\w+ unaffected legitimate
    ham genuine term surviv\w+ alive uninfected free asymptomatic clean intact unremarkable nondefective
    good nonevents? hcs? neg""")
POSITIVE = words(r"""
    positives? pos malignan\w+ cancer\w* abnormal\w* diseased? cases preterm infected infections? defective
    defects? faulty faults? fraud\w* attacks? spam diabet\w+ tumou?rs? pneumonia covid\S* melanomas? died
    deaths? deceased dead sick affected patholog\w+ fractures? present events? carcinomas? glaucoma\w*
    seizures? sepsis stroke churn\w* default\w* depress\w+ patients metasta\w+ relapse\w* recurren\w+
    stenosis apnea arrhythmi\w+ parkinson\w* alzheimer\w* tuberculosis""")
SEX = words("males? females? men women boys? girls?")
#: Cells of a confusion matrix, which are no classes.
CELL = re.compile(r"\b(true|false)[\s-]*(positive|negative)s?\b(?!\s+(?:rate|fraction|ratio))", re.IGNORECASE)

#: What is counted, in the plural.
_NOUNS = """
    patients subjects participants individuals people persons women men adults children infants volunteers
    records recordings images scans samples cases instances examples observations items patches slides
    lesions nodules signals messages transactions eyes specimens documents reviews emails e-mails videos
    segments episodes windows beats tumors tumours radiographs x-rays mammograms cells files exams
    examinations studies pregnancies biopsies masses frames rows entries tweets posts comments customers
    clients users applicants students animals genes proteins compounds sequences peptides sites wafers
    parts products measurements admissions visits encounters flows packets connections articles polyps
    photographs photos ecgs eegs spectra"""
NOUNS = frozenset(_NOUNS.split())
NOUN = listed(" ".join(sorted(NOUNS)))

#: What is counted, but is no item of a class.
NO_ITEMS = words(r"""
    epochs? layers? trees? features? neurons? units? filters? iterations? seconds? minutes? hours? days?
    weeks? months? years? mm cm k?hz ms gb mb channels? leads? electrodes? folds? times hospitals?
    cent(?:er|re)s? readers? radiologists? experts? annotators? attributes? variables? classes categories
    subsets? data\s?sets? parameters? pixels? batch\w* runs? seeds? models? classifiers? methods? tables?
    figures? points? degrees? levels? steps stages? types? kernels? neighbou?rs? clusters? components?
    dimensions? words tokens hidden random percent respectively ml mg kg papers repetitions?
    repeats? rounds? institutions? countries cities questions?""")

#: Parts of the data, and of a sentence the words that say which.
SETS = words("train\\w* test(?:ing|s)? validat\\w+ development derivation hold-?out held-?out discovery tuning")
BEFORE = words(r"""
    screened exclu\w+ initial\w* before prior_to eligible invited recruited enrol\w+ original\w* remov\w+
    discard\w+ augment\w+ oversampl\w+ smote undersampl\w+ left_out dropped""")
LEFT = words(r"remain\w* final\w* left analy[sz]ed included kept")
TRAINING = words(r"train(?:ing|ed)? development_(?:set|cohort|data\w*) derivation discovery")
TEST = words(r"""
    test(?:ing)?[-_](?:set|data\w*|cohort|sample|subset|split|group|partition|images|records|cases|patients|subjects)s?
    for_test(?:ing)? tested_on held-?_?out hold-?out unseen external evaluation_(?:set|data) evaluated_on
    testing test""")
VALIDATION = words("validat(?:ion|ed|ing)")
_RATIO = (
    r"\b\d{2}\s*(?:%|percent)?(?:\s*[/:–-]\s*\d{2}\s*%?){1,2}\s*(?:split|ratio|train|hold|division|partition)"
)
SPLIT = re.compile(
    "|".join((
        _RATIO,
        r"\bsplit\b[^.]{0,60}\b(?:train|test|\d{2}\s*[:/]\s*\d{2})",
        r"train(?:ing)?[/ -]+test(?:ing)?[- ](?:split|sets?)",
        r"\d{2}\s*%[^.]{0,40}\b(?:test|hold|train)",
        r"\bhold-?out|\bheld-?\s?out|\bbootstrap\w*",
        r"\b(?:independent|separate|external)\s+(?:test|validation)",
        r"\btest(?:ing)? (?:set|cohort|data|images|subset|split|partition)",
        r"\b(?:validation|training) (?:set|cohort|subset)",
        r"randomly (?:divided|split|assigned|partitioned)",
    )),
    re.IGNORECASE,
)  # fmt: skip

#: ... about the drawing of a part for testing, rather than about one that is there.
DRAWN = re.compile(
    "|".join((
        _RATIO,
        r"\b(?:split|divid\w+|partition\w*|separat\w+|allocat\w+)\b[^.]{0,60}\b(?:train|test|valid|set|into|\d)",
        r"\d{1,2}\s*%[^.]{0,40}\b(?:test|hold|held|train)",
        r"\b(?:h[eo]ld|holding|left|kept|set|put)[- ](?:out|aside|apart|back)\b(?! (?:test|set|data|part))",
        r"\b(?:reserved|kept|selected|drawn|sampled|chosen)\b[^.]{0,40}\b(?:test|evaluation)",
        r"\b(?:subset|part|half|portion|some) of [^.]{0,40}\btest",
        r"\bbootstrap\w*|\brandom(?:ly)?\s+(?:\w+\s+)?(?:divi|split|assign|partition|sampl|select|chos|subset|draw)",
    )),
    re.IGNORECASE,
)  # fmt: skip
#: ... about items that are parts of images.
PIXELS = words("segmentations? pixels? voxels? pixel-?wise pixel-level delineat\\w+")

#: Sentences about what is to be done, or might be.
TO_COME = words("future will would might could should")
#: ... about the work of others.
OTHERS = re.compile(
    r"\bet al\b|\[\d+(?:[,–-]\s*\d+)*\]|\bprevious(?:ly)?\b|\bearlier (?:work|stud)|\breported by\b|"
    r"\bliterature\b",
    re.IGNORECASE,
)
#: ... about more than two classes, about two, and about figures that are means over runs.
SEVERAL = re.compile(
    r"\bmulti-?\s?(?:class|label)|\b(?:three|four|five|six|seven|eight|nine|ten|[3-9]|[1-9]\d+)[- ]"
    r"(?:class\b|classes\b|category|categories|way\b|types? of)|\b(?:macro|weighted|micro)[- ]?averag|"
    r"\bone[- ](?:vs|versus)[- ](?:rest|all)\b|\bobject detection\b|\bmean average precision\b|\bbounding box",
    re.IGNORECASE,
)
BINARY = words(r"binary two[-_]class two_classes positive_class dichotom\w+")
RUNS = re.compile(
    r"\b(?:averag\w+|means?)\s+(?:\w+\s+){0,4}?(?:over|across|of|from)\s+(?:\w+\s+){0,3}?"
    + listed("runs seeds trials repetitions experiments initiali[sz]ations splits executions times")
    + r"\b|\bbootstrap\w*|\b(?:repeated|run)\s+(?:\w+\s+){0,2}times\b",
    re.IGNORECASE,
)
#: ... about items that were cut into pieces.
PIECES = re.compile(
    r"\b(?:divided|segmented|cut|cropped|extracted|sliced|tiled|partitioned)\b.{0,60}\b"
    + listed("segments patches windows slices tiles epochs frames crops regions"),
    re.IGNORECASE,
)
#: ... about folds that choose a model rather than evaluate it.
TUNING = re.compile(
    r"\bnested|\binner\b|hyper-?\s?param\w+|\btun(?:e|ed|ing)\b|grid search|model selection|early stopping|"
    r"feature selection|\boptimi[sz]\w+|\bselected?\b|on the training",
    re.IGNORECASE,
)
GROUPED = re.compile(
    r"leave[- ]one[- ]\w+[- ]out|\b(?:patient|subject|group|site)[- ](?:wise|level|independent)|grouped",
    re.IGNORECASE,
)
CROSS = re.compile(r"\bcross[- ]?validat\w+|\bCV\b|\bleave[- ]one", re.IGNORECASE)
LEAVE_ONE = re.compile(r"\bleave[- ]one[- ]out\b|\bLOO(?:CV)?\b|\bjack-?knife\b", re.IGNORECASE)

POOLED = re.compile(
    r"\bpooled\b|\bpooling (?:the )?predictions|\bsumm(?:ed|ing) (?:over|the confusion|up)|"
    r"aggregated (?:confusion|predictions)",
    re.IGNORECASE,
)
AVERAGED = re.compile(
    r"\baverag(?:ed?|es|ing)\s+(?:\w+\s+){0,3}?(?:over|across|of)\s+(?:the\s+|all\s+)?(?:\w+\s+)?"
    r"(?:folds|repet|runs|splits|test folds|repeats)|\bmean\s*(?:±|\+/-|\(?SD|and standard deviation)|"
    r"\bmeans?\s+(?:of\s+(?:\w+\s+){1,3})?(?:over|across|of)\s+(?:the\s+|all\s+)?(?:\w+\s+)?(?:folds|runs|repeats)",
    re.IGNORECASE,
)

#: Rows about some of the items only.
SUBGROUP = re.compile(
    words(r"""
    sub-?groups? males? females? men women age aged years? stages? grades? cent(?:er|re)s? sites?
    hospitals? scanners? internal external cohort ethnic\w* white black asian mild moderate severe early
    late left right small large class(?:es)? train\w* validation test\w*
    per[-_](?:lesion|patient|image|eye|vessel|segment)""").pattern
    + r"|[<>≥≤]\s*\d",
    re.IGNORECASE,
)  # fmt: skip
