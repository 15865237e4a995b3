import csv
import io
from typing import Any

import pytest

from tacenda.transforms.reviewing.drawing import Hashed
from tacenda.transforms.reviewing.marks import Talk
from tacenda.transforms.reviewing.red_team import COLUMNS, RedTeam, read_sheet, render_page, write_sheet
from tacenda.transforms.schema.errors import UserError

DRAWN = [Hashed(f"c{i}", "sales", f"h{i}") for i in range(200)]


def _filled(with_data: int, identified: int = 0, **changes: Any) -> str:
    rows = list(csv.DictReader(io.StringIO(write_sheet(DRAWN))))
    for i, row in enumerate(rows):
        row["personal_data_left"] = "yes" if i < with_data else "no"
        row["somebody_identified"] = "Yes" if i < identified else "No"
        row["by"] = "Pam" if i % 2 else "Jim"
    rows[7].update(changes)
    sheet = io.StringIO()
    writer = csv.DictWriter(sheet, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    return sheet.getvalue()


def test_the_figures_of_the_paper_with_exact_bounds() -> None:
    found = read_sheet(_filled(19), DRAWN, "sheet")
    assert found == RedTeam(200, 19, 0, {"Jim": 100, "Pam": 100})
    figures = found.figures()
    names = ("nothing_found", "personal_data_left", "somebody_identified")
    assert [figures[name]["count"] for name in names] == [181, 19, 0]
    assert figures["nothing_found"]["share"] == 0.905
    assert figures["personal_data_left"]["share"] == 0.095
    # Nobody in 200 is at most 1.5 %, not nobody: 1 - .05 ** (1 / 200).
    assert figures["somebody_identified"]["at_most"] == pytest.approx(0.01487, abs=5e-6)
    assert figures["somebody_identified"]["interval_95"] == pytest.approx([0, 0.018275], abs=5e-6)
    # 19 of 200, Clopper and Pearson, by the quantiles of the beta distribution.
    assert figures["personal_data_left"]["interval_95"] == pytest.approx([0.0581696, 0.1443766], abs=5e-7)


def test_a_sheet_of_a_spreadsheet_is_read() -> None:
    told = _filled(19).replace(",", ";")
    assert read_sheet("\ufeff" + told, DRAWN, "sheet").with_data == 19


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"personal_data_left": ""}, "line 9: 'personal_data_left' must be yes or no"),
        ({"somebody_identified": "maybe"}, "must be yes or no"),
        ({"personal_data_left": "no", "somebody_identified": "yes"}, "so personal data is left"),
        ({"by": " "}, "'by' needs the name"),
        ({"text_hash": "h8"}, "its text_hash was changed"),
        ({"conversation_id": "c1"}, "comes twice"),
        ({"conversation_id": "c999"}, "was not drawn"),
    ],
)
def test_a_wrong_row_is_named(changes: dict[str, str], told: str) -> None:
    with pytest.raises(UserError, match=told):
        read_sheet(_filled(3, **changes), DRAWN, "sheet")


def test_a_sheet_must_be_whole() -> None:
    lines = _filled(3).splitlines(keepends=True)
    with pytest.raises(UserError, match="2 of 200 conversations are missing"):
        read_sheet("".join(lines[:-2]), DRAWN, "sheet")
    with pytest.raises(UserError, match="no column"):
        read_sheet("conversation_id\nc1\n", DRAWN, "sheet")


def test_the_page_shows_text_as_text_and_nothing_else() -> None:
    hostile = "<script>alert(1)</script>\u202eabc"
    page = render_page([Talk(hostile, hostile, "h", ((hostile, hostile),))])
    assert "<script" not in page
    assert "\u202e" not in page
    assert page.count("&lt;script&gt;") == 5
