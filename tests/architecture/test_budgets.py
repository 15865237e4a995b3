"""Each room stays within its lines; more of them take a reason in the same commit, beside the number."""

from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
BUDGETS = yaml.safe_load(Path(__file__).with_name("budgets.yaml").read_text("utf-8"))


@pytest.mark.parametrize("room", BUDGETS)
def test_a_room_is_within_its_budget(room):
    inner = [ROOT / other for other in BUDGETS if other.startswith(f"{room}/")]
    files = [
        file
        for file in (ROOT / room).rglob("*.py")
        if not any(file.is_relative_to(folder) for folder in inner)
    ]
    assert files, f"{room}: no such room"
    lines = sum(len(file.read_text("utf-8").splitlines()) for file in files)
    assert lines <= BUDGETS[room], f"{room}: {lines} lines; shorten it, or raise its budget with a reason"
