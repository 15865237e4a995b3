"""Samples of an output folder for people to read: their looks at it, conversations, and everything written."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from tacenda.pipelines.output.anonymized_folder import REVIEW, AnonymizedFolder
from tacenda.pipelines.output.file_verification import parts_of
from tacenda.transforms.reviewing.drawing import Hashed, Sample, draw
from tacenda.transforms.reviewing.marks import Talk
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.shapes.labels import is_plainly_random
from tacenda.transforms.storage.files import list_folder, read_bytes
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.storage.tables import read_columns
from tacenda.transforms.writing.columns import batch_hashes, text_hash

BESIDE = "(written beside the text)"
"""The speaker of the turn in which readers see what a record holds beside its texts."""

_SAYS_NOTHING = frozenset(
    (
        "",
        "function",
        "text",
        "image_url",
        "json_schema",
        "object",
        "string",
        "number",
        "integer",
        "boolean",
        "array",
    )
)
"""Values of formats, which are alike in all records."""


_COUNT = 4
"""Most digits of a number that counts, such as that of a turn."""


class Look(NamedTuple):
    """A sample that was drawn of a corpus; the looks of one corpus contain each other.

    ``error`` is what it spends of the error (``reviewing.sample_sizes``), ``last`` whether it was declared the
    last. ``planted`` are the leaks planted to measure readers, ``caught`` how many they marked; None until the
    pages have been taken back.
    """

    number: int
    read: int
    least: int
    error: float
    last: bool
    corpus: str
    planted: tuple[dict[str, Any], ...] = ()
    caught: int | None = None


def looks_of(folder: AnonymizedFolder) -> list[Look]:
    """The looks at the corpus as it is, in order; those at what it was before conversations came or went do
    not count.
    """
    seed = seed_of(folder)
    told = (
        json.loads(read_bytes(url)) for url in list_folder(f"{folder.output}/{REVIEW}") if "/draw-" in url
    )
    found = [Look(**{**one, "planted": tuple(one["planted"])}) for one in told if one.get("corpus") == seed]
    return sorted(found)


def record_look(folder: AnonymizedFolder, look: Look) -> None:
    """Write the record of a look into the folder."""
    publish_record(f"{folder.output}/{REVIEW}/draw-{look.corpus[:16]}-{look.number}.json", look._asdict())


def publish_record(url: str, record: Mapping[str, Any]) -> None:
    """Write the record of a sample."""
    with publish(url) as sink:
        sink.write((json.dumps(record, indent=2, ensure_ascii=False) + "\n").encode())


def seed_of(folder: AnonymizedFolder) -> str:
    """The seed of every sample of a corpus: its hash, which nobody chooses."""
    return str(folder.manifest["corpus"]["sha256"])


def draw_again(folder: AnonymizedFolder, look: Look, known: Iterable[Hashed]) -> Sample:
    """The conversations of a look; ``known`` are those of the folder."""
    return draw(known, look.corpus, look.read, look.least)


def scores_of(folder: AnonymizedFolder) -> dict[str, int]:
    """The scores of the run by conversation, the highest of all sources; those of 0 are left out."""
    scores: dict[str, int] = {}
    for url in parts_of(folder.output, "risk"):
        table = read_columns(url, ["conversation_id", "score"])
        for name, score in zip(*(table[c].to_pylist() for c in table.column_names), strict=True):
            if score > scores.get(name, 0):
                scores[name] = score
    return scores


def predictions_of(folder: AnonymizedFolder, wanted: set[str]) -> dict[str, str]:
    """What the run says of some conversations, in words, by id."""
    told: dict[str, str] = {}
    for url in parts_of(folder.output, "risk"):
        for row in read_columns(url, ["conversation_id", "source", "score", "tags"]).to_pylist():
            if row["conversation_id"] in wanted and row["source"] == "model":
                tags = ", ".join(tag["tag"] + " in part" * tag["partial"] for tag in row["tags"])
                told[row["conversation_id"]] = f"Suspected: {row['score']} points" + (
                    f" ({tags})" if tags else ""
                )
    return told


def talks_of(folder: AnonymizedFolder, drawn: Sequence[Hashed]) -> list[Talk]:
    """Drawn conversations as readers see them: each cell as a turn, and what is written beside as one more.

    The hash of a talk is that of its turns; ``plain_hash`` is that of the text alone.

    Raises:
        UserError: the corpus has other texts than when it was written.
    """
    wanted: dict[str, list[Hashed]] = {}
    for one in drawn:
        wanted.setdefault(one.text_hash, []).append(one)
    talks: dict[Hashed, Talk] = {}
    shape, readings = folder.readings()
    for batch, _ in readings:
        hashes = batch_hashes(batch, batch.texts, batch.speakers)
        here = [i for i, one in enumerate(hashes) if one in wanted]
        if not here:
            continue
        left = batch.without(set(range(len(batch))) - set(here))
        records = shape.write_records(left, left.texts, left.speakers)
        starts = [0, *accumulate(left.rows)]
        for k, i in enumerate(here):
            cells = left.cells(k)
            turns = tuple((left.speakers[cell], left.texts[cell]) for cell in cells)
            for one in wanted.pop(hashes[i], ()):
                shown = turns
                if beside := "\n".join(_beside(records[starts[k] : starts[k + 1]], turns, one)):
                    shown = (*turns, (BESIDE, beside))
                speakers, texts = [speaker for speaker, _ in shown], [text for _, text in shown]
                hashed = text_hash(speakers, texts)
                talks[one] = Talk(one.conversation_id, one.context, hashed, shown, one.text_hash)
    if wanted:
        raise UserError(
            f"{redact_url(folder.output)}: {len(wanted)} texts of the corpus were changed; 'tacenda verify' "
            "has the details"
        )
    return [talks[one] for one in drawn]


def table_of(folder: AnonymizedFolder) -> ScoreTable:
    """The score table of the folder's config."""
    risk = folder.manifest["config"]["risk"]
    return ScoreTable.load(risk["preset"], risk["overrides"], risk["labels"])


def _beside(
    records: Sequence[Mapping[str, Any]], turns: Sequence[tuple[str | None, str]], one: Hashed
) -> list[str]:
    """Every value of a record, and every key that is no field's name, that is not a turn; as ``path:
    value``.
    """
    shown = {text for turn in turns for text in turn if text}
    known = {*shown, one.conversation_id, one.context, *_SAYS_NOTHING}
    lines = [
        f"{path}: {value}"
        for record in records
        for path, value in _leaves(record)
        if value not in known and not (value.isdigit() and len(value) <= _COUNT)
    ]
    lines = list(dict.fromkeys(lines))
    if not is_plainly_random(one.conversation_id) or lines:
        lines.insert(0, f"id: {one.conversation_id}")
        if one.context:
            lines.insert(1, f"context: {one.context}")
    return lines


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _leaves(inner, path)
    elif value is not None and not isinstance(value, bool):
        yield path, str(value)
