"""What counts within code and records, and that prose beside them is prose."""

import itertools

import pytest

from tacenda.transforms.detecting.passes.code import drop_code
from tacenda.transforms.detecting.passes.regions import Kind, regions
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

PERSON, ORGANIZATION = "PERSON_NAME", "ORGANIZATION_NAME"
SURE, WEAK = Likelihood.VERY_LIKELY, Likelihood.POSSIBLE


def left(
    text: str,
    said: str,
    info_type: str,
    detector: str = "model",
    likelihood: Likelihood = WEAK,
    part: str | None = None,
) -> list[str]:
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
def test_names_in_prose_count_whatever_stands_beside_them(form: str, name: str) -> None:
    assert left(PROSE[form].replace("{}", name), name, PERSON) == [name]
    assert left(PROSE[form].replace("{}", name), name, ORGANIZATION) == [name]


CODE = {
    "fence": "```python\nfrom x import y\n{} = f(1)\n```\n",
    "inline code": "call `{}()` first",
    "a statement": "x = 1;\nreturn {};\n",
    "the key of a record": '{"{}": 1, "b": [2]}',
    "a path": "open /srv/{}/data.json now",
}


@pytest.mark.parametrize("form", CODE)
def test_names_of_programs_do_not_count(form: str) -> None:
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
def test_values_count_by_key_by_form_or_as_a_sure_name(
    text: str, said: str, info_type: str, detector: str, likelihood: Likelihood, counts: bool
) -> None:
    assert left(text, said, info_type, detector, likelihood) == ([said] if counts else [])


def test_what_reaches_into_prose_is_judged_as_prose() -> None:
    text = "Ask Ann `x1`"
    assert left(text, "Ann `x1`", PERSON) == ["Ann `x1`"]


def test_a_name_is_cut_where_a_string_begins() -> None:
    assert left('```python\ngreet("Ann Berg")\n```', 'greet("Ann Berg', PERSON, likelihood=SURE) == [
        "Ann Berg"
    ]


def test_own_types_count_everywhere() -> None:
    found = [Finding(0, 5, "TICKET", WEAK, "rules")]
    assert drop_code(["x = f;"], [None], [found], {"TICKET"}) == [found]


def test_regions_are_disjoint_and_keep_prose_out() -> None:
    text = "Hi Ann,\n```yaml\nuser: Ann\n```\nsee src/main.py, Ann\nat com.x.Y(Z.java:1)\n"
    found = regions(text)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    assert {"".join(text[r.start : r.end]).strip() for r in found if r.kind is Kind.VALUE} >= {"Ann"}
    assert not any(text[r.start : r.end].startswith("Hi") for r in found)


def test_a_program_in_json_is_code_from_its_first_line_to_its_last() -> None:
    code = "def area(shape):\n    if shape.kind == Circle:\n        return pi * Anna ** 2\n    raise Grace\n"
    assert left(code, "Anna", PERSON, part="tool_calls.0.arguments.code") == []
    assert left(code, "Grace", PERSON, part="tool_calls.0.arguments.code") == []
    prose = "Dear Anna,\nI hope that all is well.\nYours, Grace"
    assert left(prose, "Grace", PERSON, part="tool_calls.0.arguments.body") == ["Grace"]
