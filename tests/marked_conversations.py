"""Handwritten conversations with marks for findings: ``<PERSON_NAME:Ann>``."""

import re
from collections.abc import Mapping, Sequence

from tacenda.transforms.language.identifying import main_languages, tell
from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Replacement, replace_conversation
from tacenda.transforms.replacing.surrogates.context import Context, KeyedDraws, SurrogateSettings
from tacenda.transforms.replacing.surrogates.replacer import SurrogateReplacer
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

SECRET = b"a secret of the tests"
_MARK = re.compile(r"<([A-Z_]+):([^<>]*)>")


def linked(
    marked: Sequence[str],
    speakers: Sequence[str | None] | None = None,
    labels: Mapping[str, str] | None = None,
    conversation_id: str = "call 1",
) -> LinkedConversation:
    texts, findings = [], []
    for text in marked:
        found, plain, at = [], "", 0
        for mark in _MARK.finditer(text):
            plain += text[at : mark.start()]
            place = len(plain), len(plain) + len(mark[2])
            found.append(Finding(*place, mark[1], Likelihood.LIKELY, "test"))
            plain += mark[2]
            at = mark.end()
        texts.append(plain + text[at:])
        findings.append(found)
    columns = texts, speakers or [None] * len(texts), findings, labels or {}
    return link_conversation(*columns, conversation_id, language_of(texts))


def language_of(texts: Sequence[str]) -> str:
    """The language that the chain tells of the cells of a conversation."""
    bounds = [0, len(texts)]
    return main_languages(tell(TextColumn(texts, bounds)), bounds)[0]


def values(
    *marked: str,
    conversation_id: str = "call 1",
    settings: SurrogateSettings | None = None,
    secret: bytes = SECRET,
) -> list[str]:
    """The replacement of each mark, in order."""
    conversation = linked(marked, conversation_id=conversation_id)
    made = SurrogateReplacer(secret, settings).values(conversation)
    return [value for cell in made.findings for value in cell]


def replaced(marked: Sequence[str]) -> Replacement:
    conversation = linked(marked)
    return replace_conversation(conversation, SurrogateReplacer(SECRET).values(conversation))


def context(
    *texts: str,
    mentions: Mapping[str, Sequence[str]] | None = None,
    settings: SurrogateSettings | None = None,
    conversation_id: str = "call 1",
) -> Context:
    draws = KeyedDraws(SECRET, conversation_id)
    return Context(draws, texts or ("",), mentions or {}, settings or SurrogateSettings(), language_of(texts))
