"""Conversations as tasks of Label Studio, and its annotations as marks.

Turns are paragraphs of a dialogue. A region has a tag; for what is readable in part or the speaker's own,
there is a choice at each region; a relation between regions says that they mean the same person or thing.
Speaker labels cannot be marked there; packets can.
Formats: https://labelstud.io/guide/task_format and https://labelstud.io/tags/paragraphlabels.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from tacenda.transforms.reviewing.marks import Mark, Reading, Talk, check_marks, find_text, joined_entities
from tacenda.transforms.reviewing.packet import known_talk
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.scoring.score_table import MISSED, ScoreTable, Tag
from tacenda.transforms.shapes.declared import reader_name

_TAGS, _TEXT, _HOW = "tag", "dialogue", "how"
_NOBODY = "–"


def tasks(talks: Iterable[Talk], hints: Mapping[str, str]) -> list[dict[str, Any]]:
    """The tasks, for import by Label Studio as JSON."""
    return [
        {
            "data": {
                "conversation_id": talk.conversation_id,
                "context": talk.context,
                "text_hash": talk.text_hash,
                "hint": hints.get(talk.conversation_id, ""),
                _TEXT: [{"author": speaker or _NOBODY, "text": text} for speaker, text in talk.turns],
            }
        }
        for talk in talks
    ]


def labelling_config(table: ScoreTable) -> str:
    """The labelling interface of the project, as XML."""
    tags = [tag for tag in table.rows if not tag.endswith("_SPEAKER")]
    labels = "\n".join(f"    <Label value={quoteattr(tag)}/>" for tag in tags)
    return (
        "<View>\n"
        '  <Header value="$conversation_id"/>\n'
        f'  <ParagraphLabels name="{_TAGS}" toName="{_TEXT}">\n{labels}\n  </ParagraphLabels>\n'
        f'  <Paragraphs name="{_TEXT}" value="${_TEXT}" layout="dialogue" nameKey="author" textKey="text"/>\n'
        f'  <Choices name="{_HOW}" toName="{_TEXT}" perRegion="true" choice="multiple">\n'
        '    <Choice value="partial"/>\n    <Choice value="speaker"/>\n  </Choices>\n'
        "</View>\n"
    )


def read_annotations(
    exported: Sequence[Any],
    talks: Mapping[str, Talk],
    table: ScoreTable,
    readers: Mapping[str, str],
    where: str,
) -> list[Reading]:
    """The annotations of a JSON export; skipped ones are left out.

    ``readers`` has the names of annotators by number or e-mail address; ``where`` is the file, for messages.

    Raises:
        UserError: a task is not in the corpus or has another text, an annotator has no name, or a region is
            wrong.
    """
    found = []
    for number, task in enumerate(exported, 1):
        here = f"{where}, task {number}"
        talk = known_talk(task.get("data") if isinstance(task, dict) else None, talks, here)
        annotations = task.get("annotations")
        if not isinstance(annotations, list):
            raise UserError(f"{here}: has no annotations; export as JSON, not as JSON-MIN")
        for annotation in annotations:
            if annotation.get("was_cancelled"):
                continue
            by = annotation.get("completed_by")
            known = by if isinstance(by, dict) else {"id": by}
            names = [str(known[name]) for name in ("email", "id") if known.get(name) not in (None, "")]
            reader = next(filter(None, (reader_name(readers.get(name)) for name in names)), None)
            if reader is None:
                name = names[-1] if names else "NUMBER"
                raise UserError(f"{here}: give the annotator's name: --reader {name}=NAME")
            told = _marks(talk, annotation.get("result") or [], here)
            found.append(Reading(talk.conversation_id, reader, check_marks(talk, told, table, here)))
    return found


def _marks(talk: Talk, result: Sequence[Any], where: str) -> list[tuple[Mark, str]]:
    """Marks with the text that was seen there."""
    regions: dict[str, tuple[Mark, str]] = {}
    how: dict[str, set[str]] = {}
    relations: list[tuple[str, str]] = []
    for number, one in enumerate(result, 1):
        here = f"{where}, region {number}"
        kind, value = one.get("type"), one.get("value") or {}
        if kind == "relation":
            relations.append((one.get("from_id"), one.get("to_id")))
        elif kind == "choices":
            how.setdefault(one.get("id"), set()).update(value.get("choices", ()))
        elif kind == "paragraphlabels":
            regions[one.get("id")] = _region(talk, value, here)
        else:
            raise UserError(f"{here}: is of another kind; use the interface that came with the tasks")
    if how.keys() - regions.keys() or {i for pair in relations for i in pair} - regions.keys():
        raise UserError(f"{where}: says something of a region without a tag; give it one and export again")
    marks = []
    for name, (mark, _) in regions.items():
        said = how.get(name, set())
        tag = Tag(mark.label.removeprefix(MISSED), "partial" in said, "speaker" in said)
        marks.append(mark._replace(label=tag.spelling))
    place = {name: i for i, name in enumerate(regions)}
    joined = joined_entities(marks, [(place[one], place[other]) for one, other in relations])
    return list(zip(joined, (seen for _, seen in regions.values()), strict=True))


def _region(talk: Talk, value: Mapping[str, Any], where: str) -> tuple[Mark, str]:
    """The mark of a region, and the text that was seen there."""
    labels, seen = value.get("paragraphlabels"), value.get("text")
    try:
        first, last, start, end = (int(value[name]) for name in ("start", "end", "startOffset", "endOffset"))
    except (KeyError, TypeError, ValueError):
        raise UserError(f"{where}: has no place in the text; export as JSON") from None
    if not isinstance(labels, list) or len(labels) != 1 or not isinstance(labels[0], str):
        raise UserError(f"{where}: needs exactly one tag")
    if first != last or not 0 <= first < len(talk.turns):
        raise UserError(f"{where}: must lie within one turn; mark each turn by itself")
    if not isinstance(seen, str):
        raise UserError(f"{where}: does not have its text; export as JSON with the text of regions")
    found = find_text(talk.turns[first][1], start, end, seen)
    if found is None:
        raise UserError(f"{where}: the corpus has another text there; export it again")
    return Mark(first, *found, labels[0]), seen
