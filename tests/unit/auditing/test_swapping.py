"""Names put in the place of others: what is found again says how much was found in the first place."""

import doctest
import lzma
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tacenda.transforms.auditing import swapping
from tacenda.transforms.auditing.swapping import (
    Swapped,
    found_again,
    region_of,
    sampled,
    swap,
)
from tacenda.transforms.auditing.unlisted import NAMES_FILE, unlisted
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.scoring.swap_figures import held_by_swaps, swap_statistics

ROOT = Path(__file__).parents[3]
KEY = b"0" * 16


def _found(text: str, *values: tuple[str, str]) -> list[Finding]:
    return sorted(
        Finding(match.start(), match.end(), kind, Likelihood.LIKELY, "rules")
        for value, kind in values
        for match in re.finditer(re.escape(value), text)
    )


def _counts(swapped: Swapped, findings: list[list[Finding]]) -> Counter[str]:
    return Counter(found_again(swapped, findings, "sales", "en"))


def test_examples() -> None:
    assert not doctest.testmod(swapping).failed


def test_a_name_is_another_everywhere_and_keeps_its_form() -> None:
    text = "Ann Lee called. ANN LEE said: ann lee, +1 415 555 0100 or ann@example.org"
    names = [(value, "PERSON_NAME") for value in ("Ann Lee", "ANN LEE", "ann lee")]
    findings = _found(text, *names, ("+1 415 555 0100", "PHONE_NUMBER"), ("ann@example.org", "EMAIL_ADDRESS"))
    (written,), swaps = swap([text], [findings], KEY)
    first, capitals, small, phone, mail = (written[one.start : one.end] for one in swaps)
    assert first.upper() == capitals
    assert first.lower() == small
    assert len(first.split()) == 2
    assert re.fullmatch(r"\+1 415 \d{3} \d{4}", phone)
    assert mail.endswith("@example.org")
    assert not {"ann", "lee"} & set(re.findall(r"\w+", written.casefold()))
    assert swap([text], [findings], KEY) == ([written], swaps)
    assert swap([text], [findings], b"1" * 16).texts != [written]


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("we talked about the garden", "prose"),
        ("Subject: rain\nthe garden is wet", "mail"),
        ("run `make test` and see", "code"),
        ('{"id": 7, "ok": true}\nthe garden', "records"),
    ],
)
def test_where_nothing_is_found_a_name_is_planted(text: str, region: str) -> None:
    (written,), (one,) = swap([text], [[]], KEY, "en")
    assert region_of(text) == one.region == region
    assert written.startswith(text)
    assert len(written[one.start : one.end].split()) == 2
    missed = _counts(Swapped([written], [one]), [[]])
    assert missed[f"kind of text/{region}/put"] == 1
    assert missed[f"kind of text/{region}/found"] == 0
    whole = [Finding(one.start, one.end, "PERSON_NAME", Likelihood.LIKELY, "rules")]
    assert _counts(Swapped([written], [one]), [whole])[f"kind of text/{region}/found"] == 1
    part = [whole[0]._replace(end=one.end - 3)]
    assert _counts(Swapped([written], [one]), [part])[f"kind of text/{region}/found"] == 0


def test_in_a_language_that_nothing_can_be_said_in_nothing_is_planted() -> None:
    assert swap(["talo on vihreä"], [[]], KEY, "fi") == (["talo on vihreä"], [])


def test_an_entity_that_is_found_in_one_place_is_found() -> None:
    text = "Ann Lee called. Ann Lee again."
    swapped = swap([text], [_found(text, ("Ann Lee", "PERSON_NAME"))], KEY, "en")
    once = [Finding(swapped.swaps[0].start, swapped.swaps[0].end, "PERSON_NAME", Likelihood.LIKELY, "rules")]
    assert _counts(swapped, [once])["all//found"] == _counts(swapped, [once])["all//put"] == 1


def test_a_kind_of_text_in_which_too_few_are_found_is_held_and_named() -> None:
    counts = {"all//put": 200, "all//found": 150}
    for by, put, found in (
        ("kind of text/code", 90, 50),
        ("context/a/b", 49, 9),
        ("infoType/LOCATION", 60, 9),
    ):
        counts |= {f"{by}/put": put, f"{by}/found": found}
    told = swap_statistics(counts)
    assert told is not None
    assert [one["name"] for one in told["groups"] if one["held"]] == ["code"]
    (reason,) = held_by_swaps(counts)
    assert "kind of text code: of 90 names put in the place of others, 50 were found again (56%" in reason
    assert not held_by_swaps({"context//put": 60, "context//found": 52})
    assert swap_statistics({}) is None


def test_the_sample_depends_on_the_text_alone() -> None:
    hashes = [f"{number * 2654435761 % 16**8:08x}" + "0" * 24 for number in range(4_000)]
    chosen = sampled(hashes, 0.05)
    assert 150 < len(chosen) < 250
    assert [hashes[i] for i in chosen] == [one for one in hashes if sampled([one], 0.05)]
    assert len(sampled(hashes, 1.0)) == 4_000


def test_names_are_of_many_origins_and_in_none_of_our_lists() -> None:
    known: set[str] = set()
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split():
        path = ROOT / name
        if not path.is_file() or path.name == NAMES_FILE or not name.startswith(("transforms", "models")):
            continue
        if path.suffix == ".xz":
            text = lzma.decompress(path.read_bytes()).decode()
        elif path.suffix in (".yaml", ".txt", ".tsv", ".csv", ".json", ".jsonl"):
            text = path.read_text("utf-8")
        else:
            continue
        known.update(re.findall(r"[^\W\d_]+", text.casefold()))
    assert len(known) > 500_000
    names = unlisted()
    assert len(names.people) >= 11
    words = {one for of in names.people.values() for several in of for one in several}
    words |= {*names.places, *names.organizations}
    assert not {word for word in words if word.casefold() in known}
