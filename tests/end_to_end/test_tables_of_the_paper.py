"""The paper's examples with the default config (Gardiner et al., CALD-pseudo 2024, Tables 1 and 2)."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

_TABLE_1 = "This is {0} calling from {1}, may I speak to {2}?"


def _variant(seed: int) -> tuple[str, str, str]:
    """Two people and a company that no list has: syllables drawn by a seed."""
    draw = random.Random(seed)

    def word(syllables: int) -> str:
        pairs = (
            draw.choice(["br", "d", "f", "gl", "k", "l", "m", "qu", "r", "st", "t", "v", "z"])
            for _ in range(syllables)
        )
        return ("".join(first + draw.choice("aeiou") for first in pairs) + draw.choice("nlrsm")).capitalize()

    return word(2), f"{word(2)} {word(3)}", word(3)


def test_table_1_and_twenty_variants_of_it(tacenda: Callable[..., Any], lines: Callable[..., Path]) -> None:
    said = [("Pam", "Dunder Mifflin", "Jim"), *map(_variant, range(20))]
    records = [
        {"conversation_id": str(i), "turns": [{"speaker": names[0], "text": _TABLE_1.format(*names)}]}
        for i, names in enumerate(said)
    ]
    run = tacenda("anonymize", "--input", lines(*records))
    tokens = "[PERSON_NAME_1]", "[ORGANIZATION_NAME_1]", "[PERSON_NAME_2]"
    expected = {"speaker": tokens[0], "text": _TABLE_1.format(*tokens)}
    wrong = [names for names, record in zip(said, run.corpus(), strict=True) if record["turns"] != [expected]]
    assert not wrong


def test_table_2(tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path) -> None:
    """Half a code is one, too, unless a config asks for numbers alone; the paper's token has no number."""
    whole = "It's B. 231 C. four."
    record = {
        "conversation_id": "1",
        "turns": [
            {"speaker": "Person 2", "text": "It's B. 231 C. for A. two."},
            {"speaker": "Person 2", "text": whole},
        ],
    }
    half, code = tacenda("anonymize", "--input", lines(record)).corpus()[0]["turns"]
    assert half["text"] == "It's [GENERIC_ID_1]. for A. two."
    assert code["text"] == "It's [GENERIC_ID_2]."
    config = tmp_path / "as_the_paper.json"
    config.write_text(json.dumps({"inspect": {"infoTypes": [{"name": "PERSON_NAME"}, {"name": "NUMERIC"}]}}))
    half, _ = tacenda("anonymize", "--input", lines(record), "--config", config).corpus()[0]["turns"]
    assert half["text"] == "It's B. [NUMERIC_1] C. for A. two."
