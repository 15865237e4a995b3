import json
import shutil
from pathlib import Path

from tacenda.models.training.card import card
from tacenda.models.training.turn_filter import describe_filter

TINY = Path(__file__).parents[3] / "golden" / "tiny_model"
REPORT = {
    "words": 1234,
    "limit": -2.25,
    "lost": 0.0005,
    "lost_of_any": 0.002,
    "makers_left_out": {"acme": {"tokens": 200, "skipped": 50, "findings": 9, "lost": 1}},
}


def test_a_filter_has_its_report_and_its_part_of_the_card(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(TINY, tmp_path / "package"))
    text = tmp_path / "acme.jsonl"
    text.write_text("{}\n")
    describe_filter(folder, REPORT, {text: 17})
    told = json.loads((folder / "turn_filter.json").read_text("utf-8"))
    assert told["makers_left_out"]["acme"]["share_skipped"] == 0.25
    assert [(one["file"], one["conversations"]) for one in told["read"]] == [("acme.jsonl", 17)]
    assert "1,234 that the network passes over" in " ".join(card(folder).split())
