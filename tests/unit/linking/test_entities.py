from collections.abc import Callable
from itertools import cycle, islice

import pytest

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import replace_conversation
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.growth import grows_linearly, is_linear_work


def _linked(text: str, *found: tuple[str, str], speaker: str | None = None) -> LinkedConversation:
    findings = sorted(
        Finding(text.index(value), text.index(value) + len(value), info_type, Likelihood.LIKELY, "test")
        for value, info_type in found
    )
    return link_conversation([text], [speaker], [findings], {speaker: "PERSON_NAME"} if speaker else {})


def test_entities_count_over_all_info_types_and_who_speaks_comes_first() -> None:
    linked = _linked(
        "This is Pam calling from Dunder Mifflin, may I speak to Jim? PAM here",
        ("Pam", "PERSON_NAME"),
        ("Dunder Mifflin", "ORGANIZATION_NAME"),
        ("Jim", "PERSON_NAME"),
        ("PAM", "PERSON_NAME"),
        speaker="Pam",
    )
    assert linked.labels == {"Pam": 1}
    assert linked.entities == [[1, 2, 3, 1]]
    assert linked.info_types == ["PERSON_NAME", "ORGANIZATION_NAME", "PERSON_NAME"]
    assert linked.entity_counts() == {"PERSON_NAME": 2, "ORGANIZATION_NAME": 1}


def test_one_name_under_two_info_types_is_one_entity_of_one_info_type() -> None:
    linked = _linked("Jordan flew to jordan", ("Jordan", "PERSON_NAME"), ("jordan", "LOCATION"))
    assert linked.entities == [[1, 1]]
    assert linked.info_types == ["PERSON_NAME"]


def test_a_few_bare_digits_are_not_those_that_have_a_role() -> None:
    findings = [
        Finding(0, 4, kind, Likelihood.LIKELY, "test") for kind in ("PASSWORD", "NUMERIC", "PASSWORD")
    ]
    several = link_conversation(["7231"] * 3, [None] * 3, [[one] for one in findings], {})
    assert several.entities == [[1], [2], [1]]


@pytest.mark.parametrize(
    ("info_type", "value", "broken"),
    [
        ("EMAIL_ADDRESS", "ann@example.com", "ann@\n> example.com"),
        ("PERSON_NAME", "Ann Williamson", "Ann\n> Wil-\n> liamson"),
        ("PERSON_NAME", "Ann Williamson", "Ann William\u00adson"),
        ("LOCATION", "New York", "New\n> York"),
    ],
)
def test_a_value_broken_over_lines_is_that_value(info_type: str, value: str, broken: str) -> None:
    assert _linked(f"{value} or {broken}", (value, info_type), (broken, info_type)).entities == [[1, 1]]


@pytest.mark.parametrize(
    ("addresses", "entities"),
    [
        (["12 Oak Street, Springfield", "Oak Street", "12 Oak St, Apt 4", "12 Oak St. Apt 4"], [1, 1, 1, 1]),
        (["12 Oak Street Apt 4", "12 Oak Street", "Oak Street"], [1, 1, 1]),
        (["12 Oak Street", "14 Oak Street", "Oak Street"], [1, 2, 3]),
    ],
)
def test_an_address_with_and_without_its_parts(addresses: list[str], entities: list[int]) -> None:
    found = [[Finding(0, len(text), "STREET_ADDRESS", Likelihood.LIKELY, "test")] for text in addresses]
    linked = link_conversation(addresses, [None] * len(addresses), found, {})
    assert [number for cell in linked.entities for number in cell] == entities


def test_fewer_findings_than_cells_are_refused() -> None:
    with pytest.raises(ValueError, match="one entry a cell"):
        link_conversation(["a", "Pam"], [None, None], [[]], {})


def _letters(number: int) -> str:
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


SURNAMES = "Smith", "Lee", "van der Berg"
NAMES: dict[str, Callable[[int], str]] = {
    "one name": lambda i: "Ann Lee",
    "first names of one family": lambda i: f"{_letters(i)} Smith",
    "families of one first name": lambda i: f"Ann {_letters(i)}",
    "middle names": lambda i: f"John {_letters(i)} Smith",
    "initials": lambda i: f"{'abcdefghijklmnop'[i % 16]}. {SURNAMES[i % 3]}",
    "lone names": lambda i: _letters(i),
    "titles": lambda i: f"{('Mr', 'Ms', 'Dr')[i % 3]} {_letters(i // 3)}",
    "several that fit": lambda i: (
        ("John Smith", "Jane Smith", "Smith")[i % 3] if i % 2 else f"{_letters(i)} Smith"
    ),
}


def _run(texts: list[str], findings: list[list[Finding]], speakers: list[str | None]) -> None:
    labels = {speaker: "PERSON_NAME" for speaker in speakers if speaker is not None}
    conversation = link_conversation(texts, speakers, findings, labels)
    replace_conversation(conversation, TokenReplacer().values(conversation))


def _finding(start: int, length: int) -> Finding:
    return Finding(start, start + length, "PERSON_NAME", Likelihood.LIKELY, "test")


@pytest.mark.parametrize("names", NAMES)
def test_turns_of_one_conversation(names: str) -> None:
    def run(size: int) -> None:
        texts = [NAMES[names](i) for i in range(size)]
        speakers = islice(cycle([None, "Jo Berg", "Kim"]), size)
        _run(texts, [[_finding(0, len(text))] for text in texts], list(speakers))

    assert grows_linearly(run, 400)  # names that a process remembers, in both runs


def test_findings_of_one_turn() -> None:
    def run(size: int) -> None:
        words = [_letters(i) for i in range(size)]
        text = " ".join(words)
        found, start = [], 0
        for word in words:
            found.append(_finding(start, len(word)))
            start += len(word) + 1
        _run([text], [found], [None])

    assert grows_linearly(run, 400)


MIXED = (
    ("PERSON_NAME", lambda i: f"{_letters(i)} {_letters(3 * i)}"),
    ("ORGANIZATION_NAME", lambda i: f"{_letters(i)} Bank"),
    ("LOCATION", _letters),
    ("STREET_ADDRESS", lambda i: f"{i} {_letters(i)} Street"),
    ("PHONE_NUMBER", lambda i: f"+46 70 {i:07d}"),
)


@pytest.mark.parametrize("is_one_turn", [False, True])
def test_the_work_for_findings_of_all_kinds(is_one_turn: bool) -> None:
    def run(size: int) -> None:
        said = [(info_type, value(i)) for i in range(size) for info_type, value in MIXED]
        cells = [Finding(0, len(text), kind, Likelihood.LIKELY, "test") for kind, text in said]
        if not is_one_turn:
            texts = [text for _, text in said]
            return _run(texts, [[finding] for finding in cells], [None, "Jo Berg"] * (len(said) // 2))
        start, found = 0, []
        for finding in cells:
            found.append(finding._replace(start=start, end=start + finding.end))
            start += finding.end + 1
        return _run([" ".join(text for _, text in said)], [found], [None])

    assert is_linear_work(run, 100)
