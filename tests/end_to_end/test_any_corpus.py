"""The result for a conversation is the same in any corpus, order, division and number of processes."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

NAMES = ("Ann-Marie O'Neill", "Zoë Ångström", "BERG", "mr Schrute", "jürgen from Växjö", "Dr. Wu")
FRAMES = (
    "hello this is {name}, my number is 555-0{number}",
    "ok so I think {name} will write to user{number}@example.com, thanks",
    "the order {number} goes to 12 Storgatan, Scranton PA 18503, says {name} " * 4,
    "thanks bye",
    "{name}?",
)
CONTEXTS = ("sales", "support")


@dataclass(frozen=True)
class Written:
    """The results of each conversation, and the statistics by context."""

    corpus: dict[str, Any]
    risk: dict[str, Any]
    statistics: bytes

    def without(self, name: str) -> list[dict[str, Any]]:
        """Corpus and risk without one conversation."""
        return [{k: v for k, v in of.items() if k != name} for of in (self.corpus, self.risk)]

    def of_context(self, name: str) -> list[Any]:
        """The figures of one context, by source."""
        sources = json.loads(self.statistics)["sources"]
        return [figures["contexts"].get(name) for figures in sources.values()]


def conversations(count: int) -> list[dict[str, Any]]:
    rng = random.Random(4)
    return [
        {
            "conversation_id": f"c{i}",
            "context": CONTEXTS[i % 2],
            "turns": [
                {
                    "speaker": "a",
                    "text": rng.choice(FRAMES).format(name=rng.choice(NAMES), number=rng.randint(100, 999)),
                }
                for _ in range(rng.randint(1, 9))
            ],
        }
        for i in range(count)
    ]


@pytest.fixture
def written(tacenda: Callable[..., Any], lines: Callable[..., Path]) -> Callable[..., Written]:
    """``written(records, unit_bytes, *words)``: an anonymised corpus."""

    def write(records: list[dict[str, Any]], unit_bytes: int, *words: str) -> Written:
        run = tacenda(
            "anonymize",
            "--input",
            lines(*records),
            "--unit-bytes",
            unit_bytes,
            "--release-anyway",
            "a test",
            *words,
        )
        assert run.code == 0, run.err
        return Written(
            {record["conversation_id"]: record for record in run.corpus()},
            {row["conversation_id"]: row for row in run.risk()},
            (run.folder / "statistics.json").read_bytes(),
        )

    return write


RECORDS = conversations(48)
WHOLE = 1 << 20


@pytest.mark.parametrize(
    "words",
    [(), ("--runner=FnApiRunner", "--workers", "1"), ("--runner=FnApiRunner", "--workers", "2")],
    ids=["loop", "one process", "two processes"],
)
def test_results_do_not_depend_on_order_units_or_other_conversations(
    written: Callable[..., Written], words: tuple[str, ...]
) -> None:
    expected = written(RECORDS, WHOLE)
    assert len(expected.corpus) == len(expected.risk) == len(RECORDS)
    assert "[PERSON_NAME_" in str(expected.corpus)
    shuffled = random.Random(9).sample(RECORDS, len(RECORDS))
    assert written(shuffled, 3_000, *words) == expected
    added = {**RECORDS[7], "conversation_id": "new", "context": "another"}
    more = written([*RECORDS[:20], added, *RECORDS[20:]], 5_000, *words)
    assert more.without("new") == [expected.corpus, expected.risk]
    for context in CONTEXTS:
        assert more.of_context(context) == expected.of_context(context)


def test_a_conversation_alone_comes_out_as_in_a_corpus(written: Callable[..., Written]) -> None:
    expected = written(RECORDS, WHOLE)
    for record in RECORDS[:3]:
        alone = written([record], WHOLE)
        name = record["conversation_id"]
        assert alone.corpus[name] == expected.corpus[name]
        assert alone.risk[name] == expected.risk[name]
