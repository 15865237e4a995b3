"""Grade conversations by how unusual the words around their replaced data are."""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import give_figures
from tacenda.pipelines.output.anonymized_folder import open_folder, talks_of
from tacenda.transforms.lab.contexts import (
    COSINE,
    WINDOW,
    Uniqueness,
    contexts_of,
    count_unlike,
    count_words,
    grade,
)
from tacenda.transforms.reviewing.drawing import draw
from tacenda.transforms.reviewing.marks import Talk
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import absolute

_SHOWN = 10


def uniqueness(arguments: Namespace) -> int:
    """Run ``tacenda lab contexts``; returns the exit code.

    Raises:
        UserError: a mistake in the arguments, or a corpus without tokens.
    """
    folder = open_folder(absolute(arguments.folder).rstrip("/"))
    drawn = draw(folder.hashed(), str(arguments.seed), arguments.conversations).drawn
    talks = talks_of(folder, drawn)
    contexts = [[one for _, text in talk.turns for one in contexts_of(text)] for talk in talks]
    if not any(contexts):
        raise UserError(
            f"{redact_url(folder.output)}: has no tokens such as [PERSON_NAME_1], so that it cannot be told "
            "where something was replaced"
        )
    owners = np.repeat(np.arange(len(talks)), [len(several) for several in contexts])
    vectors = count_words([context for several in contexts for context in several])
    counts = np.zeros(len(talks), np.int64)
    unlike = count_unlike(vectors, owners)
    counts[: len(unlike)] = unlike
    figures = _figures(arguments, talks, grade(counts.tolist(), [len(several) for several in contexts]))
    give_figures(arguments, figures, _lines(figures))
    return ExitCode.DONE


def _figures(arguments: Namespace, talks: Sequence[Talk], graded: Sequence[Uniqueness]) -> dict[str, Any]:
    ordered = sorted(
        zip(talks, graded, strict=True),
        key=lambda pair: (-(pair[1].percent or 0), -pair[1].counted, pair[0].conversation_id),
    )
    levels = Counter(one.level or "undefined" for one in graded)
    return {
        "seed": arguments.seed,
        "words_on_either_side": WINDOW,
        "cosine_below": COSINE,
        "conversations": len(talks),
        "levels": {level: levels[level] for level in ("green", "yellow", "red", "undefined")},
        "by_conversation": [
            {"conversation_id": talk.conversation_id, "context": talk.context, **one._asdict()}
            for talk, one in ordered
        ],
    }


def _lines(figures: dict[str, Any]) -> Iterator[str]:
    levels = ", ".join(f"{count:,} {level}" for level, count in figures["levels"].items() if count)
    yield f"{counted(figures['conversations'], 'conversation')}: {levels}"
    for one in figures["by_conversation"][:_SHOWN]:
        if one["percent"]:
            yield f"  {one['percent']:>6.1f} %  {one['level']:<8}{one['conversation_id']}"
