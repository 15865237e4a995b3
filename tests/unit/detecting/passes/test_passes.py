"""What counts within code and records, and that prose beside them is prose."""

import itertools

import pytest

from tacenda.pipelines.chain.passes import PASSES, Conversation, propagate, run_passes
from tacenda.transforms.detecting.passes.code import drop_code
from tacenda.transforms.detecting.passes.regions import Kind, regions
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.cases import cases

PERSON, ORGANIZATION = "PERSON_NAME", "ORGANIZATION_NAME"

SURE, WEAK = Likelihood.VERY_LIKELY, Likelihood.POSSIBLE


def left(text, said, info_type, detector="model", likelihood=WEAK, part=None):
    start = text.index(said)
    found = [Finding(start, start + len(said), info_type, likelihood, detector)]
    return [text[one.start : one.end] for one in drop_code([text], [part], [found])[0]]


PROSE = {
    "header of a mail": "Subject: FW\nX-cc:\nX-From: list\n{}\n",
    "inline code": "Please run `make test` with {} today",
    "words set off": "the user `{}` wrote",
    "beside a path": "{} edited /etc/hosts and src/main.py",
    "beside a log line": "{} saw it.\n2026-01-05T10:00:00Z INFO up status=200\nAsk {}.",
    "between fences": "```python\nx = f(1)\n```\n{} wrote this\n```\ny = 2;\n```\n",
    "a form": "Name: {}\nPhone: 1\nCity: 2\n",
    "a chat": "anna: hi\n{}: hello\nanna: bye",
    "a list of Markdown": "# Team\n- {}\n- [docs](https://x.example)\n",
    "a fence that never ends": "```\n{} says hello to all of you there",
}


@pytest.mark.parametrize("form", PROSE)
@pytest.mark.parametrize("name", ["Adaeze Okafor", "Nguyễn Thị Lan", "Fatima al-Sayed", "Maria Kolvou"])
def test_names_in_prose_count_whatever_stands_beside_them(form, name):
    assert left(PROSE[form].replace("{}", name), name, PERSON) == [name]
    assert left(PROSE[form].replace("{}", name), name, ORGANIZATION) == [name]


@pytest.mark.parametrize(
    ("text", "said", "info_type", "counts"), cases(__file__, "test_public_references_are_nobody_s")
)
def test_public_references_are_nobody_s(text, said, info_type, counts):
    assert left(text, said, info_type) == ([said] if counts else [])


def test_a_list_of_numbers_in_json_counts_where_its_key_says_whose_they_are():
    numbers = "10485760, 5242880"
    assert left(numbers, "10485760", "PHONE_NUMBER", part="json.sizes") == []
    assert left(numbers, "10485760", "PHONE_NUMBER", part="json.phones") == ["10485760"]


CODE = {
    "fence": "```python\nfrom x import y\n{} = f(1)\n```\n",
    "inline code": "call `{}()` first",
    "a statement": "x = 1;\nreturn {};\n",
    "the key of a record": '{"{}": 1, "b": [2]}',
    "a path": "open /srv/{}/data.json now",
}


@pytest.mark.parametrize("form", CODE)
def test_names_of_programs_do_not_count(form):
    text = CODE[form].replace("{}", "randInt")
    assert not left(text, "randInt", PERSON, likelihood=SURE)


@pytest.mark.parametrize(
    ("text", "said", "info_type", "detector", "likelihood", "counts"),
    [
        ("2026-01-05 10:00:00 INFO login user=annberg ok=1", "annberg", "USER_NAME", "model", WEAK, True),
        ("2026-01-05 10:00:00 INFO login user=root ok=1", "root", "USER_NAME", "model", WEAK, False),
        ("2026-01-05 10:00:00 INFO name=Ann Berg ok=1", "Ann Berg", PERSON, "model", WEAK, True),
        ("2026-01-05 10:00:00 INFO pwd=x7Gh2 ok=1", "x7Gh2", "PASSWORD", "model", WEAK, True),
        ("2026-01-05 10:00:00 INFO state=Running", "Running", ORGANIZATION, "model", SURE, False),
        ("2026-01-05 10:00:00 INFO met Ann Berg", "Ann Berg", PERSON, "model", SURE, True),
        ("2026-01-05 10:00:00 INFO met Ann Berg", "Ann Berg", PERSON, "model", WEAK, False),
        ("2026-01-05 10:00:00 INFO port 80801", "80801", "NUMERIC", "rules", WEAK, False),
        ("2026-01-05 10:00:00 INFO to ann@x.org", "ann@x.org", "EMAIL_ADDRESS", "rules", SURE, True),
        ("```python\nmail('ann@x.org')\n```", "ann@x.org", "EMAIL_ADDRESS", "rules", SURE, True),
        ('```python\ngreet("Ann Berg")\n```', "Ann Berg", PERSON, "propagation", Likelihood.LIKELY, True),
        ('```json\n{"name": "pxc-cluster"}\n```', "pxc-cluster", PERSON, "rules", WEAK, False),
        ('{"dob": "4 May 1980", "ok": true}', "4 May 1980", "DATE_OF_BIRTH", "model", WEAK, True),
    ],
)
def test_values_count_by_key_by_form_or_as_a_sure_name(text, said, info_type, detector, likelihood, counts):
    assert left(text, said, info_type, detector, likelihood) == ([said] if counts else [])


def test_what_reaches_into_prose_is_judged_as_prose():
    text = "Ask Ann `x1`"
    assert left(text, "Ann `x1`", PERSON) == ["Ann `x1`"]


def test_a_name_is_cut_where_a_string_begins():
    assert left('```python\ngreet("Ann Berg")\n```', 'greet("Ann Berg', PERSON, likelihood=SURE) == [
        "Ann Berg"
    ]


def test_own_types_count_everywhere():
    found = [Finding(0, 5, "TICKET", WEAK, "rules")]
    assert drop_code(["x = f;"], [None], [found], {"TICKET"}) == [found]


def test_regions_are_disjoint_and_keep_prose_out():
    text = "Hi Ann,\n```yaml\nuser: Ann\n```\nsee src/main.py, Ann\nat com.x.Y(Z.java:1)\n"
    found = regions(text)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    assert {"".join(text[r.start : r.end]).strip() for r in found if r.kind is Kind.VALUE} >= {"Ann"}
    assert not any(text[r.start : r.end].startswith("Hi") for r in found)


def test_a_program_in_json_is_code_from_its_first_line_to_its_last():
    code = "def area(shape):\n    if shape.kind == Circle:\n        return pi * Anna ** 2\n    raise Grace\n"
    assert left(code, "Anna", PERSON, part="tool_calls.0.arguments.code") == []
    assert left(code, "Grace", PERSON, part="tool_calls.0.arguments.code") == []
    prose = "Dear Anna,\nI hope that all is well.\nYours, Grace"
    assert left(prose, "Grace", PERSON, part="tool_calls.0.arguments.body") == ["Grace"]


LIKELY, SURE_OF_NAMES, WEAK_OF_NAMES = Likelihood.LIKELY, Likelihood.VERY_LIKELY, Likelihood.POSSIBLE

PERSON_OF_NAMES = "PERSON_NAME"


def fitted(text, *found):
    """What is left, as text and infoType, of (text, infoType, detector, likelihood)."""
    findings = [Finding(text.index(s), text.index(s) + len(s), t, like, d) for s, t, d, like in found]
    conversation = Conversation([text], [None], rank=ranks())
    passes = [one for one in PASSES if one is not propagate]
    *_, (_, left) = run_passes(conversation, [findings], passes)
    return [(text[one.start : one.end], one.info_type) for one in left[0]]


@pytest.mark.parametrize(
    ("found", "people"), cases(__file__, "test_one_finding_for_each_person_ends_at_the_name")
)
def test_one_finding_for_each_person_ends_at_the_name(found, people):
    left = [said for said, _ in fitted(f"so {found} then", (found, PERSON_OF_NAMES, "model", SURE_OF_NAMES))]
    assert left == people or left == people[1:]


def test_the_better_finding_keeps_its_edges_and_the_rest_is_covered():
    text = "Ines Duarte 12 Mill Road Hadley"
    left = fitted(
        text,
        ("Ines Duarte 12 Mill Road", "STREET_ADDRESS", "model", WEAK_OF_NAMES),
        ("12 Mill Road Hadley", "STREET_ADDRESS", "rules", LIKELY),
        ("Ines Duarte", PERSON_OF_NAMES, "model", SURE_OF_NAMES),
    )
    covered = "".join(said for said, _ in left).replace(" ", "")
    assert sorted(covered) == sorted(text.replace(" ", ""))


def test_a_likely_value_swallows_its_parts():
    text = "card 4111 1111 1111 1111 now"
    left = fitted(
        text,
        ("4111 1111 1111 1111", "CREDIT_CARD_NUMBER", "rules", SURE_OF_NAMES),
        ("1111", "NUMERIC", "rules", WEAK_OF_NAMES),
        ("4111 1111", "PHONE_NUMBER", "model", WEAK_OF_NAMES),
    )
    assert left == [("4111 1111 1111 1111", "CREDIT_CARD_NUMBER")]


def test_a_weakly_introduced_name_yields_to_what_the_network_sees():
    text = "its name is Oslo Harbour"
    found = (
        ("Oslo Harbour", PERSON_OF_NAMES, "rules", WEAK_OF_NAMES),
        ("Oslo Harbour", "LOCATION", "model", WEAK_OF_NAMES),
    )
    assert fitted(text, *found) == [("Oslo Harbour", "LOCATION")]
