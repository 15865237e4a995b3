"""Which findings count in code, records, technical writing and speech."""

import re

import pytest

from tacenda.transforms.detecting.machine_text.admission import Admission
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.growth import grows_linearly


def found(
    text: str, value: str, info_type: str, detector: str, likelihood: Likelihood = Likelihood.LIKELY
) -> Finding:
    start = text.index(value)
    return Finding(start, start + len(value), info_type, likelihood, detector)


def counts(text: str, value: str, info_type: str, detector: str, part: str | None = None) -> bool:
    one = found(text, value, info_type, detector)
    return one in Admission().admitted([text], [part], [[one]])[0]


PYTHON = "```python\n{}\n```"


@pytest.mark.parametrize(
    ("code", "value", "info_type", "detector", "does"),
    [
        ("def __init__(self):", "__init__", "PERSON_NAME", "model", False),
        ("for x in range(1000):", "1000", "NUMERIC", "rules", False),
        ("f([1, 2, 3, 4])", "1, 2, 3, 4", "PHONE_NUMBER", "spoken", False),
        ("customer_4471 = 1", "customer_4471", "GENERIC_ID", "rules", False),
        ("name = 'Anna Berg'", "Anna Berg", "PERSON_NAME", "model", True),
        ("name = 'Anna'  # hers", "Anna", "PERSON_NAME", "gazetteer", True),
        ("x = 1  # ask Anna Berg", "Anna Berg", "PERSON_NAME", "model", True),
        ("Anna = 1", "Anna", "PERSON_NAME", "gazetteer", False),
        ("f('hello world')", "hello world", "PERSON_NAME", "model", False),
        ("mail('ann@example.com')", "ann@example.com", "EMAIL_ADDRESS", "rules", True),
        ("key = AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE", "AWS_CREDENTIALS", "rules", True),
        ("ip = 203.0.113.9", "203.0.113.9", "IP_ADDRESS", "rules", True),
        ("u = 'https://example.com/users/ann'", "https://example.com/users/ann", "URL", "rules", True),
        ("u = 'https://example.com/docs'", "https://example.com/docs", "URL", "rules", False),
        ("ssn = '078-05-1120'", "078-05-1120", "US_SOCIAL_SECURITY_NUMBER", "rules", True),
        ("phone = '070-123 45 67'", "070-123 45 67", "PHONE_NUMBER", "rules", True),
        ("x = 'JavaScript'", "JavaScript", "LOCATION", "model", False),
    ],
)
def test_in_code_only_what_has_a_form_and_names_in_strings_count(
    code: str, value: str, info_type: str, detector: str, does: bool
) -> None:
    assert counts(PYTHON.format(code), value, info_type, detector) is does


@pytest.mark.parametrize(
    ("line", "value", "info_type", "detector", "does"),
    [
        ("2025-08-13 12:00:01 INFO app[7]: took 4711 ms", "4711", "GENERIC_ID", "model", False),
        ("2025-08-13 12:00:01 INFO app[7]: user=jsmith in", "jsmith", "USER_NAME", "rules", True),
        ("2025-08-13 12:00:01 INFO app[7]: user=root in", "root", "USER_NAME", "rules", False),
        (
            "2025-08-13 12:00:01 INFO pod[7]: uid=be2def59-3a08-42fd-8f84-6f64cfcefa93 in",
            "be2def59-3a08-42fd-8f84-6f64cfcefa93",
            "USER_NAME",
            "rules",
            False,
        ),
        ("2025-08-13 12:00:01 INFO app[7]: run /home/start.sh", "start.sh", "USER_NAME", "rules", False),
        ("2025-08-13 12:00:01 INFO app[7]: run /home/s.tart", "s.tart", "USER_NAME", "rules", True),
        ('{"level":"info","user":"jeff"}', "jeff", "PERSON_NAME", "model", True),
        ('{"level":"info","logger":"jeff"}', "jeff", "PERSON_NAME", "model", False),
        ("2025-08-13 12:00:01 INFO app[7]: Anna Berg left", "Anna Berg", "PERSON_NAME", "model", True),
        (
            "2025-08-13 12:00:01 INFO app[7]: Cache Manager left",
            "Cache Manager",
            "PERSON_NAME",
            "model",
            False,
        ),
        ("2025-08-13 12:00:01 INFO took 0.000275783 s", "000275783", "PHONE_NUMBER", "rules", False),
        ("2025-08-13 12:00:01 INFO customer 4471882 x=1", "4471882", "GENERIC_ID", "rules", True),
        ("2025-08-13 12:00:01 INFO trace 4471882 x=1", "4471882", "GENERIC_ID", "rules", False),
    ],
)
def test_in_records_only_what_has_a_form_a_key_or_a_cue_counts(
    line: str, value: str, info_type: str, detector: str, does: bool
) -> None:
    assert counts(line, value, info_type, detector) is does


@pytest.mark.parametrize(
    ("text", "value", "info_type", "detector", "does"),
    [
        ("Use `f(x)` with Pydantic now.", "Pydantic", "PERSON_NAME", "model", False),
        ("Use `f(x)`, says Anna Berg.", "Anna Berg", "PERSON_NAME", "model", True),
        ("I am Thandiwe, see `f(x)`.", "Thandiwe", "PERSON_NAME", "rules", True),
        ("I live in Uppsala and use `f(x)`.", "Uppsala", "LOCATION", "gazetteer", True),
        ("The Hub has `f(x)`.", "Hub", "LOCATION", "gazetteer", False),
    ],
)
def test_in_technical_writing_names_need_the_lists_or_their_owner(
    text: str, value: str, info_type: str, detector: str, does: bool
) -> None:
    assert counts(text, value, info_type, detector) is does


@pytest.mark.parametrize("detector", ["model", "rules", "spoken", "gazetteer"])
@pytest.mark.parametrize("info_type", ["PERSON_NAME", "GENERIC_ID", "PASSWORD", "LOCATION", "NUMERIC"])
def test_speech_is_searched_entirely(detector: str, info_type: str) -> None:
    assert counts("well, it is zanzibar 4471 thanks", "zanzibar 4471", info_type, detector)


def test_technical_terms_and_public_pages_never_count() -> None:
    assert not counts("we read Kubernetes today", "Kubernetes", "PERSON_NAME", "model")
    assert not counts("see github.com today", "github.com", "DOMAIN_NAME", "rules")
    assert counts("see berg-bygg.se today", "berg-bygg.se", "DOMAIN_NAME", "rules")


def test_a_finding_is_cut_at_the_edge_of_a_region() -> None:
    text = "Anna Berg\n```python\nprint(1)\n```"
    one = Finding(0, text.index("(1)"), "PERSON_NAME", Likelihood.LIKELY, "model")
    left = Admission().admitted([text], [None], [[one]])[0]
    assert [text[f.start : f.end].strip() for f in left] == ["Anna Berg"]


@pytest.mark.parametrize(
    ("part", "text", "does"),
    [
        ("json.created", "1544712660300000000", False),
        ("json.customer.account", "4471882", True),
        ("json.trace_id", "5B8EFFF798038103D269B633813FC60C", False),
        ("json.logger", "http.log.access", False),
        ("json.user", "anna.berg", True),
        (None, "4471882", True),
    ],
)
def test_the_key_of_a_number_decides_whether_it_is_personal(part: str | None, text: str, does: bool) -> None:
    assert counts(text, text, "GENERIC_ID", "model", part) is does


def test_what_a_config_defines_counts_everywhere() -> None:
    text = PYTHON.format("badge_4471 = 1")
    one = found(text, "badge_4471", "BADGE", "rules")
    assert Admission({"BADGE"}).admitted([text], [None], [[one]]) == [[one]]


def test_a_conversation_that_is_mostly_code_is_technical() -> None:
    question = "show Uvicorn to me"
    answer = PYTHON.format("run(app)\n" * 9)
    one = found(question, "Uvicorn Starlette"[:7], "PERSON_NAME", "model")
    assert Admission().admitted([question, answer], [None, None], [[one], []])[0] == []


def test_time_grows_with_findings_and_regions() -> None:
    def run(size: int) -> None:
        text = "`f(x)` is of Anna Berg in Uppsala\n" * size
        several = [
            Finding(*match.span(), info_type, Likelihood.LIKELY, "model")
            for match in re.finditer("Anna Berg|Uppsala", text)
            for info_type in ("PERSON_NAME", "LOCATION")
        ]
        Admission().admitted([text], [None], [several])

    run(1)
    assert grows_linearly(run, 60)


@pytest.mark.parametrize(
    ("text", "piece", "does"),
    [
        ("see https://docs.python.org/3/ for it", "https", False),
        ("see https://docs.python.org/3/?user=ann for it", "https", True),
        ("see docs.python.org for it", "docs.python.org", False),
    ],
)
def test_a_piece_of_a_url_counts_if_the_whole_does(text: str, piece: str, does: bool) -> None:
    one = found(text, piece, "URL", "model")
    assert bool(Admission().admitted([text], [None], [[one]])[0]) is does
