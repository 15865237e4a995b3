"""Small conversations, cut into pieces."""

from collections.abc import Sequence

import pytest

from tacenda.transforms.previewing.conversation import SPEAKER, Mention, previewed
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


@pytest.fixture
def talk():
    """``talk(("Pam", "Hi Ann!", {"Ann": (1, "[PERSON_NAME_1]")}), …)``: entity and value by what is replaced.

    ``labels`` has them of the speakers.
    """

    def make(*turns, labels=None, name="c1", risk="risk 3, by model"):
        replaced = labels or {}
        findings: list[Sequence[Finding]] = []
        written = []
        for _, text, found in turns:
            places = sorted((text.index(word), word) for word in found)
            findings.append(
                [Finding(at, at + len(w), "PERSON_NAME", Likelihood.LIKELY, "rules") for at, w in places]
            )
            for _, word in places:
                text = text.replace(word, found[word][1], 1)
            written.append(text)
        of_cells = [
            sorted(found.items(), key=lambda pair, text=text: text.index(pair[0])) for _, text, found in turns
        ]
        columns = (
            list(range(len(turns))),
            [None] * len(turns),
            [speaker for speaker, _, _ in turns],
            [text for _, text, _ in turns],
            [replaced[s][1] if s in replaced else s for s, _, _ in turns],
            written,
            findings,
            [[entity for _, (entity, _) in cell] for cell in of_cells],
            [[value for _, (_, value) in cell] for cell in of_cells],
        )
        mentions = {s: Mention(entity, "PERSON_NAME", "", SPEAKER) for s, (entity, _) in replaced.items()}
        return previewed(name, "sales", risk, zip(*columns, strict=True), mentions)

    return make
