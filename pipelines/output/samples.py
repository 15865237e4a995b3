"""Samples of an output folder for people to read: drawing them again, their conversations and scores."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tacenda.pipelines.output.anonymized_folder import REVIEW, AnonymizedFolder
from tacenda.pipelines.output.file_verification import parts_of
from tacenda.transforms.reviewing.drawing import Hashed, Sample, class_of, draw
from tacenda.transforms.reviewing.marks import Talk
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.storage.tables import read_columns
from tacenda.transforms.writing.columns import batch_hashes


def record_draw(folder: AnonymizedFolder, kind: str, record: Mapping[str, Any]) -> None:
    """Write the record of a sample into the folder, named by its content."""
    name = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:16]
    with publish(f"{folder.output}/{REVIEW}/{kind}-{name}.json") as sink:
        sink.write((json.dumps(record, indent=2, ensure_ascii=False) + "\n").encode())


def draw_again(
    folder: AnonymizedFolder, conversations: Iterable[Hashed], seed: int, per_context: int, by_risk: bool
) -> Sample:
    """The sample of a seed; ``conversations`` are those of the folder."""
    classes = None
    if by_risk:
        threshold = float(folder.manifest["config"]["risk"]["threshold"])
        classes = {name: class_of(score, threshold) for name, score in scores_of(folder).items()}
    return draw(conversations, seed, per_context, classes)


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
                told[row["conversation_id"]] = f"Self-check: {row['score']} points" + (
                    f" ({tags})" if tags else ""
                )
    return told


def talks_of(folder: AnonymizedFolder, drawn: Sequence[Hashed]) -> list[Talk]:
    """Drawn conversations with each cell as a turn, regardless of the corpus' shape.

    Raises:
        UserError: the corpus has other texts than when it was written.
    """
    wanted: dict[str, list[Hashed]] = {}
    for one in drawn:
        wanted.setdefault(one.text_hash, []).append(one)
    talks: dict[Hashed, Talk] = {}
    for batch, _ in folder.readings():
        for i, text_hash in enumerate(batch_hashes(batch, batch.texts, batch.speakers)):
            for one in wanted.pop(text_hash, ()):
                turns = tuple((batch.speakers[cell], batch.texts[cell]) for cell in batch.cells(i))
                talks[one] = Talk(one.conversation_id, one.context, text_hash, turns)
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
