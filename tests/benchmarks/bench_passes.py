"""What each pass between detectors and entities gives: every maker's text with it and without.

    python -m tests.benchmarks.bench_passes --data FOLDER [--write] [--pass NAME …] [--characters N]

Detectors run once a file, and what they found is kept ($TACENDA_BENCH_CACHE, build/bench-cache). Then every pass of
``pipelines/chain/passes.py`` is left out in turn, and all of them; the overlap resolver and the passes that do what a
user's lists say always run. A gain is the figure with a pass less the one without it.

``--write`` writes recall by origin of names to ``docs/evidence/accuracy.json``, and ``pipelines/chain/passes.json``,
from which ``tests/contract/test_passes.py`` judges: a pass stays by what it gives on the text of *judges*, makers that
nothing was trained on and from whose text no rule was written (``makers.py``), and must cost nobody recall. Macro
means: each maker counts the same.
"""

import json
import os
import pickle
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import tacenda.models
import tacenda.transforms
from tacenda.config import Config
from tacenda.pipelines.chain.build import build_chain
from tacenda.pipelines.chain.chain import Chain
from tacenda.pipelines.chain.conversations import Intake
from tacenda.pipelines.chain.passes import PASSES, Pass
from tacenda.settings import settings_of
from tacenda.transforms.detecting.detector import CountedLook
from tacenda.transforms.evaluating.counting import count, totals
from tacenda.transforms.evaluating.gold_reading import About, gold_labels
from tacenda.transforms.evaluating.matches import Conversation, match_conversation
from tacenda.transforms.evaluating.metrics import measure
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.scoring.intervals import wilson_interval
from tacenda.transforms.shapes.json_cells import in_whole_cells
from tests.benchmarks.evaluated import share, table
from tests.benchmarks.figures import keep_tables, options
from tests.benchmarks.makers import Maker, makers
from tests.fakes.remembered import Remembered
from tests.passes import FIGURES, tried

MEASURES = {
    "recall": "recall",
    "typed": "typed_recall",
    "exact": "exact_boundary_rate",
    "precision": "char_precision",
    "leak": "conversation_leak_rate",
    "consistent": "consistent_detection_repeated",
}
SHOWN = (*MEASURES, "one_token")
NOTHING = "none"
"""The row of all passes left out."""

DETECTORS = ("spoken",)
"""Detectors that are left out in turn as well, to see what they give beside the network."""

_LABELS = gold_labels()
_NAME = _LABELS.class_of("PERSON_NAME")

Figures = dict[str, float]
"""Measures by name; those that a text does not allow are missing."""


class Detected(NamedTuple):
    """A maker's conversations as read, what every detector found in them, and how far gold is complete."""

    batch: ConversationBatch
    found: list[dict[Any, CountedLook]]
    about: list[About]


class Measured(NamedTuple):
    """The figures of a maker's text, and of names by origin."""

    figures: Figures
    by_origin: dict[str, tuple[int, int]]


class Bench:
    """The default config's chain with any passes, on results of detectors that ran before."""

    def __init__(self, cache: Path) -> None:
        settings, reading, labels = settings_of(Config(), "inspect")
        self._intake = Intake(reading, labels)
        self._chain = build_chain(settings)
        assert isinstance(self._chain, Chain)
        self._cache = cache
        self._state = _code()

    def detected(self, maker: Maker) -> list[Detected]:
        """What the detectors find in a maker's text, from the cache if the code is that of then."""
        records = list(maker.records)
        name = sha256(pickle.dumps((self._state, maker.impersonal, records))).hexdigest()
        path = self._cache / f"{maker.name}-{name[:24]}.pickle"
        if path.is_file():
            return pickle.loads(path.read_bytes())
        found = list(self._detect(records, maker.impersonal))
        self._cache.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(found))
        return found

    def _detect(self, records: Sequence[Mapping[str, Any]], impersonal: bool) -> Iterator[Detected]:
        for some in self._intake.items(records):
            for portion in some.portions:
                batch = portion.batch
                asked = [Remembered(detector) for detector in self._chain.detectors]
                replace(self._chain, detectors=asked, languages=None).run(batch)
                of_gold = [records[position] for position in batch.positions]
                about = [
                    About(
                        "",
                        impersonal or record.get("gold") == "complete",
                        frozenset(map(_LABELS.class_of, record.get("complete_for") or ())),
                    )
                    for record in of_gold
                ]
                yield Detected(batch, [one.looks for one in asked], about)

    def measure(
        self, maker: Maker, detected: Sequence[Detected], passes: Sequence[Pass], silent: str = ""
    ) -> Measured:
        """The figures of a maker's text with some passes, and without the findings of one detector."""
        matches: list[Conversation] = []
        letters = 0
        for batch, found, about in detected:
            before = [
                Remembered(detector, looks, silent=detector.name == silent)
                for detector, looks in zip(self._chain.detectors, found, strict=True)
            ]
            chain = replace(self._chain, detectors=before, passes=passes, languages=None)
            outcome = chain.run(batch)
            assert not outcome.rejections, f"{maker.name}: {outcome.rejections[0].error}"
            whole, findings, (entities,) = in_whole_cells(batch, outcome.findings, outcome.entities)
            for i in range(len(whole)):
                own = slice(whole.first_cell[i], whole.first_cell[i + 1])
                texts, places = whole.texts[own], findings[own]
                told = about[i]._replace(file=maker.name)
                matches.append(match_conversation(whole, i, told, _LABELS, places, entities[own]))
                letters += sum(map(str.isalnum, "".join(texts)))
        if maker.impersonal:
            sums = totals(count(matches))
            wrong = sums["judged_chars"] - sums["right_chars"]
            return Measured({"precision": 1 - wrong / (letters - sums["gold_chars"])}, {})
        measured = measure(count(matches), (1.0,), 0, 0)
        figures = {name: measured[of]["value"] for name, of in MEASURES.items()}
        figures["spans"] = measured["recall"]["of"]
        if maker.several_turns:
            figures["one_token"] = _one_token(matches)
        else:
            del figures["consistent"]
        known = {name: value for name, value in figures.items() if value is not None}
        return Measured(known, _by_origin(maker, matches))


def _one_token(matches: Sequence[Conversation]) -> float | None:
    """The share of people named twice or more all of whose mentions have one number, and no other person's."""
    numbers: defaultdict[tuple[int, int], set[int | None]] = defaultdict(set)
    people: defaultdict[tuple[int, int | None], set[int]] = defaultdict(set)
    mentions: Counter[tuple[int, int]] = Counter()
    for conversation, one in enumerate(matches):
        for span in one.spans:
            if span.certain and span.label == "PERSON_NAME":
                mentions[conversation, span.gold_entity] += 1
                numbers[conversation, span.gold_entity].add(span.entity)
                people[conversation, span.entity].add(span.gold_entity)
    repeated = [one for one, times in mentions.items() if times > 1]
    right = 0
    for conversation, person in repeated:
        of_person = numbers[conversation, person]
        alone = all(number is not None and len(people[conversation, number]) == 1 for number in of_person)
        right += alone and len(of_person) == 1
    return right / len(repeated) if repeated else None


def _by_origin(maker: Maker, matches: Sequence[Conversation]) -> dict[str, tuple[int, int]]:
    """Names found, and all of them, by origin."""
    found: dict[str, tuple[int, int]] = {}
    if maker.origin_of is None:
        return found
    for one in matches:
        for span in one.spans:
            origin = maker.origin_of(one.id, span.turn, span.start, span.end)
            if span.label == "PERSON_NAME" and origin is not None:
                hits, of = found.get(origin, (0, 0))
                found[origin] = hits + (span.covered_chars == span.chars), of + 1
    return found


def _code() -> str:
    """A hash of all that detectors are made of, their passes apart."""
    state = sha256()
    for package in (tacenda.models, tacenda.transforms):
        (folder,) = package.__path__
        for path in sorted(Path(folder).rglob("*")):
            of_detectors = package is tacenda.models or path.relative_to(folder).parts[0] in _OF_DETECTORS
            if (
                path.is_file()
                and of_detectors
                and not {"passes", "training", "__pycache__"} & set(path.parts)
            ):
                state.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return state.hexdigest()


_OF_DETECTORS = frozenset({"detecting", "gazetteers", "identifiers", "language", "schema", "shapes", "text"})


_ENOUGH = 200
"""Least spans of a maker, or names of an origin, to say whom a pass costs recall: one is .005 of them."""


class Row(NamedTuple):
    """The figures of all makers with some passes, and recall of names by origin."""

    makers: dict[str, Figures]
    origins: dict[str, tuple[int, int]]

    def mean(self, measure: str, chosen: Callable[[str], bool] = lambda _maker: True) -> float | None:
        """The macro mean over the makers, all or some, that have a measure."""
        values = [
            figures[measure] for name, figures in self.makers.items() if chosen(name) and measure in figures
        ]
        return sum(values) / len(values) if values else None


def measured_rows(bench: Bench, known: Sequence[Maker], names: Sequence[str]) -> dict[str, Row]:
    """The figures with all passes, as ``""``, without each of ``names``, and without any, maker by maker."""
    chosen = {"": PASSES}
    chosen |= {name: tuple(one for one in PASSES if one.__name__ != name) for name in names}
    chosen[NOTHING] = tuple(one for one in PASSES if one not in tried())
    chosen |= dict.fromkeys(DETECTORS, PASSES)
    figures: dict[str, dict[str, Figures]] = {name: {} for name in chosen}
    origins: dict[str, Counter[str]] = {name: Counter() for name in chosen}
    count: Counter[str] = Counter()
    for maker in known:
        detected = bench.detected(maker)
        for name, passes in chosen.items():
            silent = name if name in DETECTORS else ""
            figures[name][maker.name], by_origin = bench.measure(maker, detected, passes, silent)
            for origin, (hits, of) in by_origin.items():
                origins[name][origin] += hits
                count[origin] += of if name == "" else 0
        print(f"{maker.name:<22}{_line(figures[''][maker.name])}", flush=True)
    return {
        name: Row(
            figures[name],
            {one: (origins[name][one], of) for one, of in sorted(count.items()) if of >= _ENOUGH},
        )
        for name in chosen
    }


def gains(rows: Mapping[str, Row], name: str, known: Sequence[Maker]) -> dict[str, Any]:
    """What a pass gives: on judges, on all makers, on those with several turns; and whom it costs most recall."""
    with_it, without = rows[""], rows[name]
    judges = {maker.name for maker in known if maker.judges}

    def gained(measure: str, chosen: Callable[[str], bool]) -> float | None:
        now, before = with_it.mean(measure, chosen), without.mean(measure, chosen)
        return None if now is None or before is None else round(now - before, 5)

    def of(chosen: Callable[[str], bool]) -> Figures:
        return {measure: value for measure in SHOWN if (value := gained(measure, chosen)) is not None}

    by_maker = {
        maker: figures["recall"] - without.makers[maker]["recall"]
        for maker, figures in with_it.makers.items()
        if figures.get("spans", 0) >= _ENOUGH
    }
    by_origin = {
        origin: (hits - without.origins[origin][0]) / of for origin, (hits, of) in with_it.origins.items()
    }
    return {
        "judges": of(judges.__contains__),
        "all": of(lambda _maker: True),
        "worst_maker": _least(by_maker),
        "worst_origin": _least(by_origin),
    }


def _least(gained: Mapping[str, float]) -> dict[str, Any]:
    name = min(gained, key=lambda one: (gained[one], one))
    return {"name": name, "recall": round(gained[name], 5)}


def _line(figures: Mapping[str, float]) -> str:
    return "".join(f"{figures[name]:>11.4f}" if name in figures else f"{'–':>11}" for name in SHOWN)


def main() -> None:
    """Measure all makers and print what each pass gives."""
    parser = options(__doc__)
    parser.add_argument(
        "--data", type=Path, help="folder of *.dev.jsonl.gz; without it, generated text alone"
    )
    parser.add_argument("--pass", nargs="*", dest="names", choices=[one.__name__ for one in tried()])
    parser.add_argument("--characters", type=int, default=100_000, help="to read of each file")
    parser.add_argument("--write", action="store_true", help=f"write {FIGURES.name}; needs --data")
    chosen = parser.parse_args()
    names = chosen.names or [one.__name__ for one in tried()]
    if chosen.write and (chosen.data is None or chosen.names):
        raise SystemExit("--write: needs --data, and all passes")
    bench = Bench(Path(os.environ.get("TACENDA_BENCH_CACHE", "build/bench-cache")))
    known = makers(chosen.data, chosen.characters)
    heading = "".join(f"{name:>11}" for name in SHOWN)
    print(f"{'maker':<22}{heading}")
    rows = measured_rows(bench, known, names)
    for title, among in (("all makers", known), ("judges", [maker for maker in known if maker.judges])):
        print(f"\n{'without (' + title + ')':<22}{heading}")
        names_among = {maker.name for maker in among}
        for name, row in rows.items():
            means = {m: value for m in SHOWN if (value := row.mean(m, names_among.__contains__)) is not None}
            print(f"{name or 'nothing':<22}{_line(means)}")
    shares = {
        origin: share({"value": hits / of, "interval": wilson_interval(hits, of)})
        for origin, (hits, of) in rows[""].origins.items()
    }
    print("\nrecall by origin:", ", ".join(map(" ".join, shares.items())), "\n")
    figures = {name: gains(rows, name, known) for name in names}
    for name, gained in figures.items():
        for which in ("worst_maker", "worst_origin"):
            print(f"{name:<22}{which:<14}{gained[which]['name']:<24}{gained[which]['recall']:+.4f}")
    if chosen.write:
        FIGURES.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8")
        origins = [[origin, f"{rows[''].origins[origin][1]:,}", recall] for origin, recall in shares.items()]
        keep_tables("accuracy", {"by origin of names": table("origin, names, recall", origins)})


if __name__ == "__main__":
    main()
