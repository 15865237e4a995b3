"""Ids, contexts and other labels of conversations as they may be written: see ``LabelRules``."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tacenda.transforms.detecting.personal_labels import looks_personal, say_personal
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.shapes.labels import UNCHECKED, LabelRules, neutral_context, neutral_id
from tacenda.transforms.shapes.paths import Kind
from tacenda.transforms.shapes.shape import Reading, Shape, without
from tacenda.transforms.shapes.strange_text import error_of


def safe_labels(readings: Iterable[Reading], shape: Shape, rules: LabelRules) -> Iterator[Reading]:
    """Check or replace ids and contexts, and reject conversations that cannot be searched."""
    for reading in readings:
        if rules != UNCHECKED:
            for wrong in (_strange, _with_personal_others, _with_personal_id, _with_personal_context):
                reading = without(reading, wrong(reading[0], rules))
            reading = _with_neutral(reading, shape, rules)
        yield reading


def _strange(batch: ConversationBatch, rules: LabelRules) -> dict[int, str]:
    """The conversations with a text that cannot be searched, and why."""
    found: dict[int, str] = {}
    for cell, text in enumerate(batch.texts):
        if (error := error_of(text, lambda words: looks_personal(words, sentences=False))) is not None:
            found.setdefault(batch.conversation_of(cell), error)
    return found


def _with_personal_others(batch: ConversationBatch, rules: LabelRules) -> dict[int, str]:
    """Those with a personal id of a call, name of a file, or name or definition of a tool.

    Neither hash nor token could take their place: what a model learns to call has to stay what it is.
    """
    if not rules.others:
        return {}
    ids = {text for own in batch.labels for kind, text in own if kind is Kind.LABEL}
    personal = {text for text in ids if looks_personal(text, sentences=True)}
    found: dict[int, str] = {}
    for i, own in enumerate(batch.labels):
        of_tools = [text for kind, text in own if kind is not Kind.LABEL] if rules.tools else []
        looks = any(kind is Kind.LABEL and text in personal for kind, text in own)
        if looks or any(say_personal(of_tools, batch.texts[batch.own(i)])):
            found[i] = "LabelLooksPersonal"
    return found


def _with_personal_id(batch: ConversationBatch, rules: LabelRules) -> dict[int, str]:
    ids = enumerate(batch.ids if rules.ids == "check" else ())
    return {i: "IdLooksPersonal" for i, name in ids if looks_personal(name, sentences=True)}


def _with_personal_context(batch: ConversationBatch, rules: LabelRules) -> dict[int, str]:
    contexts = batch.contexts if rules.contexts == "check" else ()
    personal = {one for one in {*contexts} if one and looks_personal(one, sentences=False)}
    return {i: "ContextLooksPersonal" for i, context in enumerate(contexts) if context in personal}


def _with_neutral(reading: Reading, shape: Shape, rules: LabelRules) -> Reading:
    """A reading with neutral ids and contexts where the rules say so."""
    batch, rejections = reading
    ids, contexts = batch.ids, batch.contexts
    if rules.ids == "replace":
        ids = [neutral_id(batch, i, rules.key) for i in range(len(batch))]
    if rules.contexts == "replace":
        neutral = {context: neutral_context(context, rules.key) for context in set(contexts)}
        contexts = [neutral[context] for context in contexts]
    if (ids, contexts) != (batch.ids, batch.contexts):
        frames = list(map(shape.relabelled, batch.frames, ids, contexts))
        batch = replace(batch, ids=ids, contexts=contexts, frames=frames)
    return batch, rejections
