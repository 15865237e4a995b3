"""What stays readable, and the swap test."""

import lzma
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.auditing.residuals import (
    cuts_a_word,
    gold_residuals,
    is_own,
    outside_gold,
    same_as_gold,
    second_look_residuals,
    still_readable,
)
from tacenda.transforms.auditing.swapping import (
    NAMES_FILE,
    Swapped,
    found_again,
    region_of,
    sampled,
    swap,
    unlisted,
)
from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.scoring.detector_checks import held_by_swaps, swap_statistics
from tests.cases import tabled
from tests.growth import grows_linearly


def findings(*places, info_type="X"):
    return [Finding(start, end, info_type, Likelihood.UNLIKELY, "model") for start, end in places]


@tabled("text", "replaced", "cuts")
def test_a_word_is_cut_where_letters_stand_on_both_sides_of_an_edge(text, replaced, cuts):
    start = text.index(replaced)
    assert cuts_a_word(text, findings((start, start + len(replaced)))) is cuts
    assert not cuts_a_word(text, [])


TEXT = "I am Rachel Green, 42."


@tabled("span", "found", "left")
def test_what_of_a_span_is_readable(span, found, left):
    residuals = gold_residuals([TEXT], [[AnnotatedSpan(*span, "PERSON_NAME", "e1")]], [findings(*found)])
    value = TEXT[slice(*span)]
    expected = Residual("PERSON_NAME", value, partial=left == "part", entity="e1", place=(0, *span))
    assert residuals == ([expected] if left else [])


@pytest.mark.parametrize("places", [[], [(40, 44)]])
def test_a_company_named_by_the_calling_speaker_is_theirs(places):
    text = "This is Pam from Dunder Mifflin, not from Staples."
    spans = [AnnotatedSpan(17, 31, "ORGANIZATION_NAME"), AnnotatedSpan(42, 49, "ORGANIZATION_NAME")]
    found, of_speakers = [findings(*places)], {"ORGANIZATION_NAME"}
    assert [r.speaker for r in gold_residuals([text], [spans], found, of_speakers)] == [True, False]
    assert not any(r.speaker for r in gold_residuals([text], [spans], found))


@pytest.mark.parametrize("readable", [False, True])
def test_time_grows_with_spans_and_findings_and_not_with_their_product(readable):
    def look(count):
        text = "Ana Berg, " * count
        spans = [AnnotatedSpan(0, len(text), "PERSON_NAME")] * count
        last = 10 * count - 10 * readable
        found = findings(*((i, i + 8) for i in range(0, last, 10)))
        assert bool(gold_residuals([text], [spans], [found])) is readable

    assert grows_linearly(look, 200)


@given(
    st.text("aB ._", min_size=12, max_size=12),
    st.tuples(st.integers(0, 12), st.integers(0, 12)),
    st.lists(st.integers(0, 12), max_size=6, unique=True),
)
def test_what_is_readable_is_counted_character_by_character(text, span, edges):
    start, end = sorted(span)
    edges = sorted(edges)
    ranges = list(zip(edges[::2], edges[1::2], strict=False))
    covered = {i for a, b in ranges for i in range(a, b)}
    whole = [i for i in range(start, end) if text[i].isalnum()]
    left = [i for i in whole if i not in covered]
    place = 0, start, end
    expected = [Residual("X", text[start:end], len(left) < len(whole), place=place)] if left else []
    assert gold_residuals([text], [[AnnotatedSpan(start, end, "X")]], [findings(*ranges)]) == expected


@tabled("spans", "outside")
def test_findings_that_touch_no_span_are_outside(spans, outside):
    found = findings((0, 5), (8, 10), (20, 30))
    assert outside_gold(found, [AnnotatedSpan(*span, "PERSON_NAME") for span in spans]) == outside


def test_findings_that_are_gold_are_counted_whatever_their_label():
    found = findings((0, 3), (5, 9), (10, 12))
    spans = [AnnotatedSpan(0, 3, "AGE"), AnnotatedSpan(0, 3, "DATE"), AnnotatedSpan(5, 8, "AGE")]
    assert same_as_gold(found, spans) == 1


@tabled("text", "value", "info_type", "partial", "own")
def test_what_a_second_look_says_of_a_value(text, value, info_type, partial, own):
    place = text.index(value), text.index(value) + len(value)
    left = second_look_residuals([text], [findings(place, info_type=info_type)], {"ORGANIZATION_NAME"})
    assert left == [Residual(info_type, value, partial, own, place=(0, *place))]


@tabled("own", "texts")
def test_speakers_represent_a_company_or_only_mention_it(own, texts):
    for text in (*texts, *(map(str.upper, texts) if own else ())):
        start, end = text.index("<"), text.index(">") - 1
        assert is_own(text.replace("<", "").replace(">", ""), start, end) is own, text


def test_speaker_cues_take_linear_time():
    def look(repeats):
        text = "this is our our our at at from " * repeats + "Acme" + " speaking this is" * repeats
        is_own(text, 31 * repeats, 31 * repeats + 4)

    assert grows_linearly(look, 2000)


SAID = "Pam saw Dwight in New York."
NEW = "[PERSON_NAME_1] saw Dwight in New [LOCATION_12]."
REPLACED = [(0, 3), (22, 26)]


@tabled("unsure", "left")
def test_parts_that_are_left(unsure, left):
    found = still_readable(findings(*unsure), findings(*REPLACED), NEW)
    assert [NEW[f.start : f.end] for f in found] == left


def test_without_replacements_nothing_moves_and_a_text_of_other_findings_is_refused():
    assert still_readable(findings((8, 14)), [], SAID) == findings((8, 14))
    with pytest.raises(ValueError, match="does not have the tokens"):
        still_readable(findings((8, 14)), findings((4, 7)), SAID)


@pytest.mark.parametrize(
    "unsure",
    [
        lambda i, _: (i * 29 + 18, i * 29 + 21),  # beside each other
        lambda _, repeats: (0, 29 * repeats),  # over the whole text
        lambda i, repeats: (i, 28 * repeats + i),  # each a little further than the one before
    ],
)
def test_time_grows_with_the_text_and_not_with_findings_over_findings(unsure):
    def look(repeats):
        new = "[PERSON_NAME_1] met Ana today. " * repeats
        replaced = findings(*((i * 29, i * 29 + 13) for i in range(repeats)))
        left = still_readable(findings(*(unsure(i, repeats) for i in range(repeats))), replaced, new)
        assert second_look_residuals([new], [left])

    assert grows_linearly(look, 200)


_PLACES = st.lists(st.tuples(st.integers(0, 14), st.integers(1, 8)), max_size=6)


@given(st.text("aB ._", min_size=14, max_size=14), _PLACES, st.sets(st.integers(0, 13)))
def test_remaining_text_is_the_same_for_one_and_many_findings(text, unsure, cuts):
    replaced = findings(*((at, at + 1) for at in sorted(cuts)))
    new = "".join("[X_1]" if i in cuts else c for i, c in enumerate(text))
    several = findings(*((start, min(start + size, 14)) for start, size in unsure if start < 14))
    together = merge_overlapping(still_readable(several, replaced, new), {})
    apart = merge_overlapping([left for one in several for left in still_readable([one], replaced, new)], {})
    assert together == apart


ROOT = Path(__file__).parents[3]
KEY = b"0" * 16


def _found(text, *values):
    return sorted(
        Finding(match.start(), match.end(), kind, Likelihood.LIKELY, "rules")
        for value, kind in values
        for match in re.finditer(re.escape(value), text)
    )


def _counts(swapped, findings):
    return Counter(found_again(swapped, findings, "sales", "en"))


def test_a_name_is_another_everywhere_and_keeps_its_form():
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


@tabled("text", "region")
def test_where_nothing_is_found_a_name_is_planted(text, region):
    (written,), (one,) = swap([text], [[]], KEY, "en")
    assert region_of(text) == one.region == region
    assert written.startswith(text)
    assert len(written[one.start : one.end].split()) == 2
    missed = _counts(Swapped([written], [one]), [[]])
    assert missed[f"kind of text/{region}/put"] == 1
    assert missed[f"kind of text/{region}/found"] == 0
    for left, found in ((0, 1), (3, 0)):
        again = [findings((one.start, one.end - left))]
        assert _counts(Swapped([written], [one]), again)[f"kind of text/{region}/found"] == found


def test_in_a_language_that_nothing_can_be_said_in_nothing_is_planted():
    assert swap(["talo on vihreä"], [[]], KEY, "fi") == (["talo on vihreä"], [])


def test_an_entity_that_is_found_in_one_place_is_found():
    text = "Ann Lee called. Ann Lee again."
    swapped = swap([text], [_found(text, ("Ann Lee", "PERSON_NAME"))], KEY, "en")
    once = findings((swapped.swaps[0].start, swapped.swaps[0].end))
    assert _counts(swapped, [once])["all//found"] == _counts(swapped, [once])["all//put"] == 1


def test_a_kind_of_text_in_which_too_few_are_found_is_held_and_named():
    counts = {"all//put": 200, "all//found": 150}
    counts |= {"kind of text/code/put": 90, "kind of text/code/found": 50}
    counts |= {"context/a/b/put": 49, "context/a/b/found": 9}
    counts |= {"infoType/LOCATION/put": 60, "infoType/LOCATION/found": 9}
    told = swap_statistics(counts)
    assert told is not None
    assert [one["name"] for one in told["groups"] if one["held"]] == ["code"]
    (reason,) = held_by_swaps(counts)
    assert "kind of text code: of 90 names put in the place of others, 50 were found again (56%" in reason
    assert not held_by_swaps({"context//put": 60, "context//found": 52})
    assert swap_statistics({}) is None


def test_the_sample_depends_on_the_text_alone():
    hashes = [f"{number * 2654435761 % 16**8:08x}" + "0" * 24 for number in range(4_000)]
    chosen = sampled(hashes, 0.05)
    assert 150 < len(chosen) < 250
    assert [hashes[i] for i in chosen] == [one for one in hashes if sampled([one], 0.05)]
    assert len(sampled(hashes, 1.0)) == 4_000


def test_names_are_of_many_origins_and_in_none_of_our_lists():
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
