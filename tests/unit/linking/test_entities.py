from collections.abc import Callable
from itertools import cycle, islice

import pytest

from tacenda.transforms.linking.entities import Mention, corpus_identities, link_conversation, settled_types
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.linking.normalising import identity, normalised_value
from tacenda.transforms.linking.propagation.inflections import are_forms
from tacenda.transforms.replacing.replacement import replace_conversation
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.cases import tabled
from tests.growth import grows_linearly, is_linear_work


def _linked(text, *found, speaker=None):
    findings = sorted(
        Finding(text.index(value), text.index(value) + len(value), info_type, Likelihood.LIKELY, "test")
        for value, info_type in found
    )
    return link_conversation([text], [speaker], [findings], {speaker: "PERSON_NAME"} if speaker else {})


def test_entities_count_over_all_info_types_and_who_speaks_comes_first():
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


def test_a_few_bare_digits_are_not_those_that_have_a_role():
    findings = [
        Finding(0, 4, kind, Likelihood.LIKELY, "test") for kind in ("PASSWORD", "NUMERIC", "PASSWORD")
    ]
    several = link_conversation(["7231"] * 3, [None] * 3, [[one] for one in findings], {})
    assert several.entities == [[1], [2], [1]]


@tabled("info_type", "value", "broken")
def test_a_value_broken_over_lines_is_that_value(info_type, value, broken):
    assert _linked(f"{value} or {broken}", (value, info_type), (broken, info_type)).entities == [[1, 1]]


def _letters(number):
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


def _run(texts, findings, speakers):
    labels = {speaker: "PERSON_NAME" for speaker in speakers if speaker is not None}
    conversation = link_conversation(texts, speakers, findings, labels)
    replace_conversation(conversation, TokenReplacer().values(conversation))


def _finding(start, length):
    return Finding(start, start + length, "PERSON_NAME", Likelihood.LIKELY, "test")


@pytest.mark.parametrize("names", NAMES)
def test_turns_of_one_conversation(names):
    def run(size):
        texts = [NAMES[names](i) for i in range(size)]
        speakers = islice(cycle([None, "Jo Berg", "Kim"]), size)
        _run(texts, [[_finding(0, len(text))] for text in texts], list(speakers))

    assert grows_linearly(run, 400)  # names that a process remembers, in both runs


MIXED = (
    ("PERSON_NAME", lambda i: f"{_letters(i)} {_letters(3 * i)}"),
    ("ORGANIZATION_NAME", lambda i: f"{_letters(i)} Bank"),
    ("LOCATION", _letters),
    ("STREET_ADDRESS", lambda i: f"{i} {_letters(i)} Street"),
    ("PHONE_NUMBER", lambda i: f"+46 70 {i:07d}"),
)


@pytest.mark.parametrize("is_one_turn", [False, True])
def test_the_work_for_findings_of_all_kinds(is_one_turn):
    def run(size):
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


def _identities(info_type, *values):
    findings = [[Finding(0, len(value), info_type, Likelihood.LIKELY, "test")] for value in values]
    return corpus_identities(link_conversation(values, [None] * len(values), findings, {}))


@tabled("info_type", "values", "identity")
def test_corpus_identity_of_an_entity(info_type, values, identity):
    assert _identities(info_type, *values) == [identity]


def _settled(*said):
    """The infoTypes of mentions, given by text, infoType and likelihood; a speaker's label has none."""
    mentions = [
        Mention(cell, kind, text, sure and Finding(0, len(text), kind, Likelihood[sure], "test"))
        for cell, (text, kind, sure) in enumerate(said)
    ]
    return settled_types(mentions, [text for text, *_ in said])


@tabled("before", "name", "detector", "asked", "expected")
def test_what_somebody_calls_from_is_an_organisation(before, name, detector, asked, expected):
    finding = Finding(len(before), len(before + name), "LOCATION", Likelihood.LIKELY, detector)
    mention, asked = Mention(0, "LOCATION", name, finding), asked and set(asked)
    assert settled_types([mention], [before + name], asked) == [expected]


@tabled("said", "expected")
def test_one_string_has_one_info_type(said, expected):
    assert set(_settled(*said)) == {expected}


@tabled("said")
def test_other_strings_keep_theirs(said):
    assert _settled(*said) == [info_type for _, info_type, _ in said]


def test_remaining_entities_keep_their_type_and_are_renumbered():
    def found(start, info_type):
        return Finding(start, start + 2, info_type, Likelihood.LIKELY, "rules")

    ann, bo, oslo = found(0, "PERSON_NAME"), found(3, "PERSON_NAME"), found(0, "LOCATION")
    linked = LinkedConversation(
        "1",
        ["An Bo", "Os", "An"],
        ["Bo", "agent", None],
        [[ann, bo], [oslo], [ann]],
        [[2, 1], [3], [2]],
        {"Bo": 1},
        ["PERSON_NAME", "PERSON_NAME", "LOCATION"],
        [["same", "same"], ["same"], ["part"]],
    )
    left = linked.without({(0, 0), (0, 1)})
    assert left.findings == [[], [oslo], [ann]]
    assert left.entities == [[], [2], [3]]
    assert left.labels == {"Bo": 1}
    assert left.info_types == ["PERSON_NAME", "LOCATION", "PERSON_NAME"]
    assert left.agreements == [[], ["same"], ["part"]]
    assert linked.without({(0, 0), (2, 0)}).info_types == ["PERSON_NAME", "LOCATION"]
    assert linked.without(()) == linked.without(set())
    assert linked.without(()).entities == [[2, 1], [3], [2]]


@tabled("language", "form", "name")
def test_forms_of_a_name(language, form, name):
    assert are_forms(form, name, language)
    assert are_forms(name, form, language)


@tabled("language", "one", "other")
def test_names_of_their_own(language, one, other):
    assert not are_forms(one, other, language)


def test_other_languages_do_not_inflect_so():
    assert not are_forms("virtasen", "virtanen", "sv")
    assert not are_forms("karlssons", "karlsson", "")


@tabled("info_type", "one", "other")
def test_mentions_of_one_thing_are_equal(info_type, one, other):
    assert normalised_value(info_type, one) == normalised_value(info_type, other)


@tabled("info_type", "one", "other")
def test_different_values_have_different_keys(info_type, one, other):
    assert normalised_value(info_type, one) != normalised_value(info_type, other)


@pytest.mark.parametrize(
    "written", ["Acme", "Acme Inc.", "ACME, Inc", "the Acme Company", "Acme Co. Ltd.", "Acmé AB"]
)
def test_an_organization_with_and_without_its_legal_form(written):
    assert identity("ORGANIZATION_NAME", written) == ("name", "acme")


@tabled("info_type", "written", "expected")
def test_mentions_with_equal_keys_are_linked(info_type, written, expected):
    assert identity(info_type, written) == tuple(expected)
