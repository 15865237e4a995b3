"""Reading only windows finds the same as reading every text completely."""

import gzip
import json
import os
from itertools import islice, pairwise
from pathlib import Path

import pytest

from tacenda.transforms.detecting.spoken.candidate_windows import Window
from tacenda.transforms.detecting.spoken.folded_column import FoldedColumn
from tacenda.transforms.detecting.spoken.language_detection import tokens_spoken
from tacenda.transforms.detecting.spoken.lexicon import lexicon
from tacenda.transforms.detecting.spoken.recognition import longest, read, spoken_runs_of_column
from tacenda.transforms.detecting.spoken.runs import SpokenRun
from tacenda.transforms.detecting.spoken.tokens import tokens
from tacenda.transforms.detecting.spoken.vocabulary import vocabulary
from tacenda.transforms.generating.sample.corpus import conversations
from tacenda.transforms.text.column import TextColumn

LANGUAGES = ("en", "es", "sv", "fi", "no")
DATA = Path(os.environ.get("TACENDA_DATA") or Path(__file__).parents[5] / "shared" / "data")
FILES = {"multidogo": 300, "sgd": 40, "nlu-home": 551, "meddocan": 6, "uner-sv-pud": 600, "turku-ner": 76}
LEAST_RUNS = 3


def whole(text: str) -> Window:
    """A text as one window, with possible elements everywhere and lines taken from its text."""
    found = tokens(text)
    lines = {i for i, (a, b) in enumerate(pairwise(found), 1) if "\n" in text[a.end : b.start]}
    return Window(0, found, range(len(found)), frozenset(lines), True, True)


def ungated(texts: list[str], first_cell: list[int]) -> list[list[SpokenRun]]:
    column = TextColumn(texts, first_cell)
    folded = FoldedColumn(column)
    known = vocabulary(LANGUAGES)
    found = [read(whole(text), lexicon(LANGUAGES[0])) for text in texts]
    for language, spoken in tokens_spoken(folded, known.numbers(folded), known):
        for cell in sorted(set(column.cells(folded.starts[spoken]).tolist())):
            found[cell] += read(whole(texts[cell]), lexicon(LANGUAGES[language]))
    return [longest(runs) for runs in found]


def check(talks: list[list[str]], least: int) -> None:
    texts = [text for talk in talks for text in talk]
    first_cell = [0]
    for talk in talks:
        first_cell.append(first_cell[-1] + len(talk))
    got = spoken_runs_of_column(TextColumn(texts, first_cell), LANGUAGES)
    wanted = ungated(texts, first_cell)
    assert sum(map(len, wanted)) >= least
    for text, runs, all_runs in zip(texts, got, wanted, strict=True):
        assert runs == all_runs, text


def test_sample_conversations():
    check([[turn["text"] for turn in talk["turns"]] for talk in conversations(7, 0, 40)], 50)


@pytest.mark.parametrize("name", FILES)
def test_gold_conversations(name):
    path = DATA / f"{name}.dev.jsonl.gz"
    if not path.exists():
        pytest.skip(f"{path.name} is not at hand")
    with gzip.open(path, "rt") as lines:
        talks = [[turn["text"] for turn in json.loads(line)["turns"]] for line in islice(lines, FILES[name])]
    check(talks, LEAST_RUNS)
