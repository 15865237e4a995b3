"""Findings that a fixed value does not hide, because it says what it replaced, or a part of that."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from tacenda.transforms.linking.linked import LinkedConversation

UNHIDDEN = "unhidden"
"""Why such findings are readable."""

_WORD = re.compile(r"[^\W_]+")


def unhidden(
    conversation: LinkedConversation,
    values: Sequence[Sequence[str]],
    labels: Mapping[str, str],
    fixed: Collection[str],
) -> Counter[str]:
    """Count findings and speaker labels whose fixed value has words of theirs, by ``unhidden/infoType``.

    Args:
        conversation: the findings, in the original texts.
        values: the value of each finding, cell by cell.
        labels: the value of each label that is personal data.
        fixed: the values that do not depend on what they replace.
    """
    counts: Counter[str] = Counter()
    for i, found in enumerate(conversation.findings):
        for finding, value in zip(found, values[i], strict=True):
            if value in fixed and says(value, conversation.texts[i][finding.start : finding.end]):
                counts[f"{UNHIDDEN}/{finding.info_type}"] += 1
    for label, entity in conversation.labels.items():
        if labels[label] in fixed and says(labels[label], label):
            counts[f"{UNHIDDEN}/{conversation.info_types[entity - 1]}"] += 1
    return counts


def says(value: str, original: str) -> bool:
    """Whether one has all words of the other in a row; capitals, spaces and signs apart."""
    ours, theirs = (_WORD.findall(text.casefold()) for text in (value, original))
    if not ours or not theirs:
        return False
    short, long = sorted((f" {' '.join(words)} " for words in (ours, theirs)), key=len)
    return short in long or "".join(ours) == "".join(theirs)
