"""Ids and contexts are written unchanged, so they must not look like personal data, or are hashed."""

import hashlib
import hmac
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, compress

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.json_cells import names_of_calls
from tacenda.transforms.shapes.json_text import pointer_to
from tacenda.transforms.shapes.shape import Reading, Shape

LookPersonal = Callable[[Sequence[str], bool], list[bool]]
"""Tells which labels look personal; the second argument tells whether they are ids."""

SaysPersonal = Callable[[Sequence[str], Sequence[str]], list[bool]]
"""Tells which words of tools are personal for certain, or name somebody whom one of the texts names as well."""

ID_ERROR, CONTEXT_ERROR = "IdLooksPersonal", "ContextLooksPersonal"
LABEL_ERROR = "LabelLooksPersonal"
"""Of the id of a call, the name of a tool or its definition (``Shape.labels_of``)."""

_HASH_CHARS = 32


@dataclass(frozen=True, slots=True)
class LabelRules:
    """Which labels to check.

    ``others`` are ids of calls and names of files, ``tools`` names and definitions of tools. With a ``key``,
    all ids, and contexts that look personal, are replaced by their keyed hashes; without one, conversations
    with such labels are rejected.
    """

    ids: bool = True
    contexts: bool = True
    key: bytes | None = field(default=None, repr=False)
    others: bool = True
    tools: bool = True


UNCHECKED = LabelRules(ids=False, contexts=False, others=False)
"""For output with what the text says."""

TOOLS = "tools"
"""The field whose being opaque says that the names and definitions of all tools are nobody's."""


def label_rules(opaque: Collection[str], key: bytes | None = None) -> LabelRules:
    """What is checked if some fields are opaque."""
    return LabelRules(
        "conversation_id" not in opaque, "context" not in opaque, key, tools=TOOLS not in opaque
    )


_RANDOM = re.compile(
    r"[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}"  # UUID
    r"|[0-7][0-9A-HJKMNP-TV-Z]{25}"  # ULID
    r"|[0-9a-f]{24}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9A-F]{32}|[0-9A-F]{40}|[0-9A-F]{64}"  # digests
)


def is_plainly_random(label: str) -> bool:
    """Whether an id has the form of a UUID, a ULID or a digest, which nobody makes up from what he knows.

    >>> [is_plainly_random(one) for one in ("9b2f6c0e-7b1d-4c55-8c57-1f0a4e0c2d11", "call-17", "4155550103")]
    [True, False, False]
    """
    return bool(_RANDOM.fullmatch(label)) and not label.isdecimal()


def keyed_hash(key: bytes, label: str) -> str:
    """The HMAC-SHA256 of a label, truncated to 128 bits."""
    return hmac.new(key, label.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:_HASH_CHARS]


def with_safe_labels(
    reading: Reading, shape: Shape, rules: LabelRules, look: LookPersonal, says: SaysPersonal
) -> Reading:
    """Reject conversations with personal labels or, if the rules have a key, hash their labels."""
    batch, rejections = (
        _without_personal_labels(reading, shape, rules, look, says) if rules.others else reading
    )
    personal = _personal_contexts(batch, look) if rules.contexts else frozenset()
    if rules.key is not None:
        return _hashed(batch, shape, rules, personal), rejections
    found: dict[int, str] = {}
    if rules.ids:
        looked = look(batch.ids, True)
        found.update((i, ID_ERROR) for i, bad in enumerate(looked) if bad)
    found.update((i, CONTEXT_ERROR) for i, context in enumerate(batch.contexts) if context in personal)
    lost = [
        Rejection(batch.positions[i], Stage.READ, error, batch.rows[i], batch.origins[i])
        for i, error in sorted(found.items())
    ]
    return batch.without(set(found)), [*rejections, *lost]


def _without_personal_labels(
    reading: Reading, shape: Shape, rules: LabelRules, look: LookPersonal, says: SaysPersonal
) -> Reading:
    """The conversations whose labels beside id and context are not personal; neither hash nor token could take
    their place, as what a model learns to call has to stay what it is.
    """
    batch, rejections = reading
    labels = list(map(shape.labels_of, batch.frames))
    ids = list(dict.fromkeys(text for one in labels for text in one.identifiers))
    looking = set(compress(ids, look(ids, True))) if ids else set()
    lost: dict[int, Rejection] = {}
    for i, one in enumerate(labels):
        of_tools = [*one.of_tools, *names_of_calls(batch, i)] if rules.tools else []
        texts = batch.texts[batch.first_cell[i] : batch.first_cell[i + 1]]
        named = compress(of_tools, says(of_tools, texts))
        personal = next(chain(filter(looking.__contains__, one.identifiers), named), None)
        if personal is not None:
            place = batch.positions[i], Stage.READ, LABEL_ERROR, batch.rows[i], batch.origins[i]
            lost[i] = Rejection(*place, pointer_to(personal, batch.frames[i]))
    return (batch.without(set(lost)), [*rejections, *lost.values()]) if lost else reading


def _personal_contexts(batch: ConversationBatch, look: LookPersonal) -> frozenset[str]:
    contexts = list(dict.fromkeys(filter(None, batch.contexts)))
    return frozenset(c for c, bad in zip(contexts, look(contexts, False), strict=True) if bad)


def _hashed(
    batch: ConversationBatch, shape: Shape, rules: LabelRules, personal: frozenset[str]
) -> ConversationBatch:
    key = rules.key
    assert key is not None
    ids = [keyed_hash(key, label) for label in batch.ids] if rules.ids else batch.ids
    contexts = [keyed_hash(key, label) if label in personal else label for label in batch.contexts]
    frames = [
        shape.relabelled(frame, conversation_id, context)
        for frame, conversation_id, context in zip(batch.frames, ids, contexts, strict=True)
    ]
    return replace(batch, ids=ids, contexts=contexts, frames=frames)
