"""Clusters reconciled by the rules of PSILENCE: who stays readable, who never does, and where that is told."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_PARTY, _LAWYER, _JUDGE, _SEEN, _SPEAKING = "Olga Petrova", "Jo Doe", "Maria Kuan", "Bill Scott", "Ada Moss"
_HEARING = {
    "conversation_id": "case-1",
    "turns": [
        {"speaker": "agent", "text": f"For the claimant {_PARTY}: counsel {_LAWYER}."},
        {"speaker": _SPEAKING, "text": f"I am counsel {_SPEAKING}, and {_SEEN} saw it."},
        {"speaker": "agent", "text": f"Judge {_JUDGE} asked William Scott about {_PARTY}."},
    ],
}
_NAMES = [_PARTY, _LAWYER, _JUDGE, _SEEN, _SPEAKING, "William Scott"]
RULES = ("--detector", "rules")


def _config(folder: Path, reconcile: str, **more: Any) -> Path:
    """The case's own data says who is a party; all other names are known as names."""

    def words(info_type: str, names: list[str]) -> dict[str, Any]:
        return {"info_type": {"name": info_type}, "dictionary": {"word_list": {"words": names}}}

    path = folder / f"{reconcile}.json"
    sections = {
        "entities": {"reconcile": reconcile},
        "inspect": {
            "custom_info_types": [words("PARTY", [_PARTY]), words("PERSON_NAME", _NAMES[1:])],
        },
        **more,
    }
    path.write_text(json.dumps(sections))
    return path


def test_public_roles_stay_and_all_others_are_witnesses(
    tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path
) -> None:
    restricted = tmp_path / "restricted"
    asked = ("--config", _config(tmp_path, "paper"), "--dictionary", restricted)
    run = tacenda("anonymize", "--input", lines(_HEARING), *RULES, *asked)
    assert run.code == 0, run.err
    (written,) = run.corpus()
    assert written["turns"] == [
        {"speaker": "agent", "text": f"For the claimant {_PARTY}: counsel {_LAWYER}."},
        {"speaker": "[WITNESS_1]", "text": "I am counsel [WITNESS_1], and [WITNESS_2] saw it."},
        {"speaker": "agent", "text": f"Judge {_JUDGE} asked [WITNESS_2] about {_PARTY}."},
    ]
    assert [row["score"] for row in run.risk()] == [0]

    manifest = run.json("manifest.json")
    grounds = [ground["what"] for ground in manifest["verdict"]["rests_on"]]
    (ground,) = [what for what in grounds if "entities.reconcile: paper" in what]
    assert "4 findings are readable and not scored (JUDGE 1, LAWYER 1, PARTY 2)" in ground
    assert ground in (run.folder / "report.html").read_text("utf-8")
    assert manifest["config"]["entities"]["reconcile"] == "paper"
    assert manifest["pseudonymised"] is True

    folder = restricted / manifest["fingerprint"][:16]
    assert Path(manifest["dictionary"]["folder"]) == folder
    (path,) = folder.iterdir()
    assert path.stat().st_mode & 0o077 == 0
    (told,) = map(json.loads, path.read_text("utf-8").splitlines())
    assert told["clusters"]["WITNESS"] == [
        {_SPEAKING: [[1, 13, 21]]},
        {_SEEN: [[1, 27, 37]], "William Scott": [[2, 23, 36]]},
    ]
    assert set(told["clusters"]) == {"WITNESS", "PARTY", "LAWYER", "JUDGE"}
    for clusters in told["clusters"].values():
        for written, places in ((text, at) for cluster in clusters for text, at in cluster.items()):
            assert {_HEARING["turns"][turn]["text"][start:end] for turn, start, end in places} == {written}


def test_nothing_that_was_replaced_stands_in_the_output(
    tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path
) -> None:
    asked = ("--config", _config(tmp_path, "paper"), "--dictionary", tmp_path / "restricted")
    run = tacenda("anonymize", "--input", lines(_HEARING), *RULES, *asked, "--compression", "zstd")
    assert run.code == 0, run.err
    plain = {name: data for name, data in run.files().items() if not name.startswith("corpus/")}
    assert not [name for name, data in plain.items() for word in _NAMES if word.encode() in data]


def test_a_name_that_a_list_suppresses_is_replaced_whatever_its_role(
    tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path
) -> None:
    decided = tmp_path / "decided.yaml"
    decided.write_text(f"- {{suppress: {_JUDGE}, info_type: PERSON_NAME}}\n")
    config = _config(tmp_path, "paper", replacement={"lists": [str(decided)]})
    (written,) = tacenda("anonymize", "--input", lines(_HEARING), *RULES, "--config", config).corpus()
    assert written["turns"][2]["text"] == f"Judge [WITNESS_3] asked [WITNESS_2] about {_PARTY}."


@pytest.mark.parametrize("place", ["out", "out/dictionary"])
def test_the_dictionary_must_be_outside_the_output(
    tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path, place: str
) -> None:
    asked = ("--config", _config(tmp_path, "paper"), "--dictionary", tmp_path / place)
    run = tacenda("anonymize", "--input", lines(_HEARING), *RULES, *asked, output=tmp_path / "out")
    assert run.code == 2
    assert run.err.startswith("tacenda: --dictionary")
    assert len(run.err.splitlines()) == 1


def test_a_dictionary_without_reconciling_is_the_users_mistake(
    tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path
) -> None:
    run = tacenda("anonymize", "--input", lines(_HEARING), *RULES, "--dictionary", tmp_path / "restricted")
    assert run.code == 2
    assert "entities.reconcile" in run.err
    assert not (tmp_path / "restricted").exists()


def test_propagation_can_be_turned_off(
    tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path
) -> None:
    talk = {"conversation_id": "c", "turns": [{"speaker": "Olga", "text": "My parcel for Olga is late."}]}
    config = tmp_path / "config.yaml"
    config.write_text("entities: {propagate: false}\n")
    asked = ("--input", lines(talk), *RULES)
    assert "[PERSON_NAME_1] is late" in tacenda("anonymize", *asked).corpus()[0]["turns"][0]["text"]
    run = tacenda("anonymize", *asked, "--config", config)
    assert "Olga is late" in run.corpus()[0]["turns"][0]["text"]
    grounds = [ground["what"] for ground in run.json("manifest.json")["verdict"]["rests_on"]]
    assert any(what.startswith("entities.propagate") for what in grounds)
