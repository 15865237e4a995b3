"""A red team: people try to find out who somebody is in anonymised conversations that carry no marks.

After Gardiner et al., CALD-pseudo 2024, section 4.3: 200 conversations, of which 181 had no personal data
left, 19 had some, and in none was anybody identified. A sheet has a row for each conversation; the shares
come with exact bounds, since none of 200 does not mean none of all.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from tacenda.transforms.reviewing.drawing import Hashed
from tacenda.transforms.reviewing.marks import Talk
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.scoring.intervals import exact_interval, upper_bound
from tacenda.transforms.shapes.declared import reader_name
from tacenda.transforms.text.html_page import page_environment

COLUMNS = (*Hashed._fields, "personal_data_left", "somebody_identified", "by", "note")
"""Of the sheet; the readers fill in the last four."""

_ANSWERS = {"yes": True, "y": True, "no": False, "n": False}


def write_sheet(drawn: Iterable[Hashed]) -> str:
    """The sheet to fill in, as CSV."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows((one.conversation_id, one.context, one.text_hash, "", "", "", "") for one in drawn)
    return sheet.getvalue()


def render_page(talks: Sequence[Talk]) -> str:
    """The conversations as one HTML page to read, without marks, scores or scripts."""
    template = page_environment().from_string((files(__package__) / "red_team.html.j2").read_text("utf-8"))
    return template.render(talks=talks)


def read_sheet(text: str, drawn: Iterable[Hashed], where: str) -> dict[str, Any]:
    """The figures of a sheet; ``where`` is the file, for messages.

    Columns are divided by commas or semicolons, as spreadsheets write them. Intervals and bounds are exact, at
    95 %, two-sided and one-sided.

    Raises:
        UserError: a row is missing, doubled, unanswered or of another conversation, or somebody was
            identified where nothing is left.
    """
    text = text.removeprefix("\ufeff")
    dialect = ";" if text.partition("\n")[0].count(";") > text.partition("\n")[0].count(",") else ","
    # Any line ends: some spreadsheets write a bare carriage return.
    reader = csv.DictReader(io.StringIO(text, newline=None), delimiter=dialect)
    try:
        rows = list(reader)
    except csv.Error:
        raise UserError(f"{where}: not CSV; fill in the sheet that was drawn, and save it as CSV") from None
    if missing := [name for name in COLUMNS[:-1] if name not in (reader.fieldnames or ())]:
        raise UserError(f"{where}: has no column {', '.join(missing)}; fill in the sheet that was drawn")
    open_rows = {one.conversation_id: one.text_hash for one in drawn}
    count = len(open_rows)
    found: list[tuple[bool, bool]] = []
    members = Counter[str]()
    for number, row in enumerate(rows, 2):
        here = f"{where} line {number}"
        text_hash = open_rows.pop(row["conversation_id"], None)
        if text_hash is None:
            raise UserError(f"{here}: this conversation was not drawn, or comes twice")
        if row["text_hash"] != text_hash:
            raise UserError(f"{here}: its text_hash was changed; fill in the sheet that was drawn")
        left, identified = (
            _answer(row, name, here) for name in ("personal_data_left", "somebody_identified")
        )
        if identified and not left:
            raise UserError(f"{here}: somebody was identified, so personal data is left; correct one")
        by = reader_name(row["by"])
        if not by:
            raise UserError(f"{here}: 'by' needs the name of the person who read it")
        members[by] += 1
        found.append((left, identified))
    if open_rows:
        raise UserError(
            f"{where}: {len(open_rows)} of {count} conversations are missing; the sheet must be whole"
        )
    with_data, identified_in = sum(left for left, _ in found), sum(who for _, who in found)
    return {
        "conversations": count,
        "members": dict(sorted(members.items())),
        **{
            name: {
                "count": times,
                "share": times / count,
                "interval_95": list(exact_interval(times, count)),
                "at_most": upper_bound(times, count),
            }
            for name, times in (
                ("nothing_found", count - with_data),
                ("personal_data_left", with_data),
                ("somebody_identified", identified_in),
            )
        },
    }


def _answer(row: Mapping[str, str], name: str, where: str) -> bool:
    answer = _ANSWERS.get((row[name] or "").strip().lower())
    if answer is None:
        raise UserError(f"{where}: '{name}' must be yes or no")
    return answer
