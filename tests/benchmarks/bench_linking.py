"""How well what a conversation repeats is found again and linked, on gold files and on small calls.

    python -m tests.benchmarks.bench_linking [--data FOLDER] [--fresh] [--wrong]

1. Gold files: recall, precision, consistent detection and the measures of linking of ``tacenda evaluate``, on the files of
   docs/evidence/accuracy.md, on those of them with several turns, and on the conversations in ``unseen``. Detectors run
   once: what they find is kept below ``$TACENDA_BENCH_CACHE``, so that the next run takes a minute. ``--fresh`` forgets it.
2. ``linking_calls.yaml``: how many calls have one number for each person, and nobody's for two.
"""

import argparse
import hashlib
import json
import os
import pickle
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import yaml

from tacenda.pipelines.cli import parser_of
from tacenda.pipelines.measurement import evaluation
from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.evaluating.counting import UNIT, count, totals
from tacenda.transforms.evaluating.gold_reading import gold_labels
from tacenda.transforms.evaluating.matches import Conversation
from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

FILES = (
    *("multidogo", "sgd", "star", "wnut17", "swedish-ner", "litbank", "nlupp", "restaurant8k", "turku-ner"),
    *("finer-wiki", "btc", "crossner", "snips", "meddocan", "gum", "wikigold", "xsid", "uner-sv-talbanken"),
    *("pii-anon", "echr-es", "echr-es-projected", "multiconer-es", "multiconer-en", "uner-da-ddt", "re3d"),
    *("nlu-home", "presidio-research", "uner-ewt", "uner-en-pud", "uner-sv-pud"),
)
"""The thirty of docs/evidence/accuracy.md."""

OF_TURNS = ("multidogo", "sgd", "star")
HERE = Path(__file__).parent
UNSEEN = ("calls", "genres", "letters", "names")
NOBODY = "-"
_MARK = re.compile(r"\[\[([^|\]]+)\|(.*?)\]\]")
_SPEAKER = re.compile(r"(\w+): ")
_RATIOS = {
    "recall": ("covered", "spans"),
    "typed": ("spans_typed", "spans"),
    "exact": ("spans_exact", "spans"),
    "precision": ("right_chars", "judged_chars"),
    "consistent": ("consistent", "entities"),
    "repeated": ("repeated_consistent", "repeated"),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder of *.dev.jsonl.gz; without it, unseen text alone")
    parser.add_argument("--fresh", action="store_true", help="detect again")
    parser.add_argument("--wrong", action="store_true", help="print the calls that are wrong")
    chosen = parser.parse_args()
    folder = Path(os.environ.get("TACENDA_BENCH_CACHE", Path.home() / ".cache/tacenda-bench"))
    if chosen.fresh:
        for path in folder.glob("found-*.pickle"):
            path.unlink()
    with detected_once(folder):
        heads = "".join(f"{name:>11}" for name in (*_RATIOS, "pairwise", "MUC", "B³"))
        print(f"{'':14}{'spans':>7}{heads}")
        if chosen.data:
            files = {name: chosen.data / f"{name}.dev.jsonl.gz" for name in FILES}
            matches = matched([path for path in files.values() if path.is_file()])
            show("30 files", matches)
            for title, own in (("with turns", OF_TURNS), *((name, (name,)) for name in OF_TURNS)):
                show(title, [one for one in matches if one.file.split(".")[0] in own])
        show("unseen", matched([HERE / "unseen" / f"{name}.jsonl" for name in UNSEEN]))
        calls = list(small_calls())
        both = {
            "as found": calls_as_found(calls),
            "gold spans": [is_right(call, [{n} for n in linked(call)]) for call in calls],
        }
    for title, right in both.items():
        print(f"small calls, {title}: {sum(right)} of {len(right)}")
        if chosen.wrong:
            print(
                "".join(
                    f"  {call['conversation_id']}\n"
                    for call, is_ in zip(calls, right, strict=True)
                    if not is_
                )
            )


@contextmanager
def detected_once(folder: Path) -> Iterator[None]:
    """Detectors of ``evaluate`` whose findings are kept in a folder, by the text of each conversation."""
    folder.mkdir(parents=True, exist_ok=True)
    build, built = evaluation.build_detectors, []

    def remembering(*given: Any, **named: Any) -> list[Remembered]:
        for number, detector in enumerate(build(*given, **named)):
            built.append(Remembered(detector, folder / f"found-{number}-{type(detector).__name__}.pickle"))
        return built

    with patch.object(evaluation, "build_detectors", remembering):
        yield
    for detector in built:
        detector.keep()


class Remembered:
    """A detector that looks at each conversation once, in whatever process."""

    def __init__(self, detector: Detector, path: Path) -> None:
        self.name = detector.name
        self._detector = detector
        self._path = path
        self._known: dict[bytes, list[list[Finding]]] = {}
        if path.is_file():
            self._known = pickle.loads(path.read_bytes())
        self._kept = len(self._known)

    def find(self, column: TextColumn) -> list[list[Finding]]:
        bounds = list(pairwise(column.first_cell))
        keys = [_key(column.texts[start:stop]) for start, stop in bounds]
        if not self._known.keys() >= set(keys):
            found = self._detector.find(column)
            self._known.update(
                (key, found[start:stop]) for key, (start, stop) in zip(keys, bounds, strict=True)
            )
        return [list(cell) for key in keys for cell in self._known[key]]

    def keep(self) -> None:
        if len(self._known) > self._kept:
            self._path.write_bytes(pickle.dumps(self._known))


def _key(texts: Sequence[str]) -> bytes:
    return hashlib.blake2b("\0".join(texts).encode(errors="surrogatepass"), digest_size=16).digest()


def matched(paths: Sequence[Path]) -> list[Conversation]:
    """What the default detectors find in gold files, and how it is linked."""
    arguments = parser_of("evaluate").parse_args(["--input", *map(str, paths), "--workers", "1"])
    _, settings = evaluation.searching(None, arguments)
    plan = evaluation.plan_gold([str(path.resolve()) for path in paths], arguments.unit_bytes)
    names = {file.url: file.url.rpartition("/")[2].partition(".")[0] for file in plan.files}
    job = evaluation._Job(plan.shape, (settings,), names, False, gold_labels())
    parts = [evaluation.match_part(part, job) for part in plan.parts]
    return [one for part in parts for matches in part.of_configs() for one in matches]


def show(title: str, matches: Sequence[Conversation]) -> None:
    """A row of figures."""
    sums = totals(count(matches))
    values = [sums[hits] / max(sums[of], 1) for hits, of in _RATIOS.values()]
    values += linking_f1(sums)
    print(f"{title:14}{sums['spans']:>7,}" + "".join(f"{value:>11.4f}" for value in values), flush=True)


def linking_f1(sums: Mapping[str, int]) -> list[float]:
    """F1 pairwise, by MUC and by B³."""
    common = "common_pairs", "common_links"
    of = ("key_pairs", "response_pairs"), ("key_links", "response_links")
    found = [
        2 * sums[c] / max(sums[key] + sums[response], 1)
        for c, (key, response) in zip(common, of, strict=True)
    ]
    recall, precision = sums["b_cubed_recall"], sums["b_cubed_precision"]
    return [*found, 2 * recall * precision / max((recall + precision) * sums["linked_mentions"] * UNIT, 1)]


def small_calls() -> Iterator[dict[str, Any]]:
    """The small calls as gold records."""
    for title, said in yaml.safe_load((HERE / "linking_calls.yaml").read_text("utf-8")).items():
        turns = []
        for turn in said:
            speaker = _SPEAKER.match(turn)
            text, spans, at = "", [], speaker.end() if speaker else 0
            for mark in _MARK.finditer(turn):
                text += turn[at : mark.start()]
                letter, _, label = mark[1].partition(":")
                place = {"start": len(text), "end": len(text) + len(mark[2])}
                spans.append({**place, "label": label or "PERSON_NAME", "entity": letter})
                text += mark[2]
                at = mark.end()
            text += turn[at:]
            turns.append(
                {"speaker": speaker[1] if speaker else f"{len(turns) % 2}", "text": text, "spans": spans}
            )
        yield {"conversation_id": title, "gold": "complete", "turns": turns}


def calls_as_found(calls: Sequence[dict[str, Any]]) -> list[bool]:
    """Whether each call is right, by what the default detectors find."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "calls.jsonl"
        path.write_text("".join(json.dumps(call) + "\n" for call in calls), "utf-8")
        _, settings = evaluation.searching(None, parser_of("evaluate").parse_args(["--input", str(path)]))
        plan = evaluation.plan_gold([str(path)], 1 << 20)
        (part,) = plan.parts
        golds = evaluation.read_gold(part, plan.shape, gold_labels())
        (outcome,) = (evaluation.chain_of(settings).run(gold.batch) for gold in golds)
    right = []
    for call, (first, stop) in zip(calls, pairwise(outcome.batch.first_cell), strict=True):
        each = zip(call["turns"], outcome.findings[first:stop], outcome.entities[first:stop], strict=True)
        numbers = [
            {n for f, n in zip(found, own, strict=True) if f.start < span["end"] and span["start"] < f.end}
            for turn, found, own in each
            for span in turn["spans"]
        ]
        right.append(is_right(call, numbers))
    return right


def is_right(call: dict[str, Any], numbers: Sequence[AbstractSet[int]]) -> bool:
    """Whether all mentions of everybody have one number, which nobody else has."""
    letters = [span["entity"] for turn in call["turns"] for span in turn["spans"]]
    owned: dict[str, set[int]] = {}
    for letter, own in zip(letters, numbers, strict=True):
        if not own and letter != NOBODY:
            return False
        owned.setdefault(letter, set()).update(own)
    nobodys = owned.pop(NOBODY, set())
    given = set().union(*owned.values())
    return (
        all(len(own) == 1 for own in owned.values())
        and len(given) == len(owned)
        and nobodys.isdisjoint(given)
    )


def linked(record: dict[str, Any]) -> list[int]:
    """The number of each gold mention, as linking has it."""
    turns = record["turns"]
    found = [
        [Finding(s["start"], s["end"], s["label"], Likelihood.LIKELY, "gold") for s in turn["spans"]]
        for turn in turns
    ]
    texts, speakers = [turn["text"] for turn in turns], [turn["speaker"] for turn in turns]
    entities = link_conversation(texts, speakers, found, {}).entities
    return [number for cell in entities for number in cell]


if __name__ == "__main__":
    main()
