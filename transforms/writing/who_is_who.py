"""Who is who: the dictionary of each conversation whose clusters were reconciled, in the words of the original.

It undoes the replacement, without the original text beside it: it is for very few eyes, and never lies beside
the output.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

import orjson

from tacenda.transforms.linking.psilence.clusters import Reconciled
from tacenda.transforms.linking.psilence.dictionary import dictionary
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.storage.publishing import publish


def who_is_who(batch: ConversationBatch, reconciled: Sequence[Reconciled | None]) -> bytes:
    """JSON lines, one a conversation in which somebody is named; ``reconciled`` has one entry each.

    A place is ``[turn, start, end]`` in code points of the original, half open; in a turn of several cells
    ``[turn, part, start, end]``, with ``part`` as in the table of findings.
    """
    lines = []
    for conversation, one in enumerate(reconciled):
        if one is not None:
            cells = batch.cells(conversation)
            of_cells = [(batch.turns[k], *((p,) if (p := batch.parts[k]) is not None else ())) for k in cells]
            told = dictionary(one, of_cells)
            if told["clusters"]:
                lines.append(orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE))
    return b"".join(lines)


def who_is_who_url(folder: str, unit: str) -> str:
    """Where in a folder the dictionaries of a work unit stand."""
    return f"{folder}/part-{unit}.jsonl"


@contextmanager
def who_is_who_file(url: str) -> Iterator[BinaryIO]:
    """A file that its owner alone may read; it appears whole or not at all."""
    with publish(url, private=True) as sink:
        yield sink
