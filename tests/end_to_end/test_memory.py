"""Memory for long conversations and long turns: bytes per additional turn or character."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.shapes.options import ReadOptions
from tests.growth import peak_bytes
from tests.halting import tacenda
from tests.talks import talk, write_lines

pytestmark = pytest.mark.slow
BYTES_A_TURN = 2_500
"""Beside a turn's text: what is kept of it, its findings and its row until its conversation is written."""

BYTES_A_CHARACTER = 300
"""Of a turn that is full of personal data, as rules and the shipped model read it."""

SAID = (
    "so we are done for today I think, is there anything else that I can help you with?",
    "no that is all, thank you so much for that",
    "you can write to me at ann{}@example.com or call 415-555-0132 about order {}",
    "ok",
)


def _peak(source, *words):
    output = source.with_suffix(".out")
    return peak_bytes(tacenda("anonymize", "--input", source, "--output", output, "--workers", 1, *words))


def test_a_turn_of_a_long_conversation_takes_a_bounded_amount_of_memory(tmp_path):
    peaks, texts = {}, {}
    for turns in (20_000, 40_000):
        said = [SAID[i % len(SAID)].format(i, i) for i in range(turns)]
        rows = {
            "conversation_id": ["c"] * turns,
            "turn_index": range(turns),
            "speaker": ["A", "B"] * (turns // 2),
        }
        source = tmp_path / f"{turns}.parquet"
        pq.write_table(pa.table({**rows, "text": said}), source)
        peaks[turns], texts[turns] = _peak(source, "--detector", "rules"), sum(map(len, said))
    more = peaks[40_000] - peaks[20_000] - (texts[40_000] - texts[20_000])
    assert more / 20_000 < BYTES_A_TURN


def test_a_character_of_the_longest_turn_takes_a_bounded_amount_of_memory(tmp_path):
    peaks = {}
    longest = ReadOptions().max_turn_chars
    for characters in (longest // 2, longest):
        dense = "Ann Smith, ann@example.com, 415-555-0132; " * (characters // 42)
        source = write_lines(tmp_path / f"{characters}.jsonl", [talk("c", dense)])
        peaks[characters] = _peak(source, "--detector", "rules")
    assert (peaks[longest] - peaks[longest // 2]) / (longest / 2) < BYTES_A_CHARACTER
