"""spaCy's CNN, trained on the train files that Tacenda's model learnt from, beside that model in `tacenda evaluate`.

    python -m tests.benchmarks.bench_spacy DATA_FOLDER --work FOLDER [--minutes 10]

The pipeline is the one that `spacy init config --lang xx --pipeline ner --optimize efficiency` writes (hash
embeddings, four convolutions 96 wide, a transition-based recogniser), with averaged weights, and learns for a fixed
CPU time. Corpora are drawn by the weights of ``models/training/labels.yaml``, in documents of six turns or, as Tacenda
asks a pipeline, of one. Spans that end within a token of spaCy's take all of it.

spaCy has no way to say "none of these classes, but maybe one of those", which is what the silence of most corpora
means; it takes a token as unknown ("-") instead, and learns nothing of it. So a token outside all spans is unknown
where it may be of a class that its corpus does not annotate: where it, or its shape if it is rare, is of that class
at least once in ten times in the corpora that do. Where labels.yaml weighs silence less, that share of it is unknown.

What was trained or measured is kept in FOLDER and not done again; an interrupt ends the training early.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from spacy.attrs import ENT_IOB, ENT_TYPE, ORTH, SHAPE
from spacy.cli.init_config import init_config
from spacy.schemas import ConfigSchemaTraining
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import fix_random_seed, load_model_from_config, registry

from tacenda.models.token_classifier.loading import package_of
from tacenda.models.training.corpora import IGNORED, OUTSIDE, LabelScheme, read_gold
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tests.benchmarks.evaluated import HEADINGS, UNSEEN, columns, evaluated, gold_files, known_corpora

TURNS = 6
SAMPLE = 10_000  # blocks that are counted
MAYBE = 0.1
RARE = 3
_MISSING, _INSIDE, _NOTHING, _BEGINS = range(4)  # spaCy's ENT_IOB


@dataclass(frozen=True, slots=True)
class Block:
    """Some turns of a conversation; ``spans`` are (start, end, class) in ``text``."""

    corpus: str
    text: str
    spans: tuple[tuple[int, int, int], ...]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=10.0, help="CPU time of the training")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    known = known_corpora(chosen.data)
    pipeline = chosen.work / "pipeline"
    if not pipeline.is_dir():
        train(gold_files(chosen.data, "train", known), chosen.minutes * 60, chosen.seed, pipeline)
    print(f"{'dev files':18}{'detectors':28}{HEADINGS}")
    both = ("rules", "gazetteer")
    for files, names in (("no train file", UNSEEN), ("with train file", known)):
        for title, detectors, model in (
            ("rules, lists", both, None),
            ("spaCy", ("model",), pipeline),
            ("shipped model", ("model",), None),
            ("rules, lists, spaCy", (*both, "model"), pipeline),
            ("rules, lists, shipped model", (*both, "model"), None),
        ):
            figures = chosen.work / f"{files} {title}.json".replace(" ", "_").replace(",", "")
            row = evaluated(gold_files(chosen.data, "dev", names), detectors, model, figures)["total"]
            print(f"{files:18}{title:28}{columns(row)}", flush=True)


def train(gold: Sequence[Path], seconds: float, seed: int, folder: Path) -> None:
    fix_random_seed(seed)
    scheme = LabelScheme.load()
    reported = set(package_of(None).labels) & set(catalogue())
    nlp = load_model_from_config(
        init_config(lang="xx", pipeline=["ner"], optimize="efficiency"), auto_fill=True
    )
    nlp.max_length = 10**9
    blocks = list(_blocks(gold, scheme, {n for n, name in enumerate(scheme.classes) if name in reported}))
    learning = Learning(nlp, scheme, blocks, seed)
    for name in sorted(reported):
        nlp.get_pipe("ner").add_label(name)
    settings = registry.resolve(nlp.config.interpolate()["training"], schema=ConfigSchemaTraining)
    optimizer = settings["optimizer"]
    optimizer.averages = {}
    few = list(islice(learning.examples(), 200))
    nlp.initialize(lambda: few, sgd=optimizer)
    words = steps = 0
    start = time.process_time()
    try:
        for batch in settings["batcher"](learning.examples()):
            nlp.update(batch, drop=settings["dropout"], sgd=optimizer)
            steps, words = steps + 1, words + sum(map(len, batch))
            if time.process_time() - start > seconds:
                break
    except KeyboardInterrupt:
        print("interrupted: what was learnt so far is kept")
    taken = time.process_time() - start
    with nlp.use_params(optimizer.averages):
        nlp.to_disk(folder)
    print(f"{len(blocks):,} blocks; {steps:,} steps, {words:,} tokens, {taken:.0f} CPU seconds", flush=True)


def _blocks(gold: Sequence[Path], scheme: LabelScheme, learnt: set[int]) -> Iterator[Block]:
    for record in read_gold(gold):
        corpus = scheme.corpus(record["source"]).name
        turns = [turn for turn in record["turns"] if turn["text"].strip()]
        for first in range(0, len(turns), TURNS):
            yield _block(corpus, turns[first : first + TURNS], scheme, learnt)


def _block(corpus: str, turns: Sequence[Any], scheme: LabelScheme, learnt: set[int]) -> Block:
    spans: list[tuple[int, int, int]] = []
    offset = 0
    for turn in turns:
        for span in turn["spans"]:
            of = scheme.class_of(span)
            if of == IGNORED or of in learnt:
                spans.append((offset + span["start"], offset + span["end"], of))
        offset += len(turn["text"]) + 1
    spans.sort(key=lambda span: span[0] - span[1])  # the longest first: it takes the tokens that two share
    return Block(corpus, "\n".join(turn["text"] for turn in turns), tuple(spans))


class Learning:
    """Endless examples, drawn from blocks by the weight of their corpus."""

    def __init__(self, nlp: Any, scheme: LabelScheme, blocks: Sequence[Block], seed: int) -> None:
        self._nlp = nlp
        self._scheme = scheme
        self._blocks = blocks
        self._drawn = random.Random(seed)
        self._chance = np.random.default_rng(seed)
        self._labels = np.array([nlp.vocab.strings.add(name) for name in scheme.classes], np.uint64)
        corpora = sorted({block.corpus for block in blocks})
        sample = self._drawn.sample(blocks, min(SAMPLE, len(blocks)))
        self._unannotated = Unannotated.count(nlp, scheme, corpora, sample)

    def examples(self) -> Iterator[Example]:
        weights = list(accumulate(self._scheme.corpus(block.corpus).weight for block in self._blocks))
        while True:
            (block,) = self._drawn.choices(self._blocks, cum_weights=weights)
            for part in _turns(block) if self._drawn.random() < 0.5 else (block,):
                doc = self._nlp.make_doc(part.text)
                if len(doc):
                    yield Example(doc, self._told(part))

    def _told(self, block: Block) -> Doc:
        doc = self._nlp.make_doc(block.text)
        classes, begins = _classes(doc, block.spans)
        unknown = self._unannotated.maybe(doc, block.corpus)
        unknown |= self._chance.random(len(doc)) >= self._scheme.corpus(block.corpus).silence_weight
        places = np.where(unknown, _MISSING, _NOTHING)
        places[classes == IGNORED] = _MISSING
        places[classes > OUTSIDE] = _INSIDE
        places[begins & (classes > OUTSIDE)] = _BEGINS
        labels = np.where(classes > OUTSIDE, self._labels[classes], np.uint64(0))
        return doc.from_array([ENT_IOB, ENT_TYPE], np.column_stack((places.astype(np.uint64), labels)))


@dataclass(frozen=True, slots=True)
class Unannotated:
    """Where a missing label may be a class that a corpus leaves out, by (token, corpus), else by shape."""

    corpora: Sequence[str]
    words: npt.NDArray[np.uint64]
    by_word: npt.NDArray[np.bool_]
    shapes: npt.NDArray[np.uint64]
    by_shape: npt.NDArray[np.bool_]

    def maybe(self, doc: Doc, corpus: str) -> npt.NDArray[np.bool_]:
        column = self.corpora.index(corpus)
        word, shape = doc.to_array([ORTH, SHAPE]).reshape(-1, 2).T
        at, known = _found(self.words, word)
        of_shape, known_shape = _found(self.shapes, shape)
        by_shape = known_shape & self.by_shape[of_shape, column]
        return np.where(known, self.by_word[at, column], by_shape)

    @classmethod
    def count(
        cls, nlp: Any, scheme: LabelScheme, corpora: Sequence[str], blocks: Sequence[Block]
    ) -> "Unannotated":
        """Count how corpora that annotate a class label a token, and its shape if it is rare."""
        silence = np.stack([scheme.corpus(name).silence for name in corpora])
        silence[:, OUTSIDE] = False
        tokens, of_corpus, of_class = [], [], []
        for block in blocks:
            doc = nlp.make_doc(block.text)
            tokens.append(doc.to_array([ORTH, SHAPE]).reshape(-1, 2))
            of_corpus.append(np.full(len(doc), corpora.index(block.corpus)))
            of_class.append(np.maximum(_classes(doc, block.spans)[0], OUTSIDE))
        words, first, word = np.unique(np.concatenate(tokens)[:, 0], return_index=True, return_inverse=True)
        shapes, shape = np.unique(np.concatenate(tokens)[first, 1], return_inverse=True)
        corpus, said = np.concatenate(of_corpus), np.concatenate(of_class)
        seen = np.zeros((len(words), len(corpora)))
        np.add.at(seen, (word, corpus), 1)
        seen = seen @ ~silence  # for each class, in the corpora that annotate it
        hits = np.zeros((len(words), len(scheme.classes)))
        annotated = ~silence[corpus, said]
        np.add.at(hits, (word[annotated], said[annotated]), 1)
        hits_of_shape, seen_of_shape = np.zeros((2, len(shapes), len(scheme.classes)))
        np.add.at(hits_of_shape, shape, hits)
        np.add.at(seen_of_shape, shape, seen)
        share_of_shape = hits_of_shape / np.maximum(seen_of_shape, 1)
        share = np.where(seen < RARE, share_of_shape[shape], hits / np.maximum(seen, 1))
        return cls(
            corpora, words, (share >= MAYBE) @ silence.T, shapes, (share_of_shape >= MAYBE) @ silence.T
        )


def _found(
    known: npt.NDArray[np.uint64], keys: npt.NDArray[np.uint64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return at, known[at] == keys


def _turns(block: Block) -> Iterator[Block]:
    start = 0
    for text in block.text.split("\n"):
        end = start + len(text)
        spans = tuple((a - start, b - start, of) for a, b, of in block.spans if start <= a and b <= end)
        yield Block(block.corpus, text, spans)
        start = end + 1


def _classes(
    doc: Doc, spans: Sequence[tuple[int, int, int]]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """The class of each token and whether an entity begins there; no entity begins or ends with whitespace."""
    classes, begins = np.full(len(doc), OUTSIDE), np.zeros(len(doc), bool)
    for start, end, of in spans:
        found = doc.char_span(start, end, alignment_mode="expand")
        if found is None:
            continue
        first, last = found.start, found.end
        while first < last and doc[first].is_space:
            first += 1
        while first < last and doc[last - 1].is_space:
            last -= 1
        if first < last and not classes[first:last].any():
            classes[first:last], begins[first] = of, True
    return classes, begins


if __name__ == "__main__":
    main()
