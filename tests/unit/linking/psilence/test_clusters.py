"""Names are in brackets, places in braces."""

import re

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.linking.psilence.clusters import Reconciled, reconcile_conversation
from tacenda.transforms.replacing.replacement import replace_conversation
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _reconciled(marked: str, conservative: bool = False, speaker: str | None = None) -> Reconciled:
    text, found = "", []
    for mark, words in re.findall(r"([\[{]?)([^\[\]{}]+)[\]}]?", marked):
        if mark:
            info_type = "PERSON_NAME" if mark == "[" else "LOCATION"
            found.append(Finding(len(text), len(text + words), info_type, Likelihood.LIKELY, "test"))
        text += words
    labels = {speaker: "PERSON_NAME"} if speaker else {}
    linked = link_conversation([text], [speaker], [found], labels, "case 1")
    return reconcile_conversation(linked, [found], conservative)


def _written(reconciled: Reconciled) -> str:
    conversation = reconciled.conversation
    return replace_conversation(conversation, TokenReplacer().values(conversation)).texts[0]


def test_witnesses_are_numbered_and_the_role_of_most_mentions_stays() -> None:
    reconciled = _reconciled(
        "[Bill Scott] met [Jo Doe] QC in {Oslo}. [William Scott], [Li] and [Scott]: [Doe] QC."
    )
    assert _written(reconciled) == (
        "[WITNESS_1] met Jo Doe QC in [LOCATION_1]. [WITNESS_1], [WITNESS_2] and [WITNESS_1]: Doe QC."
    )
    assert [finding.start for finding in reconciled.left[0]] == [15, 63]
    assert reconciled.conversation.info_types == ["WITNESS", "LOCATION", "WITNESS"]


def test_a_role_needs_more_than_half_of_the_mentions() -> None:
    assert (
        _written(_reconciled("[Jo Doe] QC spoke. [Doe] left.")) == "[WITNESS_1] QC spoke. [WITNESS_1] left."
    )


def test_a_speaker_is_always_a_witness() -> None:
    reconciled = _reconciled("Counsel [Doe] spoke.", speaker="Doe")
    assert _written(reconciled) == "Counsel [WITNESS_1] spoke."
    assert reconciled.left == [[]]


def test_a_speaker_is_a_mention_too() -> None:
    reconciled = _reconciled("[Doe] QC spoke.", speaker="Doe")
    assert reconciled.conversation.labels == {"Doe": 1}
    assert _written(reconciled) == "[WITNESS_1] QC spoke."


def test_conservative_reconciling_ignores_uncertain_links() -> None:
    marked = "Counsel [Bill Scott] spoke. Counsel [William Scott] spoke."
    assert _written(_reconciled(marked)) == re.sub(r"[\[\]]", "", marked)
    assert _written(_reconciled(marked, conservative=True)) == (
        "Counsel [WITNESS_1] spoke. Counsel [WITNESS_1] spoke."
    )
