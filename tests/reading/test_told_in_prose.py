"""True figures told in prose, among numbers that are not theirs, are never called inconsistent."""

from __future__ import annotations

from math import sqrt
from random import Random
from types import SimpleNamespace

import pytest

import scoreproof
from scoreproof.reading.pasting import read_text

#: The class counts are told, and read.  t: shares and counts, pc: shares in percent without the sign.
WITH_COUNTS = """
Among {t.p} cases and {t.n} controls, the model achieved an accuracy of {pc.acc:.1f}, with PPV {pc.ppv:.1f}
and NPV {pc.npv:.1f} (all %).

Our network reached {t.acc:.2%} accuracy, {t.sens:.2%} recall, {t.ppv:.2%} precision and an F1-score of
{t.f1:.3f} on the held-out test set ({t.p} malignant, {t.n} benign).

Test set: {t.n} normals and {t.p} abnormals. ; Se = {t.sens:.2f}; Sp = {t.spec:.2f}; PPV = {t.ppv:.2f}; NPV
= {t.npv:.2f}; Youden's J = {t.youden:.2f}

The classifier correctly identified {t.tp} of {t.p} positives and {t.tn} of {t.n} negatives, i.e.
sensitivity {t.sens:.3f}, specificity {t.spec:.3f}, balanced accuracy {t.bacc:.3f}.

TP={t.tp}, FN={t.fn}, TN={t.tn}, FP={t.fp}; accuracy {pc.acc:.1f} %; false positive rate {pc.fpr:.1f} %;
false negative rate {pc.miss:.1f} %.

Sensitivity, specificity, PPV, NPV and accuracy were {t.sens:.1%}, {t.spec:.1%}, {t.ppv:.1%}, {t.npv:.1%},
and {t.acc:.1%}, respectively, in {t.every} lesions ({t.p} melanomas, {t.n} nevi).

In the test cohort (n = {t.every}; {t.p} events), the model had an accuracy of {t.acc:.3f} (sens
{t.sens:.3f}/spec {t.spec:.3f}).

Sensitivity {pc.sens:.1f} [{t.tp} of {t.p}], specificity {pc.spec:.1f} [{t.tn} of {t.n}], diagnostic
accuracy {pc.acc:.1f} [{t.right} of {t.every}]

Precision = {t.ppv:.2%}, Recall = {t.sens:.2%}, F-score = {t.f1:.2%}. The dataset has {t.every} samples:
{t.n} negative ({t.rest:.1%}) and {t.p} positive ({t.prev:.1%}).

The prevalence of disease was {t.prev:.1%} ({t.p}/{t.every}). Sensitivity {t.sens:.1%}, specificity
{t.spec:.1%}, accuracy {t.acc:.1%}.

At a threshold of 12 ng/mL the sensitivity, specificity, PPV and NPV were {t.sens:.0%}, {t.spec:.0%},
{t.ppv:.0%} and {t.npv:.0%} (P = {t.p}, N = {t.n}).

ResNet-50 with 50 layers trained for 100 epochs reached an accuracy of {t.acc:.4f}, precision of
{t.ppv:.4f}, recall of {t.sens:.4f} and F1 of {t.f1:.4f} on the test set of {t.p} positive and {t.n}
negative samples.

Sensitivity: {t.tp}/{t.p} ({t.sens:.0%}); specificity: {t.tn}/{t.n} ({t.spec:.0%}); PPV: {t.tp}/{t.called}
({t.ppv:.0%}); accuracy: {t.right}/{t.every} ({t.acc:.0%})

The sensitivity was {t.tp} of {t.p} ({pc.sens:.1f} %), the specificity {t.tn} out of {t.n} ({pc.spec:.1f}
%), the balanced accuracy {pc.bacc:.1f} %

Using the data with {t.n} benign ({t.rest:.1%}) and {t.p} malignant ({t.prev:.1%}) tumours, the SVM's
accuracy is {t.acc:.2%} with {t.fn} false negatives and {t.fp} false positives.

Among the {t.every} test samples, {t.tp} were true positives, {t.fp} false positives, {t.fn} false
negatives, and {t.tn} true negatives, hence accuracy is {t.acc:.3f} and F1 {t.f1:.3f}

Our detector has a detection rate of {t.sens:.2%} at a false alarm rate of {t.fpr:.2%}. There are {t.p}
attacks and {t.n} normal connections in the test set. F1 = {t.f1:.4f}

error rate {t.err:.2%}, miss rate {t.miss:.2%}, fall-out {t.fpr:.2%}, with {t.p} spam and {t.n} ham messages

acc {t.acc:.3f}, TPR {t.sens:.3f}, TNR {t.spec:.3f}; #pos={t.p}, #neg={t.n}

{t.tp} of {t.p} true cases were found; {t.fp} of {t.n} healthy controls tested positive. Sensitivity
{t.sens:.3f}, specificity {t.spec:.3f}

Of the {t.n} healthy controls, {t.fp} tested positive; of the {t.p} patients, {t.tp} tested positive.
Sensitivity {t.sens:.1%}, specificity {t.spec:.1%}.

{t.tp} of the {t.p} patients tested positive. Of {t.n} healthy controls, {t.fp} tested positive. Sensitivity
{t.sens:.1%}, specificity {t.spec:.1%}.

{t.tp} of {t.p} cancers were detected and {t.fp} of {t.n} controls were falsely flagged, giving a sensitivity
of {t.sens:.1%} and a specificity of {t.spec:.1%}.

D+ = {t.p}, D- = {t.n}; overall agreement {t.acc:.3f}, PPA {t.sens:.3f}, NPA {t.spec:.3f}
"""
#: The class counts are not told, or in words that may mean something else.
WITHOUT = """
Of {t.every} scans, {t.tp} were true positive, {t.fp} false positive, {t.tn} true negative and {t.fn} false
negative. Accuracy: {t.acc:.1%}.

The SVM (C = 10, gamma = 0.01) reached an accuracy of {t.acc:.2%} (sensitivity {t.sens:.2%}; specificity
{t.spec:.2%}) on {t.every} ECG records, {t.p} of them abnormal.

{t.p} women with breast cancer and {t.n} women without breast cancer were examined. MRI had {t.sens:.0%}
sensitivity and {t.spec:.0%} specificity.

Model performance: accuracy {t.acc:.3f}; precision {t.ppv:.3f}; recall {t.sens:.3f}; F1 {t.f1:.3f};
(n={t.every}, prevalence {t.prev:.1%})

Using 70% of the {t.every} samples for training, test accuracy was {t.acc:.3f}.

We report MCC = {t.mcc:.3f}, F1 = {t.f1:.3f} and accuracy = {t.acc:.3f} for {t.p} cases vs. {t.n} controls

The detector flagged {t.called} of {t.every} messages, of which {t.tp} were spam; {t.p} messages were spam
in total. Precision {t.ppv:.3f}, recall {t.sens:.3f}.

Among {t.p} COVID-19 positive and {t.n} COVID-19 negative individuals the antigen test showed a positive
percent agreement of {t.sens:.1%} and a negative percent agreement of {t.spec:.1%}.

Sensitivity was {t.sens:.3f} ({t.tp}/{t.p}), specificity was {t.spec:.3f} ({t.tn}/{t.n}), PPV was
{t.ppv:.3f} and NPV was {t.npv:.3f}.

False negatives: {t.fn}; false positives: {t.fp}; N positives: {t.p}; N negatives: {t.n}; balanced accuracy
{t.bacc:.3f}

Our CNN misclassified {t.fn} of the {t.p} malignant and {t.fp} of the {t.n} benign lesions (accuracy
{t.acc:.1%}).

In the independent test cohort of {t.every} patients ({t.p} responders and {t.n} non-responders) accuracy
was {t.acc:.2f}, and kappa {t.kappa:.2f}.

The {t.n} healthy subjects and {t.p} patients were classified with accuracy {pc.acc:.2f}%, sensitivity
{pc.sens:.2f}% and specificity {pc.spec:.2f}% (p < 0.001).

Dataset: 2 classes, {t.p} positive, {t.n} negative. Results: acc {t.acc:.4f} f1 {t.f1:.4f} mcc {t.mcc:.4f}

Positive: {t.p}. Negative: {t.n}. TPR: {t.sens:.3f}. TNR: {t.spec:.3f}. PPV: {t.ppv:.3f}.

{t.fn} of {t.p} fractures were missed, and {t.fp} of {t.n} normal radiographs were read as fractured;
sensitivity {t.sens:.1%}, specificity {t.spec:.1%}

Readers detected {t.tp} out of {t.p} nodules; there were {t.fp} false positives among {t.n} negative
patches. Sensitivity {t.sens:.3f}, specificity {t.spec:.3f}

The final dataset comprised {t.every} instances, with {t.p} ({pc.prev:.1f}%) belonging to the positive
class. Accuracy, sensitivity and specificity were {t.acc:.3f}, {t.sens:.3f} and {t.spec:.3f}.

After excluding 12 patients, {t.every} remained ({t.p} with stroke). Sensitivity {t.sens:.2f}, specificity
{t.spec:.2f}.

Test positive: {t.called}; disease positive: {t.p}; total {t.every}. Sens {t.sens:.2f}, PPV {t.ppv:.2f}

Two radiologists read {t.every} CT scans, {t.p} with and {t.n} without pulmonary embolism. Sensitivity and
specificity were {t.sens:.1%} and {t.spec:.1%}.

{t.p} of {t.every} (that is, {t.prev:.0%}) biopsies were positive. Sensitivity {t.sens:.2f} Specificity
{t.spec:.2f}

Sensitivity {t.sens:.2f} in {t.p} diseased, specificity {t.spec:.2f} in {t.n} non-diseased eyes of 45 people

For the hold-out set (30%; n = {t.every}; {t.p} deaths), accuracy {t.acc:.3f}, sensitivity {t.sens:.3f}.

The test was positive in {t.tp} of {t.p} patients with and in {t.fp} of {t.n} patients without sepsis, so
sensitivity was {t.sens:.1%} and specificity {t.spec:.1%}.

Of the {t.p} patients with cancer, {t.tp} had a positive test; of the {t.n} patients without cancer, {t.tn}
had a negative test: sensitivity {t.sens:.1%}; specificity {t.spec:.1%}.

Of {t.called} patients with a positive test, {t.tp} had cancer (PPV {t.ppv:.1%}); {t.p} of {t.every}
patients had cancer overall.

With 10 features and 5 hidden layers: accuracy {t.acc:.3f}, sensitivity {t.sens:.3f}; {t.p} seizure and
{t.n} non-seizure segments of 24 patients

In {t.every} consecutive patients (mean age 54 years, 120 men), {t.p} ({t.prev:.1%}) had appendicitis.
Ultrasound had sensitivity {t.sens:.1%} and specificity {t.spec:.1%}.

Results (n={t.every}; {t.p}+/{t.n}-): Se {pc.sens:.1f}, Sp {pc.spec:.1f}, accuracy {pc.acc:.1f}

Table 2 shows that of {t.every} test images {t.right} were classified correctly (accuracy {t.acc:.2%});
sensitivity {t.sens:.2%} for {t.p} melanoma images.

The classifier was tested on {t.p} fraudulent and {t.n} legitimate transactions: F1 {t.f1:.3f}, MCC
{t.mcc:.3f}, precision {t.ppv:.3f}, recall {t.sens:.3f}

Of {t.every} women, {t.p} had preterm birth. The model identified {t.tp} of them (sensitivity {t.sens:.1%})
with {t.fp} false alarms (specificity {t.spec:.1%}).

Sensitivity: {t.tp}/{t.p} = {t.sens:.1%}; Specificity: {t.tn}/{t.n} = {t.spec:.1%}; Accuracy =
{t.right}/{t.every} = {t.acc:.1%}

External validation comprised 3 hospitals, {t.every} admissions and {t.p} deaths; at the threshold 0.5
sensitivity was {t.sens:.2f} and specificity {t.spec:.2f}.

100 trees, depth 5. Class sizes: {t.p} (positive), {t.n} (negative). Accuracy {t.acc:.4f} Recall
{t.sens:.4f}

We evaluated 3 models on {t.p} sick and {t.n} healthy cows; the best one had accuracy {t.acc:.3f} and
balanced accuracy {t.bacc:.3f}.

{t.p} out of {t.every} samples were PCR-positive. LAMP showed {t.sens:.1%} sensitivity and {t.spec:.1%}
specificity compared with PCR.

Ten-fold cross validation on the {t.p} diabetic and {t.n} non-diabetic records (pooled over the folds) gave
accuracy {t.acc:.4f}, sensitivity {t.sens:.4f}.

A random forest gave kappa = {t.kappa:.3f} and accuracy = {t.acc:.3f} on the {t.every} test items, {t.p} of
which belonged to class 1 and {t.n} to class 0

Class 1: {t.p}, class 0: {t.n}. accuracy={t.acc:.3f}; precision={t.ppv:.3f}; recall={t.sens:.3f}

Label distribution 0: {t.n} 1: {t.p} ; acc {t.acc:.3f} ; tpr {t.sens:.3f}

y=1 {t.p} samples, y=0 {t.n} samples, accuracy {t.acc:.3f}, recall {t.sens:.3f}

{t.n} controls, {t.p} cases. Youden index {t.youden:.3f}, sensitivity {t.sens:.3f}.

In all, {t.called} tests were positive and {t.p} patients truly diseased, of {t.every}; sensitivity
{t.sens:.2f}, specificity {t.spec:.2f}

The false positive rate was {t.fpr:.3f} and the miss rate {t.miss:.3f} ({t.n} normal, {t.p} attack
connections).

Confusion matrix [[{t.tn} {t.fp}] [{t.fn} {t.tp}]]; accuracy {t.acc:.4f}, precision {t.ppv:.4f}, recall
{t.sens:.4f}

Confusion matrix: [[{t.tp}, {t.fn}], [{t.fp}, {t.tn}]]. Accuracy {t.acc:.2%}, sensitivity {t.sens:.2%}.

The {t.p} malignant and {t.n} benign images were split 80/20 for training and testing. Accuracy {t.acc:.4f},
sensitivity {t.sens:.4f}, specificity {t.spec:.4f}.

Of all images ({t.p} malignant, {t.n} benign) 20 % were held out for testing. Accuracy {t.acc:.3f}, F1
{t.f1:.3f}.

Accuracy {t.acc:.3f} and sensitivity {t.sens:.3f}, averaged over 5 runs on {t.p} positives and {t.n} negatives.

We enrolled {t.every} patients, of whom {t.p} ({t.prev:.1%}) had cancer. The index test had a sensitivity of
{t.sens:.1%} ({t.tp}/{t.p}) and a specificity of {t.spec:.1%} ({t.tn}/{t.n}).

We trained on 1,200 images (600 malignant, 600 benign) and tested on {t.every} images ({t.p} malignant,
{t.n} benign). Test accuracy was {t.acc:.1%}, sensitivity {t.sens:.1%}, specificity {t.spec:.1%}.

Between 2012 and 2018, 2,345 patients were screened at 3 hospitals; {t.p} of the remaining {t.every} had
sepsis. At a cutoff of 0.35, sensitivity was {t.sens:.2f}, specificity {t.spec:.2f}, PPV {t.ppv:.2f} and NPV
{t.npv:.2f}.

Sensitivity {t.sens:.1%} and specificity {t.spec:.1%} for {t.p} cases versus {t.n} controls. Compared with
Smith et al. (sensitivity 70.1%, specificity 80.2%), this is better.

Table 3. Results (%): Acc {pc.acc:.1f}, Sen {pc.sens:.1f}, Spe {pc.spec:.1f}, F1 {pc.f1:.1f}, MCC
{pc.mcc:.1f}; {t.p} pos., {t.n} neg.

Kappa = {t.kappa:.2f}, overall accuracy = {t.acc:.0%}, producer's accuracy = {t.sens:.0%}, user's accuracy =
{t.ppv:.0%} (class A: {t.p} points; class B: {t.n} points)

Accuracy {t.acc:.1%}; sensitivity {t.sens:.1%}; specificity {t.spec:.1%}. Cohort: {t.every} patients, mean
age 54.3 ± 12.1 years, {t.half} female, {t.p} with stroke.

The test was positive in {t.called} of {t.every} participants; {t.tp} of them had the disease (PPV
{t.ppv:.1%}). Of {t.passed} with a negative test, {t.tn} did not have it (NPV {t.npv:.1%}). Sensitivity
{t.sens:.1%}, specificity {t.spec:.1%}.

Internal validation in {t.every} patients ({t.p} events): sensitivity {t.sens:.1%}, specificity
{t.spec:.1%}. External validation in 812 patients (91 events): sensitivity 66.1%, specificity 77.1%.

Model A: TP {t.tp}, FN {t.fn}, accuracy {t.acc:.1%}. Model B: TP {t.p}, FN 0, accuracy {t.better:.1%}. There
were {t.p} positives and {t.n} negatives.

samples: {t.every}, accuracy: {t.acc:.3f}, recall: {t.sens:.3f}, F1: {t.f1:.3f}
"""


def drawn(rng: Random) -> SimpleNamespace:
    """A matrix and its scores."""
    p, n = rng.randint(20, 300), rng.randint(20, 500)
    tp, tn = rng.randint(int(0.6 * p), p - 1), rng.randint(int(0.6 * n), n - 1)
    fp, fn = n - tn, p - tp
    both = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    counts = {"p": p, "n": n, "tp": tp, "tn": tn, "fp": fp, "fn": fn, "every": p + n}
    counts |= {"right": tp + tn, "called": tp + fp, "passed": tn + fn, "half": n // 2}
    shares = {
        "acc": (tp + tn) / (p + n),
        "err": (fp + fn) / (p + n),
        "sens": tp / p,
        "miss": fn / p,
        "spec": tn / n,
        "fpr": fp / n,
        "ppv": tp / (tp + fp),
        "npv": tn / (tn + fn),
        "f1": 2 * tp / (2 * tp + fp + fn),
        "bacc": (tp / p + tn / n) / 2,
        "youden": tp / p + tn / n - 1,
        "mcc": (tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
        "kappa": 2 * (tp * tn - fn * fp) / both,
        "prev": p / (p + n),
        "rest": n / (p + n),
        "better": (p + tn) / (p + n),
    }
    percent = SimpleNamespace(**{name: 100 * value for name, value in shares.items()})
    return SimpleNamespace(**counts, **shares, percent=percent)


def told(style: str, matrix: SimpleNamespace) -> str:
    return " ".join(style.split()).format(t=matrix, pc=matrix.percent)


@pytest.mark.parametrize("style", WITH_COUNTS.strip().split("\n\n"), ids=lambda style: style[:30])
def test_counts_told_in_prose_are_read(style: str) -> None:
    rng = Random(style)
    for _ in range(8):
        matrix = drawn(rng)
        [claim] = read_text(told(style, matrix)).loaded()
        verdict = scoreproof.check(claim)
        assert verdict.status == "consistent", told(style, matrix)
        assert f"with {matrix.p} positives and {matrix.n} negatives" in verdict.sentence


@pytest.mark.parametrize("style", WITHOUT.strip().split("\n\n"), ids=lambda style: style[:30])
def test_true_figures_in_prose_are_never_inconsistent(style: str) -> None:
    rng = Random(style)
    for _ in range(4):
        text = told(style, drawn(rng))
        assert "inconsistent" not in {scoreproof.check(each).status for each in read_text(text).loaded()}, text


#: The counts are told among numbers that may be taken for them.
CROWDED = """
The detector flagged {t.called} of {t.every} messages, of which {t.tp} were spam; {t.p} messages were spam in
total. Precision {t.ppv:.3f}, recall {t.sens:.3f}.

Readers detected {t.tp} out of {t.p} nodules; there were {t.fp} false positives among {t.n} negative patches.
Sensitivity {t.sens:.3f}, specificity {t.spec:.3f}

After excluding 12 patients, {t.every} remained ({t.p} with stroke). Sensitivity {t.sens:.2f}, specificity
{t.spec:.2f}.

Of the {t.p} patients with cancer, {t.tp} had a positive test; of the {t.n} patients without cancer, {t.tn} had
a negative test: sensitivity {t.sens:.1%}; specificity {t.spec:.1%}.

We saw 512 patients at two hospitals; of 700 lesions {t.every} were biopsied, {t.p} malignant. Sensitivity
{t.sens:.1%}, specificity {t.spec:.1%}.
"""


@pytest.mark.parametrize("style", CROWDED.strip().split("\n\n"), ids=lambda style: style[:30])
def test_a_number_that_was_taken_for_a_count_by_mistake_makes_no_clash(style: str) -> None:
    rng = Random(style)
    for _ in range(8):
        text = told(style, drawn(rng))
        for claim in read_text(text).loaded():
            verdict = scoreproof.check(claim)
            assert verdict.status == "consistent", text
            assert scoreproof.verify(verdict)


def test_other_counts_are_tried_only_where_those_read_do_not_fit_and_nothing_is_strict() -> None:
    claim = {
        "experiment": {"p": 12, "n": 329, "otherwise": [{"p": 63, "n": 266}, {"p": 329, "n": 12}]},
        "scores": {"sens": "0.97", "spec": "0.72"},
    }
    verdict = scoreproof.check(claim)
    assert verdict.takes == {"counts meant": "p = 63 and n = 266"}
    assert verdict.sentence.startswith("Consistent with the text only if the counts are p = 63 and n = 266")
    assert scoreproof.check({**claim, "scores": {"sens": "0.92"}}).takes == {}
    assert scoreproof.check({**claim, "scores": {"sens": "0.993"}}).status == "inconsistent"
    assert scoreproof.check({**claim, "conventions": {"strict": True}}).status == "inconsistent"


def test_no_other_counts_are_tried_where_every_number_was_read() -> None:
    text = "ResNet-50, 100 epochs: sensitivity 0.971, specificity 0.72; 61 positives, 262 negatives (p < 0.05)"
    [claim] = read_text(text).loaded()
    assert claim.otherwise == ()
    assert scoreproof.check(claim).status == "inconsistent"


def test_counts_that_add_up_to_all_items_are_no_mistake() -> None:
    text = "300 records (38 preterm, 262 term) of 289 women: sensitivity 0.9139, specificity 0.9733"
    [claim] = read_text(text).loaded()
    assert claim.otherwise == () and scoreproof.check(claim).status == "inconsistent"
