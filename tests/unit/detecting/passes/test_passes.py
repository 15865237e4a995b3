"""What counts within code and records, and that prose beside them is prose."""

import itertools

import pytest

from tacenda.pipelines.chain.passes import PASSES, Conversation, propagate, run_passes
from tacenda.transforms.detecting.passes.code import drop_code
from tacenda.transforms.detecting.passes.regions import Kind, regions
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.cases import cases, tabled

PERSON, ORGANIZATION = "PERSON_NAME", "ORGANIZATION_NAME"
SURE, WEAK = Likelihood.VERY_LIKELY, Likelihood.POSSIBLE


def left(text, said, info_type, detector="model", likelihood=WEAK, part=None):
    start = text.index(said)
    found = [Finding(start, start + len(said), info_type, likelihood, detector)]
    return [text[one.start : one.end] for one in drop_code([text], [part], [found])[0]]


PROSE = cases(__file__, "PROSE")


@pytest.mark.parametrize("form", PROSE)
@pytest.mark.parametrize("name", ["Adaeze Okafor", "Nguyễn Thị Lan", "Fatima al-Sayed", "Maria Kolvou"])
def test_names_in_prose_count_whatever_stands_beside_them(form, name):
    assert left(PROSE[form].replace("{}", name), name, PERSON) == [name]
    assert left(PROSE[form].replace("{}", name), name, ORGANIZATION) == [name]


def test_a_list_of_numbers_in_json_counts_where_its_key_says_whose_they_are():
    numbers = "10485760, 5242880"
    assert left(numbers, "10485760", "PHONE_NUMBER", part="json.sizes") == []
    assert left(numbers, "10485760", "PHONE_NUMBER", part="json.phones") == ["10485760"]


CODE = cases(__file__, "CODE")


@pytest.mark.parametrize("form", CODE)
def test_names_of_programs_do_not_count(form):
    text = CODE[form].replace("{}", "randInt")
    assert not left(text, "randInt", PERSON, likelihood=SURE)


@pytest.mark.parametrize(
    ("text", "said", "info_type", "detector", "likelihood", "counts"), cases(__file__, "VALUES")
)
def test_values_count_by_key_by_form_or_as_a_sure_name(text, said, info_type, detector, likelihood, counts):
    assert left(text, said, info_type, detector, Likelihood[likelihood]) == ([said] if counts else [])


def test_what_reaches_into_prose_is_judged_as_prose():
    text = "Ask Ann `x1`"
    assert left(text, "Ann `x1`", PERSON) == ["Ann `x1`"]


def test_a_name_is_cut_where_a_string_begins():
    assert left('x.greet("Ann Berg");', 'greet("Ann Berg', PERSON, likelihood=SURE) == ["Ann Berg"]


def test_own_types_count_everywhere():
    found = [Finding(0, 5, "TICKET", WEAK, "rules")]
    assert drop_code(["x = f;"], [None], [found], {"TICKET"}) == [found]


def test_regions_are_disjoint_and_keep_prose_out():
    text = "Hi Ann,\n2026-01-05 10:00:00 INFO user=Ann\nsee `f(x)`, Ann\nat com.x.Y(Z.java:1)\n"
    found = regions(text)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    assert {"".join(text[r.start : r.end]).strip() for r in found if r.kind is Kind.VALUE} >= {"Ann"}
    assert not any(text[r.start : r.end].startswith("Hi") for r in found)


def fitted(text, *found):
    """What is left, as text and infoType, of (text, infoType, detector, likelihood)."""
    findings = [Finding(text.index(s), text.index(s) + len(s), t, like, d) for s, t, d, like in found]
    conversation = Conversation([text], [None], rank=ranks())
    passes = [one for one in PASSES if one is not propagate]
    left = run_passes(conversation, [findings], passes)
    return [(text[one.start : one.end], one.info_type) for one in left[0]]


@tabled("found", "people")
def test_one_finding_for_each_person_ends_at_the_name(found, people):
    left = [said for said, _ in fitted(f"so {found} then", (found, PERSON, "model", SURE))]
    assert left == people or left == people[1:]


def test_the_better_finding_keeps_its_edges_and_the_rest_is_covered():
    text = "Ines Duarte 12 Mill Road Hadley"
    left = fitted(
        text,
        ("Ines Duarte 12 Mill Road", "STREET_ADDRESS", "model", WEAK),
        ("12 Mill Road Hadley", "STREET_ADDRESS", "rules", Likelihood.LIKELY),
        ("Ines Duarte", PERSON, "model", SURE),
    )
    covered = "".join(said for said, _ in left).replace(" ", "")
    assert sorted(covered) == sorted(text.replace(" ", ""))


def test_a_likely_value_swallows_its_parts():
    text = "card 4111 1111 1111 1111 now"
    left = fitted(
        text,
        ("4111 1111 1111 1111", "CREDIT_CARD_NUMBER", "rules", SURE),
        ("1111", "NUMERIC", "rules", WEAK),
        ("4111 1111", "PHONE_NUMBER", "model", WEAK),
    )
    assert left == [("4111 1111 1111 1111", "CREDIT_CARD_NUMBER")]


def test_a_weakly_introduced_name_yields_to_what_the_network_sees():
    text = "its name is Oslo Harbour"
    found = (("Oslo Harbour", PERSON, "rules", WEAK), ("Oslo Harbour", "LOCATION", "model", WEAK))
    assert fitted(text, *found) == [("Oslo Harbour", "LOCATION")]
