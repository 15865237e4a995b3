"""Tokens, policies, replaced texts, and arguments of calls that keep their type."""

import re

import pytest

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.argument_numbers import with_numbers
from tacenda.transforms.replacing.policies import Policy, PolicyReplacer, ReplacerByInfoType
from tacenda.transforms.replacing.replacement import name_words, replace_conversation, says, unhidden
from tacenda.transforms.replacing.tokens import CorpusTokenReplacer, TokenReplacer, values_of_entities
from tacenda.transforms.replacing.transformations import Transformation, fixed, word_of
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.cases import tabled
from tests.marked_conversations import linked


@tabled("value", "original")
def test_a_value_with_the_words_of_the_original_hides_nothing(value, original):
    assert says(value, original)


@pytest.mark.parametrize(
    ("value", "original"), [("[Anonymous]", "Ann"), ("NAME", "Homer"), ("", "Homer"), ("***", "?!")]
)
def test_others_hide_it(value, original):
    assert not says(value, original)


def test_findings_and_labels_are_counted_by_info_type_where_their_value_is_fixed():
    marked = ["<PERSON_NAME:Homer>", "<PERSON_NAME:homer>", "<PERSON_NAME:Marge>"]
    conversation = linked(marked, ["Homer", None, None], {"Homer": "PERSON_NAME"})
    values = [["Homer"]] * 3
    assert unhidden(conversation, values, {"Homer": "Homer"}, {"Homer"}) == {"unhidden/PERSON_NAME": 3}
    assert not unhidden(conversation, values, {"Homer": "Homer"}, {"Bart"})


@tabled("text", "words")
def test_titles_particles_and_endings_are_no_name(text, words):
    assert [match[0] for match in name_words(text)] == words


TALK = linked(
    ["<PERSON_NAME:Ann> is at <IP_ADDRESS:10.1.2.3>", "thanks", "<PERSON_NAME:Bo>"],
    ["Ann", "agent", "Ann"],
    {"Ann": "PERSON_NAME"},
)


def _policy(info_type, *values, how=fixed):
    return Policy((info_type,) if info_type else (), Transformation(how, values) if values else None)


REST, OWN = _policy("", "R"), _policy("IP_ADDRESS", "I")


@pytest.mark.parametrize(
    ("policies", "ann", "address", "bo"),
    [
        ([_policy("PERSON_NAME", "X")], "X", "[IP_ADDRESS_1]", "X"),
        # One without infoTypes is for all the rest, wherever it stands.
        ([REST, OWN], "R", "I", "R"),
        ([OWN, REST], "R", "I", "R"),
        # Words of a list go to one entity each, and then tokens follow.
        ([_policy("PERSON_NAME", "Bo", "Kim", how=word_of)], "Kim", "[IP_ADDRESS_1]", "[PERSON_NAME_2]"),
        # A token may be asked for.
        ([_policy("PERSON_NAME"), _policy("", "")], "[PERSON_NAME_1]", "", "[PERSON_NAME_2]"),
    ],
)
def test_the_policy_of_an_info_type_says_what_becomes_of_it(policies, ann, address, bo):
    values = PolicyReplacer(policies, TokenReplacer()).values(TALK)
    assert values.findings == [[ann, address], [], [bo]]
    assert values.labels == {"Ann": ann}


class Numbers:
    def values(self, conversation):
        return values_of_entities(conversation, [f"<{n}>" for n in range(1, 9)])


def test_each_info_type_has_its_replacer():
    values = ReplacerByInfoType({"IP_ADDRESS": Numbers()}, TokenReplacer()).values(TALK)
    assert values.findings == [["[PERSON_NAME_1]", "<2>"], [], ["[PERSON_NAME_2]"]]
    assert values.labels == {"Ann": "[PERSON_NAME_1]"}


@pytest.mark.parametrize(
    ("before", "tokens"),
    [
        (
            "[PERSON_NAME_1] [PERSON_NAME_3] [PERSON_NAME_4]",
            "[PERSON_NAME_2] [PERSON_NAME_5] [PERSON_NAME_2]",
        ),
        # Python refuses to read thousands of digits as a number.
        (f"[ID_{'7' * 5000}]", "[PERSON_NAME_1] [PERSON_NAME_2] [PERSON_NAME_1]"),
    ],
)
def test_a_number_that_is_taken_is_skipped_however_many_are(before, tokens):
    conversation = linked([f"{before} <PERSON_NAME:Jim> <PERSON_NAME:Pam> <PERSON_NAME:JIM>"])
    result = replace_conversation(conversation, TokenReplacer().values(conversation))
    assert result.texts == [f"{before} {tokens}"]


_SECRET = b"a secret of more than 16 bytes"


def _tokens(conversation, *names, secret=_SECRET, before=""):
    marked = [f"{before}<PERSON_NAME:{name}>" for name in names]
    of_cells = CorpusTokenReplacer(secret).values(linked(marked, conversation_id=conversation)).findings
    return [value for (value,) in of_cells]


def test_a_whole_name_has_one_token_in_all_conversations():
    (one, same), (other,) = _tokens("a", "Ann Lee", "Ms Lee"), _tokens("b", "LEE, ANN")
    assert one == same == other
    assert re.fullmatch(r"\[PERSON_NAME_[1-9][0-9]{14}\]", one)
    assert _tokens("b", "Ann Lea") != [one]


def test_another_secret_or_a_number_that_is_taken_gives_another_token():
    (token,) = _tokens("a", "Ann Lee")
    assert _tokens("a", "Ann Lee", secret=b"another secret of 16 bytes") != [token]
    assert _tokens("a", "Ann Lee", before=f"{token} said to ") != [token]


def written(argument, said=""):
    """The values of two mentions of one entity, in a text and in a number of an argument."""
    texts = [said or argument, argument]
    found = [[Finding(0, len(text), "GENERIC_ID", Likelihood.LIKELY, "rules")] for text in texts]
    conversation = LinkedConversation("c", texts, [None, None], found, [[1], [1]], {}, ["GENERIC_ID"])
    values = with_numbers(conversation, TokenReplacer().values(conversation), [1])
    return [value for (value,) in values.findings]


def test_what_replaces_a_number_is_a_number():
    assert [written(number)[1] for number in ("83012345", "7.25", "350")] == ["10000001", "1.01", "101"]


def test_what_is_said_and_what_is_called_agree_and_nothing_is_told():
    assert written("14155550123", said="1 415 555-0123") == ["10000000001"] * 2
    assert written("83012345") == written("47120006")
    assert written("83012345", said="10000001")[1] == "10000002"


def test_two_entities_have_two_stand_ins_while_their_form_has_room():
    conversation = linked([f"<AGE:{age}>" for age in range(30, 41)])
    values = with_numbers(conversation, TokenReplacer().values(conversation), range(11))
    assert sorted(value for (value,) in values.findings) == [str(n) for n in range(10, 21)]
