"""Run ``tacenda lab contexts``: how unusual the words around replaced data are, as DeIDClinic measures it.

Paul et al., "DeIDClinic: A Multi-Layered Framework for De-identification of Clinical Free-text Data", 2024:
the *context* of a replaced entity is the entity with five words on either side. Two contexts with a cosine
below .5 are unlike each other; a document of which many contexts are unlike those of others may stand out
although nobody is named. It was never compared with an attack: it suggests what to read first and has no part
in a release.

There, a context is a vector of BERT; here, its words and how often each occurs, and the kind of the replaced
entity. Dot products of counts are whole numbers, so the result does not depend on how contexts are cut into
blocks.
"""

import re
import zlib
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.lab.reading import cosines, tell
from tacenda.pipelines.output.anonymized_folder import open_folder
from tacenda.transforms.reviewing.drawing import draw
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import absolute

WINDOW = 5  # words on either side of the entity
COSINE = 0.5
YELLOW, RED = 25.0, 50.0
"""Per cent: from the first on yellow; above the second red."""

BUCKETS = 1 << 11
_BLOCK = 1024  # contexts compared at once with as many others: 8 MB of counts on each side
_WORD = re.compile(rf"{TOKEN.pattern}|\w+")

Counts = npt.NDArray[np.float32]


def contexts_of(text: str, window: int = WINDOW) -> Iterator[list[str]]:
    """The words around each replacement token of a text, cut off at its ends; tokens are their kinds.

    >>> list(contexts_of("Call [PERSON_NAME_1] at noon", 1))
    [['call', '[PERSON_NAME]', 'at']]
    """
    tokens = [(TOKEN.fullmatch(one[0]), one[0].casefold()) for one in _WORD.finditer(text)]
    words = [f"[{token[1]}]" if token else word for token, word in tokens]
    for i, (token, _) in enumerate(tokens):
        if token:
            yield words[max(0, i - window) : i + window + 1]


def count_words(contexts: Sequence[Sequence[str]]) -> Counts:
    """A row for each context: how often words of each of ``BUCKETS`` hashes occur in it."""
    counts = np.zeros((len(contexts), BUCKETS), np.float32)
    for row, words in zip(counts, contexts, strict=True):
        for word in words:
            row[zlib.crc32(word.encode("utf-8", "surrogatepass")) % BUCKETS] += 1
    return counts


def count_unlike(
    vectors: Counts, owners: npt.NDArray[np.intp], documents: int, block: int = _BLOCK
) -> npt.NDArray[np.int64]:
    """For each of some documents, its contexts that are unlike every context of other documents.

    ``vectors`` has a row of whole numbers for each context, none zero throughout, and ``owners`` the number
    of its document; ``block`` bounds memory and changes nothing.
    """
    counts = np.zeros(documents, np.int64)
    for start in range(0, len(vectors), block):
        rows = slice(start, start + block)
        alike = np.zeros(len(vectors[rows]), np.int64)
        for other in range(0, len(vectors), block):
            columns = slice(other, other + block)
            near = cosines(vectors[rows], vectors[columns]) >= COSINE
            alike += (near & (owners[rows, None] != owners[None, columns])).sum(axis=1)
        np.add.at(counts, owners[rows], (alike == 0).astype(np.int64))
    return counts


def grade(counts: Sequence[int], contexts: Sequence[int]) -> list[dict[str, Any]]:
    """The figures of documents of which ``counts`` are unlike others and which have so many ``contexts``.

    The paper's percentages are shares of what counts in all documents, so that at most four are yellow or red,
    however large the corpus; these are shares of the document's own contexts. ``percent`` and ``level`` are
    None where there is nothing to compare with; both bounds are yellow.

    >>> [one["level"] for one in grade([24, 25, 50, 51], [100] * 4)]
    ['green', 'yellow', 'yellow', 'red']
    """
    alone = sum(number > 0 for number in contexts) < 2
    graded = []
    for count, own in zip(counts, contexts, strict=True):
        percent = None if alone and own else 100 * count / max(own, 1)
        level = None
        if percent is not None:
            level = "green" if percent < YELLOW else "yellow" if percent <= RED else "red"
        graded.append({"contexts": own, "counted": count, "percent": percent, "level": level})
    return graded


def grade_contexts(arguments: Namespace) -> int:
    """Grade conversations, as the arguments say; returns the exit code.

    Raises:
        UserError: a mistake in the arguments, or a corpus without tokens.
    """
    folder = open_folder(absolute(arguments.folder).rstrip("/"))
    talks = folder.talks(draw(folder.hashed(), str(arguments.seed), arguments.conversations).drawn)
    contexts = [[one for _, text in talk.turns for one in contexts_of(text)] for talk in talks]
    if not any(contexts):
        told = "has no tokens such as [PERSON_NAME_1] to say where something was replaced"
        raise UserError(f"{redact_url(folder.output)}: {told}")
    numbers = [len(several) for several in contexts]
    vectors = count_words([context for several in contexts for context in several])
    unlike = count_unlike(vectors, np.repeat(np.arange(len(talks)), numbers), len(talks))
    rows: list[dict[str, Any]] = [
        {"conversation_id": talk.conversation_id, "context": talk.context, **graded}
        for talk, graded in zip(talks, grade(unlike.tolist(), numbers), strict=True)
    ]
    rows.sort(key=lambda row: (-(row["percent"] or 0), -row["counted"], row["conversation_id"]))
    levels = Counter(row["level"] or "undefined" for row in rows)
    figures = {
        "seed": arguments.seed,
        "words_on_either_side": WINDOW,
        "cosine_below": COSINE,
        "conversations": len(talks),
        "levels": {level: levels[level] for level in ("green", "yellow", "red", "undefined")},
        "by_conversation": rows,
    }
    tell(arguments, figures)
    return ExitCode.DONE
