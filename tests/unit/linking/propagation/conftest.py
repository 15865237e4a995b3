"""Conversations with some findings, and the further mentions of these."""

from collections.abc import Callable

import pytest

from tacenda.transforms.linking.propagation.mentions import find_mentions
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

Said = Callable[..., list[list[str]]]


def found_in(texts, found):
    """Findings of some values, at the first occurrence of each."""
    findings: list[list[Finding]] = [[] for _ in texts]
    for value, info_type in found.items():
        cell, start = next((i, text.find(value)) for i, text in enumerate(texts) if value in text)
        findings[cell].append(Finding(start, start + len(value), info_type, Likelihood.LIKELY, "rules"))
    return [sorted(cell) for cell in findings]


@pytest.fixture
def said_again():
    """The texts of mentions beyond ``found`` (value to infoType) and ``labels``, by cell."""

    def find(*texts, found=None, labels=None):
        mentions: list[list[str]] = [[] for _ in texts]
        for cell, more in find_mentions(texts, found_in(texts, found or {}), labels):
            mentions[cell] = [texts[cell][finding.start : finding.end] for finding in more]
        return mentions

    return find
