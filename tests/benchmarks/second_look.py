"""Derive the calibration of the second look, and show how well its estimates hold.

    python -m tests.benchmarks.second_look DATA_FOLDER --work FOLDER [--write]

Runs the default chain on development gold, whole and with detectors crippled on purpose, and keeps what the second
look suspected (in ``--work``; a file that is there is not run again). Fits the probabilities to the files that
``models/training/sources.yaml`` allows for thresholds; the others measure only. Every figure of a maker comes from a
fit to the other makers. ``--write`` writes ``transforms/auditing/calibration.json``; without it the figures alone are
printed, as Markdown.
"""

import argparse
import gzip
import itertools
import json
import pickle
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import lgamma
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.independent.detector import IndependentDetector
from tacenda.models.independent.tagger import LinearTagger
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.training.independent import maker_of, trained
from tacenda.models.training.sources import sources
from tacenda.pipelines.chain.build import build_chain
from tacenda.pipelines.chain.chain import Traces
from tacenda.pipelines.chain.detectors import GAZETTEER, MODEL, RULES
from tacenda.pipelines.config.job_settings import ChainSettings, RiskSettings
from tacenda.transforms.auditing.calibration import LEAST, Calibration
from tacenda.transforms.auditing.gold import gold_residuals
from tacenda.transforms.auditing.suspects import TRAITS, Suspect
from tacenda.transforms.auditing.two_looks import counted_looks, replaced_entities, seen_alone
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.evaluating.gold_labels import gold_labels
from tacenda.transforms.schema.conversation import AnnotatedSpan, ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.residual import KINDS_SEEN, Dependence, Meaning, Residual
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.scoring.conversation_risk import score_conversation
from tacenda.transforms.scoring.dual_system import Looks, odds_ratio
from tacenda.transforms.scoring.expected import MILLION, Expected, expected_risk
from tacenda.transforms.scoring.lone_names import is_lone_name
from tacenda.transforms.scoring.predicted import Spread, interval, missed_at_most
from tacenda.transforms.scoring.score_table import ScoreTable, Weight

Floats = npt.NDArray[np.float64]

TARGET = Path(__file__).parents[2] / "transforms" / "auditing" / "calibration.json"
VARIANTS: Mapping[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "whole": ((RULES, GAZETTEER, MODEL), {}),
    "lists off": ((RULES, MODEL), {}),
    "thresholds up": ((RULES, GAZETTEER, MODEL), {"minLikelihood": "VERY_LIKELY"}),
}
FIGURES = ("mean", "share", "direct")
TABLE = ScoreTable.load()
THRESHOLD = 5
_FOLDS = 3
_LEAST_LEFT = 20
_CHARACTERS, _CONVERSATIONS, _AT_ONCE = 150_000, 2_500, 200
_RIDGE = 1.0
_RESAMPLES, _SIZE, _CONFIDENCE = 40, 200, 0.95
_SIDES = 2 * NormalDist().inv_cdf(0.975)
_WIDER = (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.1, 1.2, 1.3, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 4.0, 6.0)


class Seen(NamedTuple):
    """A suspect, the numbers of the gold residuals that it touches, and whether any gold span is there."""

    suspect: Suspect
    right: tuple[int, ...]
    annotated: bool


class Conversation(NamedTuple):
    """What is left of one conversation by its gold, and what the second look saw and scored.

    ``replaced`` has the kind of each replaced entity, whether the independent detector saw it, and whether it is
    personal data.
    """

    gold: list[Residual]
    seen: list[Seen]
    entities: int
    self_score: int
    self_direct: bool
    replaced: list[tuple[int, bool, bool]]


@dataclass
class Corpus:
    """A file: its maker, the classes that it annotates and those it annotates completely."""

    name: str
    languages: set[str]
    annotated: set[str]
    complete: set[str]
    variants: dict[str, list[Conversation]] = field(default_factory=dict)

    @property
    def maker(self) -> str:
        return maker_of(self.name)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    allowed = sources()
    taggers = taggers_without(chosen.data, chosen.work)
    corpora, ours = [], set()
    for path in sorted(chosen.data.glob("*.dev.jsonl.gz")):
        corpus = collected(path, chosen.work, taggers[_fold_of(maker_of(path.name))])
        if corpus.variants:
            corpora.append(corpus)
            if "thresholds" in allowed[path.name].uses:
                ours.add(corpus.name)
    mine = [corpus for corpus in corpora if corpus.name in ours]
    makers = sorted({corpus.maker for corpus in corpora})
    fits = {maker: fitted([c for c in mine if c.maker != maker]) for maker in makers}
    told = {
        (corpus.name, variant): [
            (expected_of(one, corpus.annotated, fits[corpus.maker]), *scored(one))
            for one in corpus.variants[variant]
        ]
        for corpus in corpora
        for variant in VARIANTS
    }
    known = {
        corpus.name: {
            kind: of for kind, of in fits[corpus.maker].dependence.items() if kind in corpus.annotated
        }
        for corpus in corpora
    }
    observed = {
        (corpus.name, variant): totals(told[corpus.name, variant], known[corpus.name])
        for corpus in corpora
        for variant in VARIANTS
    }
    samples = {key: resampled(several, known[key[0]]) for key, several in told.items()}
    wider = widened(mine, observed, samples)
    spreads = {maker: spread_of(mine, observed, maker, wider) for maker in makers}
    reliability(mine, fits)
    study(corpora, ours, observed, samples, spreads)
    looks(mine)
    proxies(corpora, fits)
    if chosen.write:
        final = fitted(mine)
        final = replace(final, spread=spread_of(mine, observed, None, wider))
        TARGET.write_text(json.dumps(to_json(final, mine), indent=1, ensure_ascii=False) + "\n", "utf-8")


# Collecting.


def taggers_without(data: Path, work: Path) -> list[LinearTagger]:
    """Independent detectors, each trained without a third of the makers (``_fold_of``)."""
    makers = {maker_of(path.name) for path in data.glob("*.train.jsonl.gz")}
    taggers = []
    for fold in range(_FOLDS):
        kept = work / f"without-{fold}.npz"
        if not kept.is_file():
            left_out = {maker for maker in makers if _fold_of(maker) == fold}
            kept.write_bytes(trained(data, left_out).to_bytes())
        taggers.append(LinearTagger.from_bytes(kept.read_bytes()))
    return taggers


def _fold_of(maker: str) -> int:
    return zlib.crc32(maker.encode()) % _FOLDS


def collected(path: Path, work: Path, tagger: LinearTagger) -> Corpus:
    """What all variants of the chain leave in a file, and suspect there; ``tagger`` did not learn from its maker."""
    name = path.name.split(".")[0]
    kept = work / f"{name}.pkl"
    if kept.is_file():
        corpus: Corpus = pickle.loads(kept.read_bytes())
        return corpus
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        covered = set(package_of(None).languages)
        records = [record for record in map(json.loads, lines) if record["lang"] in covered]
    labels = gold_labels()
    spans = [span for record in records for turn in record["turns"] for span in turn["spans"]]
    core = [span["label"] for span in spans if labels.kind(span["label"]) == "core"]
    complete = {label for record in records for label in record.get("complete_for") or ()}
    corpus = Corpus(
        name,
        {record["lang"] for record in records},
        {labels.class_of(label) for label in core},
        {labels.class_of(label) for label in complete if labels.kind(label) == "core"},
    )
    drawn = list(_drawn(records))
    if corpus.annotated and drawn:
        for variant, (names, config) in VARIANTS.items():
            package = package_of(None)
            model = ModelSettings(None, package.fingerprint, package.decision, skipping=package.filtered)
            models = (model,) if MODEL in names else ()
            inspect = parse_inspect_config(config)
            chain: Any = build_chain(
                ChainSettings("anonymize", names, inspect, RiskSettings(), "", models=models)
            )
            chain._scoring = replace(chain._scoring, independent=IndependentDetector(tagger))
            corpus.variants[variant] = [
                one
                for first in range(0, len(drawn), _AT_ONCE)
                for one in _conversations(chain, drawn[first : first + _AT_ONCE])
            ]
    kept.write_bytes(pickle.dumps(corpus))
    print(f"collected: {name}", flush=True)
    return corpus


def _drawn(records: list[Any]) -> Iterator[Any]:
    characters = 0
    for number, record in enumerate(sorted(records, key=lambda one: zlib.crc32(str(one["id"]).encode()))):
        if characters > _CHARACTERS or number >= _CONVERSATIONS:
            return
        characters += sum(len(turn["text"]) for turn in record["turns"])
        yield record


def _conversations(chain: Any, records: Sequence[Any]) -> Iterator[Conversation]:
    batch = ConversationBatch.of_turns(
        [[(turn.get("speaker"), turn["text"]) for turn in record["turns"]] for record in records]
    )
    traces = Traces()
    outcome = chain.run(batch, (), traces)
    assert not outcome.rejections
    labels = gold_labels()
    for i, record in enumerate(records):
        own = slice(batch.first_cell[i], batch.first_cell[i + 1])
        all_spans = [turn["spans"] for turn in record["turns"]]
        core = [
            sorted(
                AnnotatedSpan(s["start"], s["end"], s["label"])
                for s in cell
                if labels.kind(s["label"]) == "core"
            )
            for cell in all_spans
        ]
        gold = gold_residuals(batch.texts[own], core, outcome.findings[own], TABLE.of_speakers)
        seen = []
        for suspect in traces.suspects.get(i, ()):
            cell, start, end = suspect.residual.place or (0, 0, 0)
            at = _before(outcome.findings[own][cell], outcome.texts[own][cell], start, end)
            right = tuple(
                k
                for k, one in enumerate(gold)
                if one.place and one.place[0] == cell and _meet(at, one.place[1:])
            )
            annotated = any(_meet(at, (span["start"], span["end"])) for span in all_spans[cell])
            seen.append(Seen(suspect, right, annotated))
        risk = outcome.risks[i]
        entities = {entity for cell in outcome.entities[own] for entity in cell}
        right_ones = {
            entity
            for cell, numbers, spans in zip(
                outcome.findings[own], outcome.entities[own], all_spans, strict=True
            )
            for finding, entity in zip(cell, numbers, strict=True)
            if any(_meet((finding.start, finding.end), (span["start"], span["end"])) for span in spans)
        }
        apart = traces.apart.get(i) or [[] for _ in all_spans]
        looked = replaced_entities(outcome.findings[own], outcome.entities[own], apart)
        replaced = [(kind, by_other, entity in right_ones) for entity, (kind, by_other) in looked.items()]
        yield Conversation(gold, seen, len(entities), risk.score, risk.direct_identifier, replaced)


def _before(replaced: Sequence[Finding], text: str, start: int, end: int) -> tuple[int, int]:
    """A place of the replaced text in the original."""
    moved = 0
    for finding in replaced:
        if start < finding.start + moved:
            break
        token = TOKEN.match(text, finding.start + moved)
        assert token is not None
        moved = token.end() - finding.end
    return start - moved, end - moved


def _meet(one: tuple[int, int], other: Sequence[int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


# Fitting.


def labelled(corpora: Sequence[Corpus]) -> Iterator[tuple[str, Seen, bool, Conversation]]:
    """The suspects whose truth is known: maker, suspect, whether it is right, and its conversation."""
    labels = gold_labels()
    for corpus in corpora:
        for variant in VARIANTS:
            for one in corpus.variants[variant]:
                for seen in one.seen:
                    if labels.class_of(seen.suspect.residual.label) in corpus.complete and (
                        seen.right or not seen.annotated
                    ):
                        yield corpus.maker, seen, bool(seen.right), one


def fitted(corpora: Sequence[Corpus]) -> Calibration:
    """The calibration by some corpora, without spread."""
    rows = list(labelled(corpora))
    weights = _logistic(
        np.array([seen.suspect.traits for _, seen, _, _ in rows]),
        np.array([right for _, _, right, _ in rows], np.float64),
    )
    kinds: dict[str, Counter[tuple[str, bool, bool]]] = {}
    for _, seen, right, one in rows:
        if right:
            kinds.setdefault(seen.suspect.kind, Counter())[_meaning(one.gold[seen.right[0]])] += 1
    missed: Counter[tuple[str, bool, bool]] = Counter()
    entities = 0
    for corpus in corpora:
        for variant in VARIANTS:
            for one in corpus.variants[variant]:
                touched = {k for seen in one.seen for k in seen.right}
                left = {
                    (residual.label, residual.value): _meaning(residual)
                    for k, residual in enumerate(one.gold)
                    if k not in touched and _points(residual)
                }
                missed.update(left.values())
                entities += one.entities
    return Calibration(
        tuple(weights.tolist()),
        {kind: () if kind == "other" else _shares(counts) for kind, counts in sorted(kinds.items())},
        sum(missed.values()) / max(1, entities),
        _shares(missed),
        (package_of(None).fingerprint,),
        {},
        dependence_of(corpora),
        {},
    )


def dependence_of(corpora: Sequence[Corpus]) -> dict[str, Dependence]:
    """By kind, how often what the two looks saw is right, and their odds ratio over makers."""
    labels = gold_labels()
    found = {}
    for number, kind in enumerate(KINDS_SEEN):
        of_maker: dict[str, list[int]] = {}
        right: Counter[tuple[bool, bool]] = Counter()
        unseen: Counter[tuple[str, bool, bool]] = Counter()
        for corpus in corpora:
            if kind not in corpus.complete:
                continue
            cells = of_maker.setdefault(corpus.maker, [0, 0, 0, 0])
            for one in itertools.chain.from_iterable(corpus.variants.values()):
                for of, seen, is_right in one.replaced:
                    if of == number:
                        right[seen, is_right] += 1
                        cells[0 if seen else 1] += is_right
                alone = {k for s in one.seen if seen_alone(s.suspect) is not None for k in s.right}
                left = {
                    (k in alone, residual.value.casefold()): _meaning(residual)
                    for k, residual in enumerate(one.gold)
                    if labels.class_of(residual.label) == kind
                }
                for (by_other, _), meaning in left.items():
                    cells[2 if by_other else 3] += 1
                    unseen[meaning] += not by_other
        ratios = [
            odds_ratio(Looks(*cells[:3]), cells[3])
            for cells in of_maker.values()
            if cells[2] + cells[3] >= _LEAST_LEFT
        ]
        both, first = (
            right[seen, True] / max(1, right[seen, True] + right[seen, False]) for seen in (True, False)
        )
        if ratios:
            middle, least, most = np.quantile(ratios, (0.5, 0.1, 0.9)).tolist()
            shares = (round(x, 4) for x in (both, first, middle, least, most))
            found[kind] = Dependence(*shares, meanings=_shares(unseen))
    return found


def _logistic(traits: Floats, right: Floats) -> Floats:
    """Coefficients of a logistic regression with a small ridge penalty, by Newton's method."""
    found = np.zeros(traits.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-traits @ found))
        curve = traits.T @ (traits * (chance * (1 - chance))[:, None]) + _RIDGE * np.eye(len(found))
        step = np.linalg.solve(curve, traits.T @ (right - chance) - _RIDGE * found)
        found += step
        if np.abs(step).max() < 1e-8:
            break
    return np.round(found, 4)


def _meaning(residual: Residual) -> tuple[str, bool, bool]:
    partial = residual.partial or (residual.label == "PERSON_NAME" and is_lone_name(residual.value))
    return residual.label, partial, residual.speaker


def _points(residual: Residual) -> int:
    weight = TABLE.weights[residual.label, residual.partial, residual.speaker]
    return weight.score if isinstance(weight, Weight) else 0


def _shares(counts: Counter[tuple[str, bool, bool]]) -> tuple[Meaning, ...]:
    """What is at least one in two hundred."""
    of = sum(counts.values())
    return tuple(
        Meaning(*what, round(count / of, 4)) for what, count in sorted(counts.items()) if 200 * count >= of
    )


# From suspicions to figures.


def expected_of(one: Conversation, annotated: Collection[str] | None, by: Calibration) -> Expected:
    """The expected risk over the classes that a corpus annotates, or over all."""
    labels = gold_labels()

    def there(label: str) -> bool:
        return annotated is None or labels.class_of(label) in annotated

    suspicions = [by.suspicion(seen.suspect) for seen in one.seen]
    left = [
        suspicion._replace(meanings=tuple(m for m in suspicion.meanings if there(m.label)))
        for suspicion in (*suspicions, *by.unseen_in(one.entities))
        if suspicion.probability >= LEAST
        and (
            any(there(m.label) for m in suspicion.meanings)
            or (not suspicion.meanings and there(suspicion.residual.label))
        )
    ]
    replaced = {number: (kind, seen) for number, (kind, seen, _) in enumerate(one.replaced)}
    suspected = [(seen.suspect, by.probability(seen.suspect)) for seen in one.seen]
    return expected_risk(left, TABLE)._replace(looks=counted_looks(replaced, suspected))


def scored(one: Conversation) -> tuple[int, bool]:
    """The score by gold, and whether a direct identifier is readable."""
    risk = score_conversation(one.gold, TABLE)
    return risk.score, risk.direct_identifier


class Sums(NamedTuple):
    """Of one figure: what gold adds up to, what was expected, the expected sum of squares, and that of gold.

    ``count`` is the number of conversations, ``missed`` what both looks miss at most.
    """

    gold: float
    expected: float
    squares: float
    gold_squares: float
    count: int
    missed: float


def totals(
    told: Sequence[tuple[Expected, int, bool]], dependence: Mapping[str, Dependence]
) -> dict[str, Sums]:
    """The sums of each figure over some conversations."""
    points = squares = over = direct = 0.0
    for expected, _, _ in told:
        for score, times in enumerate(expected.distribution):
            points += score * times / MILLION
            squares += score * score * times / MILLION
            over += times / MILLION * (score >= THRESHOLD)
        direct += expected.direct / MILLION
    by_gold = [score for _, score, _ in told]
    squared = sum(score * score for score in by_gold)
    gold_over, gold_direct = sum(score >= THRESHOLD for score in by_gold), sum(one for _, _, one in told)
    looked = [sum(several) for several in zip(*(expected.looks for expected, _, _ in told), strict=True)]
    most = missed_at_most(looked, dependence, TABLE, THRESHOLD)
    return {
        "mean": Sums(sum(by_gold), points, squares, squared, len(told), most.points),
        "share": Sums(gold_over, over, over, gold_over, len(told), most.over),
        "direct": Sums(gold_direct, direct, direct, gold_direct, len(told), most.direct),
    }


def spread_of(
    corpora: Sequence[Corpus],
    observed: Mapping[tuple[str, str], dict[str, Sums]],
    without: str | None,
    wider: Mapping[str, float],
) -> Spread:
    """Factor and shape of each figure, by the greatest likelihood of negative-binomial counts.

    ``wider`` divides the shape of each: few makers tell little of the ends of their distribution.
    """
    used = [corpus for corpus in corpora if corpus.maker != without]
    spread = {}
    for figure in FIGURES:
        factor, shape = _negative_binomial(
            [observed[corpus.name, variant][figure] for corpus in used for variant in VARIANTS]
        )
        spread[figure] = {"factor": round(factor, 4), "shape": round(shape / wider[figure], 4)}
    return spread


def resampled(
    told: Sequence[tuple[Expected, int, bool]], dependence: Mapping[str, Dependence]
) -> list[dict[str, Sums]]:
    """The sums of contexts drawn from a corpus with replacement."""
    draw = np.random.default_rng(18)
    size = min(_SIZE, len(told))
    return [
        totals([told[k] for k in draw.integers(0, len(told), size)], dependence) for _ in range(_RESAMPLES)
    ]


def holds(sums: Sums, of: Mapping[str, float]) -> bool:
    """Whether the interval contains what gold says."""
    _, low, high = interval(sums.expected, sums.squares, of, sums.missed)
    return low <= sums.gold <= high


def widened(
    corpora: Sequence[Corpus],
    observed: Mapping[tuple[str, str], dict[str, Sums]],
    samples: Mapping[tuple[str, str], list[dict[str, Sums]]],
) -> dict[str, float]:
    """The least factors by which shapes are divided so that intervals hold for 95 % of left-out resamples."""
    makers = {corpus.maker for corpus in corpora}
    plain = {
        maker: spread_of(corpora, observed, maker, dict.fromkeys(FIGURES, 1.0)) for maker in sorted(makers)
    }
    found = {}
    for figure in FIGURES:
        for by in _WIDER:
            inside = [
                holds(sums[figure], {**of, "shape": of["shape"] / by})
                for corpus in corpora
                for of in (plain[corpus.maker][figure],)
                for variant in VARIANTS
                for sums in samples[corpus.name, variant]
            ]
            found[figure] = by
            if np.mean(inside) >= _CONFIDENCE:
                break
    return found


def _negative_binomial(sums: Sequence[Sums]) -> tuple[float, float]:
    known = [
        (gold / (squares / expected), expected * expected / squares)
        for gold, expected, squares, *_ in sums
        if expected > 0
    ]
    count, mean = np.array(known).T
    best, found = -np.inf, (1.0, 1.0)
    for shape in np.geomspace(0.2, 40, 54):
        fixed = sum(lgamma(one + shape) - lgamma(shape) - lgamma(one + 1) for one in count)
        for factor in np.geomspace(0.2, 4, 61):
            by = factor * mean + shape
            likelihood = fixed + float(
                np.sum(shape * np.log(shape / by) + count * np.log(factor * mean / by))
            )
            if likelihood > best:
                best, found = likelihood, (float(factor), float(shape))
    return found


# Showing.


def reliability(corpora: Sequence[Corpus], fits: Mapping[str, Calibration]) -> None:
    """Predicted and observed shares of right suspicions, each maker by a fit to the others."""
    chances, truths = [], []
    for maker, seen, right, _ in labelled(corpora):
        chances.append(fits[maker].probability(seen.suspect))
        truths.append(right)
    chance, truth = np.array(chances), np.array(truths, np.float64)
    print("\n| probability | suspicions | mean probability | right |\n|---|---:|---:|---:|")
    error = 0.0
    edges = (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.01)
    for low, high in itertools.pairwise(edges):
        here = (chance >= low) & (chance < high)
        if here.any():
            print(
                f"| {low:g}–{min(high, 1):g} | {here.sum():,} | {chance[here].mean():.3f} | {truth[here].mean():.3f} |"
            )
            error += here.mean() * abs(chance[here].mean() - truth[here].mean())
    print(
        f"\nExpected calibration error {error:.4f} over {len(chance):,} suspicions, {truth.sum():,.0f} right."
    )


def study(
    corpora: Sequence[Corpus],
    ours: set[str],
    observed: Mapping[tuple[str, str], dict[str, Sums]],
    samples: Mapping[tuple[str, str], list[dict[str, Sums]]],
    spreads: Mapping[str, Spread],
) -> None:
    """Figures by corpus and variant, and how often the intervals hold over resamples."""
    print(
        "\n| corpus | detectors | conversations | mean by gold | estimate | 95 % | self-check | direct by gold | "
        "estimate | 95 % | self-check |\n|---|---|---:|---:|---:|---|---:|---:|---:|---|---:|"
    )
    for variant in VARIANTS:
        for corpus in corpora:
            sums, spread, all_of = (
                observed[corpus.name, variant],
                spreads[corpus.maker],
                corpus.variants[variant],
            )
            n = len(all_of)
            mean, direct = (
                [end / n for end in interval(of.expected, of.squares, spread[figure], of.missed)]
                for figure, of in (("mean", sums["mean"]), ("direct", sums["direct"]))
            )
            direct = [min(1, end) for end in direct]
            self_score = sum(one.self_score for one in all_of) / n
            self_direct = sum(one.self_direct for one in all_of) / n
            not_ours = "" if corpus.name in ours else " (not fitted)"
            print(
                f"| {corpus.name}{not_ours} | {variant} | {n:,} | {sums['mean'].gold / n:.2f} | {mean[0]:.2f} | "
                f"{mean[1]:.2f} to {mean[2]:.2f} | {self_score:.2f} | {sums['direct'].gold / n:.1%} | "
                f"{direct[0]:.1%} | {direct[1]:.1%} to {direct[2]:.1%} | {self_direct:.1%} |"
            )
    print(
        "\n| detectors | figure | in the interval | above it | within 20 % | within a factor of 2 | median width | "
        "median width a conversation | width of the scatter alone |\n|---|---|---:|---:|---:|---:|---:|---:|---:|"
    )
    for variant in VARIANTS:
        for figure in FIGURES:
            inside, above, close, near, wide, plain, least = [], [], [], [], [], [], []
            for corpus in corpora:
                of = spreads[corpus.maker][figure]
                for told in samples[corpus.name, variant]:
                    sums = told[figure]
                    middle, low, high = interval(sums.expected, sums.squares, of, sums.missed)
                    inside.append(holds(sums, of))
                    above.append(sums.gold > high)
                    if sums.gold:
                        close.append(abs(sums.gold - middle) <= 0.2 * sums.gold)
                        near.append(middle / 2 <= sums.gold <= 2 * middle)
                        least.append(_SIDES * sums.gold_squares**0.5 / sums.gold)
                    if middle:
                        wide.append((high - low) / middle)
                    plain.append((high - low) / sums.count)
            print(
                f"| {variant} | {figure} | {np.mean(inside):.1%} | {np.mean(above):.1%} | {np.mean(close):.0%} | "
                f"{np.mean(near):.0%} | {np.median(wide):.0%} | {np.median(plain):.3f} | {np.median(least):.0%} |"
            )


def looks(corpora: Sequence[Corpus]) -> None:
    """What is left by gold, by who suspects it, and how far from independent the two looks are."""
    print(
        "\n| detectors | left | suspected by others | by the independent detector alone | by nobody |\n|---|---:|---:|---:|---:|"
    )
    alone = TRAITS.index("independent")
    others = [TRAITS.index(trait) for trait in ("network", "lists", "rules", "echo", "near echo")]
    for variant in VARIANTS:
        left = by_others = by_it = 0
        for one in itertools.chain.from_iterable(corpus.variants[variant] for corpus in corpora):
            known = {k for s in one.seen if any(s.suspect.traits[t] for t in others) for k in s.right}
            its = {k for s in one.seen if s.suspect.traits[alone] for k in s.right}
            left, by_others, by_it = left + len(one.gold), by_others + len(known), by_it + len(its - known)
        print(
            f"| {variant} | {left:,} | {by_others / left:.0%} | {by_it / left:.0%} | "
            f"{(left - by_others - by_it) / left:.0%} |"
        )
    print(
        "\n| kind | right of both | right of the first alone | odds ratio | over makers |\n|---|---:|---:|---:|---|"
    )
    for kind, of in dependence_of(corpora).items():
        print(
            f"| {kind} | {of.right_both:.2f} | {of.right_first:.2f} | {of.middle:.1f} | "
            f"{of.least:.1f} to {of.most:.1f} |"
        )


def proxies(corpora: Sequence[Corpus], fits: Mapping[str, Calibration]) -> None:
    """What is left of the standard error of a mean if a reviewed sample corrects a prediction of all kinds."""
    print("\n| detectors | self-check | expected score |\n|---|---:|---:|")
    for variant in VARIANTS:
        left: tuple[list[float], list[float]] = ([], [])
        for corpus in corpora:
            several = corpus.variants[variant]
            gold = np.array([scored(one)[0] for one in several], np.float64)
            checked = np.array([one.self_score for one in several], np.float64)
            expected = np.array([expected_of(one, None, fits[corpus.maker]).mean for one in several])
            if gold.std() and len(gold) >= _SIZE:
                for shares, proxy in zip(left, (checked, expected), strict=True):
                    shares.append(float((gold - proxy).std() / gold.std()))
        print(f"| {variant} | {np.median(left[0]):.0%} | {np.median(left[1]):.0%} |")


def to_json(final: Calibration, corpora: Sequence[Corpus]) -> dict[str, Any]:
    """The content of the file."""
    return {
        "weights": dict(zip(TRAITS, final.weights, strict=True)),
        "meanings": {kind: [m._asdict() for m in several] for kind, several in final.meanings.items()},
        "unseen": {
            "entities": round(final.unseen, 6),
            "meanings": [meaning._asdict() for meaning in final.unseen_meanings],
        },
        "networks": list(final.networks),
        "spread": final.spread,
        "dependence": {
            kind: {**of._asdict(), "meanings": [m._asdict() for m in of.meanings]}
            for kind, of in final.dependence.items()
        },
        "provenance": {
            "command": "python -m tests.benchmarks.second_look DATA_FOLDER --work FOLDER --write",
            "files": [f"{corpus.name}.dev.jsonl.gz" for corpus in corpora],
            "conversations": sum(len(corpus.variants["whole"]) for corpus in corpora),
            "licence": "numbers fitted to files that models/training/sources.yaml allows for thresholds",
        },
    }


if __name__ == "__main__":
    main()
