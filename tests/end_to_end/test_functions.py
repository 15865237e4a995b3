"""A detector of one's own in Python: the same on every runner, part of the config, and failing closed."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tacenda import Anonymizer

SHOP = Path(__file__).parents[2] / "docs/examples/shop.py"
CONFIG = {
    "look_for": {"functions": {"ORDER_NUMBER": "shop:order_numbers"}},
    "risk": {"labels": {"ORDER_NUMBER": "GENERIC_ID"}},
}
YAML = """
look_for: {functions: {ORDER_NUMBER: 'shop:order_numbers'}}
risk: {labels: {ORDER_NUMBER: GENERIC_ID}}
"""
TEXT = "Order 84/1206-1, please."


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the module and a config that names it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "shop", raising=False)
    shutil.copy(SHOP, "shop.py")
    Path("config.yaml").write_text(YAML)
    return tmp_path


def _calls(*texts: str) -> list[dict[str, Any]]:
    return [{"conversation_id": f"c{i}", "turns": [{"text": text}]} for i, text in enumerate(texts)]


def test_every_runner_finds_the_same(tacenda: Any, lines: Callable[..., Path], shop: Path) -> None:
    words = ("anonymize", "--input", lines(*_calls(*[TEXT] * 30)), "--config", shop / "config.yaml")
    runs = [tacenda(*words, *more) for more in (["--workers", "2"], ["--runner=FnApiRunner"])]
    assert [run.code for run in runs] == [0, 0]
    assert runs[0].files() == runs[1].files()
    assert [call["turns"][0]["text"] for call in runs[0].corpus()] == ["Order [ORDER_NUMBER_1], please."] * 30
    assert Anonymizer(CONFIG).anonymize(TEXT).conversation == "Order [ORDER_NUMBER_1], please."
    before = runs[0].json("manifest.json")
    assert before["config"]["inspect"]["functions"]["ORDER_NUMBER"]["name"] == "shop:order_numbers"
    with (shop / "shop.py").open("a") as file:
        file.write("# changed\n")
    sys.modules.pop("shop")
    assert tacenda(*words).json("manifest.json")["config_hash"] != before["config_hash"]


def test_what_a_function_cannot_read_is_quarantined(
    tacenda: Any, lines: Callable[..., Path], shop: Path
) -> None:
    (shop / "shop.py").write_text(
        "def order_numbers(text):\n"
        "    return [(0, 99)] if 'wrong' in text else [(0, {'Order': 5}[text[:5]])]\n"
    )
    source = lines(*_calls("Order it.", "Mind the gap.", "Order wrong.", *["Order it."] * 60))
    run = tacenda("anonymize", "--input", source, "--config", shop / "config.yaml", "--workers", "1")
    assert run.code == 0
    assert [(q["error"], q["stage"]) for q in run.quarantine()] == [
        ("KeyError", "detect"),
        ("WrongPlace", "detect"),
    ]
    assert {call["turns"][0]["text"] for call in run.corpus()} == {"[ORDER_NUMBER_1] it."}
