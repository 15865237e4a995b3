"""Ways to an unearned release of somebody who means no harm: none ends in ``_SUCCESS``, each is named.

Where a reader is needed, he is careless: he signs every conversation and marks nothing.
"""

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main

RULES = ("--detector", "rules", "--workers", "1")
CUSTOMER = "ruth.hale@example.com"
QUOTED = "Dear Sir,=20\nRuth=20Hale=2C born=20on=20the=20fourth=20of=20May=2C called=20today.=20\n"
BASE64 = (
    "Content-Transfer-Encoding: base64\n\n"
    "UnV0aCBIYWxlLCBib3JuIG9uIHRoZSBmb3VydGggb2YgTWF5LCBjYWxsZWQgdG9kYXkgYWJvdXQg\nYSBsb2FuLg==\n"
)


def _run(*words: object) -> int:
    return cli_main(cli.run, [str(word) for word in words])


def _lines(path: Path, records: Iterable[Any]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return path


def _talks(text: str, number: int = 40) -> list[dict[str, Any]]:
    return [{"conversation_id": f"c{i}", "turns": [{"text": f"{text} ({i})"}]} for i in range(number)]


def _markers(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir() if one.name.startswith("_")}


def _verdict(folder: Path) -> dict[str, Any]:
    verdict: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))["verdict"]
    return verdict


@pytest.fixture
def anonymized(tmp_path: Path) -> Callable[..., Path]:
    """``anonymized(text, config, *more)``: the folder of a run."""

    def run(text: str, config: Any = None, *more: object) -> Path:
        (tmp_path / "c.json").write_text(json.dumps(config or {}))
        source = _lines(tmp_path / "in.jsonl", _talks(text))
        words = ["--input", source, "--output", tmp_path / "out", "--config", tmp_path / "c.json", *RULES]
        assert _run("anonymize", *words, *more) in (0, 3)
        return tmp_path / "out"

    return run


@pytest.fixture
def sign(tmp_path: Path) -> Callable[[Path], int]:
    """Release a corpus by a reader who marks nothing."""

    def release(folder: Path) -> int:
        (part,) = (folder / "corpus").glob("*.gz")
        records = [json.loads(line) for line in gzip.decompress(part.read_bytes()).splitlines()]
        review = _lines(tmp_path / "review.jsonl", [{**one, "reviewed_by": "Kim Berg"} for one in records])
        return _run("release", folder, "--review", review)

    return release


def test_a_careless_reader_does_release(anonymized: Any, sign: Any) -> None:
    """Without which the others below would show nothing."""
    folder = anonymized("we spoke about the garden")
    assert sign(folder) == 0
    assert _markers(folder) == {"_SUCCESS"}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (QUOTED, "EncodedText"),
        (BASE64, "EncodedText"),
        ("ask [RUTH_HALE_19870412] again", "ForeignToken"),
        ("ask [MISSED-RUTH-HALE_4155550123] again", "ForeignToken"),
    ],
    ids=["quoted-printable", "base64", "token", "mark"],
)
def test_what_cannot_be_searched_is_not_written(anonymized: Any, text: str, error: str) -> None:
    folder = anonymized(text)
    assert _markers(folder) == {"_HELD"}
    (part,) = (folder / "quarantine").iterdir()
    assert {json.loads(line)["error"] for line in part.open()} == {error}
    assert json.loads((folder / "manifest.json").read_text("utf-8"))["rows"]["out"] == 0


class Weak(NamedTuple):
    """A config that leaves customers readable, and what the verdict says of it."""

    text: str
    config: dict[str, Any]
    told: str


def _excluding(rule: dict[str, Any]) -> dict[str, Any]:
    rules = [{"info_types": [{"name": "EMAIL_ADDRESS"}], "rules": [{"exclusion_rule": rule}]}]
    return {"inspect": {"info_types": [{"name": "EMAIL_ADDRESS"}], "rule_set": rules}}


_FULL, _PARTIAL = "MATCHING_TYPE_FULL_MATCH", "MATCHING_TYPE_PARTIAL_MATCH"
_BY_CUSTOMERS = {
    "deidentify": {
        "info_type_transformations": {
            "transformations": [
                {
                    "info_types": [{"name": "EMAIL_ADDRESS"}],
                    "primitive_transformation": {
                        "replace_dictionary_config": {
                            "word_list": {
                                "words": [CUSTOMER, "kim7.berg@example.com", "jo8.lund@example.com"]
                            }
                        }
                    },
                }
            ]
        }
    }
}
WEAK = {
    "a pattern of everything": Weak(
        f"write to {CUSTOMER}",
        _excluding({"regex": {"pattern": "(?s).+"}, "matching_type": _FULL}),
        "EMAIL_ADDRESS 40",
    ),
    "a list of customers": Weak(
        f"write to {CUSTOMER}",
        _excluding({"dictionary": {"word_list": {"words": [CUSTOMER]}}, "matching_type": _FULL}),
        "EMAIL_ADDRESS 40",
    ),
    "a part of a list": Weak(
        f"write to {CUSTOMER}",
        _excluding({"dictionary": {"word_list": {"words": ["example"]}}, "matching_type": _PARTIAL}),
        "EMAIL_ADDRESS 40",
    ),
    "a dictionary of customers": Weak(
        "write to kim7.berg@example.com", _BY_CUSTOMERS, "holds 40 of the findings that it replaces"
    ),
}


@pytest.mark.parametrize("weak", WEAK.values(), ids=WEAK)
def test_a_config_that_leaves_customers_readable_needs_a_reason(
    anonymized: Any, sign: Any, weak: Weak
) -> None:
    folder = anonymized(weak.text, weak.config)
    assert sign(folder) == 3
    assert _markers(folder) == {"_HELD"}
    grounds = [one["what"] for one in _verdict(folder)["rests_on"] if one["weakens"]]
    assert any(weak.told in what for what in grounds), grounds


def test_an_exclusion_that_rejects_nothing_weakens_nothing(anonymized: Any, sign: Any) -> None:
    config = _excluding({"regex": {"pattern": "[a-z]+@ours[.]org"}, "matching_type": _FULL})
    folder = anonymized("we spoke about the garden", config)
    assert sign(folder) == 0
    assert any("readable: nothing" in one["what"] for one in _verdict(folder)["rests_on"])


@pytest.mark.parametrize("name", ["raw.jsonl", "corpus/raw.jsonl", ".raw.jsonl", "corpus/more/raw.jsonl"])
def test_a_foreign_file_in_the_folder_is_found(anonymized: Any, sign: Any, name: str) -> None:
    folder = anonymized("we spoke about the garden")
    assert sign(folder) == 0
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text('{"text": "Ruth Hale"}\n')
    assert _run("corpus", "verify", folder) == 3


def test_a_part_of_the_input_is_not_released(anonymized: Any, sign: Any) -> None:
    folder = anonymized("we spoke about the garden", None, "--limit", "30")
    assert sign(folder) == 3
    assert "_SUCCESS" not in _markers(folder)
    assert any("not read (--limit)" in lack for lack in _verdict(folder)["lacks"])
    assert _run("corpus", "verify", folder) == 0


def test_scores_of_raw_text_release_nothing(tmp_path: Path) -> None:
    source = _lines(tmp_path / "in.jsonl", _talks("I am Ruth Hale, 078-05-1120"))
    words = ["--input", source, "--output", tmp_path / "out", "--reviewed", "--reviewer", "Kim Berg"]
    assert _run("score", *words) == 0
    assert _markers(tmp_path / "out") == {"_SCORED"}


def test_a_held_run_with_splits_shows_nothing_to_loaders(tmp_path: Path) -> None:
    gold = [
        {**one, "gold": "complete", "turns": [{"text": "Ruth Hale", "spans": [_NAME]}]} for one in _talks("")
    ]
    source = _lines(tmp_path / "in.jsonl", gold)
    folder = tmp_path / "out"
    words = ["--input", source, "--output", folder, "--split", "train=.8,test=.2", *RULES]
    assert _run("anonymize", *words) == 3
    assert _markers(folder) == {"_HELD"}
    shown = [path.relative_to(folder) for path in folder.rglob("*.jsonl*")]
    assert {path.parts[0] for path in shown} == {".held", "quarantine"}
    datasets = pytest.importorskip("datasets", reason="loads the folder as users do")
    with pytest.raises(Exception) as caught:
        datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"), split="train")
    assert "Ruth" not in str(caught.value)


_NAME = {"start": 0, "end": 9, "label": "PERSON_NAME"}
