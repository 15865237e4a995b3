import re

from tacenda.transforms.lab.psilence import Decision, mention_type, reconcile, reconcile_conversation
from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.replacing.replacement import replace_conversation
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.cases import tabled


@tabled("mentions", "decision")
def test_the_rules_in_their_order(mentions, decision):
    assert reconcile(mentions) == Decision(*decision)


@tabled("mentions", "is_sure", "decision")
def test_conservative_reconciling_ignores_minority_roles(mentions, is_sure, decision):
    assert reconcile(mentions, conservative=True, is_sure=is_sure) == Decision(*decision)


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
