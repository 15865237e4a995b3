import re

import pytest

from tacenda.transforms.lab.psilence import Decision, mention_type, reconcile, reconcile_conversation
from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.replacing.replacement import replace_conversation
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.cases import tabled


@pytest.mark.parametrize(
    ("mentions", "decision"),
    [
        # 0: one type is kept; a person without a role is a witness.
        ({"PERSON": 2}, Decision("WITNESS", 0, True)),
        ({"LAWYER": 1}, Decision("LAWYER", 0, False)),
        ({"PARTY": 3}, Decision("PARTY", 0, False)),
        # 1: a single mention of a party, before all that follows.
        ({"PERSON": 99, "PARTY": 1}, Decision("PARTY", 1, False)),
        ({"LOCATION": 9, "PARTY": 1}, Decision("PARTY", 1, False)),
        # 2: more than 30 % are no people, and not exactly 30 %.
        ({"PERSON": 7, "LOCATION": 3}, Decision("WITNESS", 4, True)),
        ({"PERSON": 69, "LOCATION": 31}, Decision("LOCATION", 2, False)),
        ({"PERSON": 69, "LOCATION": 15, "LAW_FIRM": 16}, Decision("LAW_FIRM", 2, False)),
        ({"LAWYER": 6, "ORGANIZATION": 4}, Decision("ORGANIZATION", 2, False)),
        # 3: the most frequent type is a public role; of two equally frequent none is.
        ({"PERSON": 2, "JUDGE": 3}, Decision("JUDGE", 3, False)),
        ({"PERSON": 2, "JUDGE": 2}, Decision("WITNESS", 4, True)),
        ({"EXPERT": 2, "JUDGE": 2, "PERSON": 1}, Decision("WITNESS", 4, True)),
        ({"LAWYER": 7, "ORGANIZATION": 3}, Decision("LAWYER", 3, False)),
        # 4: else a witness.
        ({"PERSON": 3, "JUDGE": 2}, Decision("WITNESS", 4, True)),
    ],
)
def test_the_rules_in_their_order(mentions, decision):
    assert reconcile(mentions) == decision


@pytest.mark.parametrize(
    ("mentions", "is_sure", "decision"),
    [
        ({"PERSON": 3, "PARTY": 1}, True, Decision("WITNESS", 4, True)),
        ({"PERSON": 1, "PARTY": 1}, True, Decision("WITNESS", 4, True)),
        ({"PERSON": 1, "PARTY": 2}, True, Decision("PARTY", 1, False)),
        ({"PERSON": 1, "PARTY": 2}, False, Decision("WITNESS", 4, True)),
        ({"PERSON": 1, "LOCATION": 9}, True, Decision("WITNESS", 4, True)),
        ({"PERSON": 2, "JUDGE": 3}, True, Decision("JUDGE", 3, False)),
        ({"PERSON": 2, "JUDGE": 3}, False, Decision("WITNESS", 4, True)),
        ({"PERSON": 2, "JUDGE": 3, "EXPERT": 1}, True, Decision("WITNESS", 4, True)),
        ({"LAWYER": 1}, False, Decision("WITNESS", 0, True)),
        ({"PARTY": 1}, True, Decision("PARTY", 0, False)),
    ],
)
def test_conservative_reconciling_ignores_minority_roles(mentions, is_sure, decision):
    assert reconcile(mentions, conservative=True, is_sure=is_sure) == decision


@tabled("text", "name", "expected")
def test_words_beside_a_name_give_it_a_role(text, name, expected):
    start = text.index(name)
    finding = Finding(start, start + len(name), "PERSON_NAME", Likelihood.LIKELY, "test")
    assert mention_type(finding, text) == expected


def _reconciled(marked, conservative=False, speaker=None):
    text, found = "", []
    for mark, words in re.findall(r"([\[{]?)([^\[\]{}]+)[\]}]?", marked):
        if mark:
            info_type = "PERSON_NAME" if mark == "[" else "LOCATION"
            found.append(Finding(len(text), len(text + words), info_type, Likelihood.LIKELY, "test"))
        text += words
    labels = {speaker: "PERSON_NAME"} if speaker else {}
    linked = link_conversation([text], [speaker], [found], labels, "case 1")
    return reconcile_conversation(linked, [found], conservative)


def _written(reconciled):
    conversation = reconciled.conversation
    return replace_conversation(conversation, TokenReplacer().values(conversation)).texts[0]


def test_a_speaker_is_always_a_witness():
    reconciled = _reconciled("Counsel [Doe] spoke.", speaker="Doe")
    assert _written(reconciled) == "Counsel [WITNESS_1] spoke."
    assert reconciled.left == [[]]


def test_conservative_reconciling_ignores_uncertain_links():
    marked = "Counsel [Bill Scott] spoke. Counsel [William Scott] spoke."
    assert _written(_reconciled(marked)) == re.sub(r"[\[\]]", "", marked)
    assert _written(_reconciled(marked, conservative=True)) == (
        "Counsel [WITNESS_1] spoke. Counsel [WITNESS_1] spoke."
    )
