from pathlib import Path

import pytest

from pipelines.config.document import load_config
from transforms.schema.errors import UserError


def _write(folder: Path, text: str, name: str = "c.yaml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_no_file_is_the_empty_config() -> None:
    assert load_config(None).section("inspect") == {}


def test_yaml_and_json_give_the_same(tmp_path: Path) -> None:
    yaml = load_config(_write(tmp_path, "risk:\n  threshold: 4\n"))
    json = load_config(_write(tmp_path, '{"risk": {"threshold": 4}}', "c.json"))
    assert yaml.data == json.data == {"risk": {"threshold": 4}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("risk:\n  a: [\n", "line 3: not valid YAML"),
        ("- a\n", "line 1: the config must be a mapping"),
        ("inspect: {}\nrisks: {}\n", "line 2: unknown key 'risks'"),
        ("risk:\n  threshold: 5\n  threshold: 6\n", "line 3: 'risk.threshold' stands twice"),
        ("a\tb: {", "not valid YAML"),
        ("name: x\ninspectConfig: {}\n", "line 2: is an InspectTemplate of Cloud DLP"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        load_config(_write(tmp_path, text))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_broken_json_names_its_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="line 2: not valid JSON"):
        load_config(_write(tmp_path, '{"risk":\n oops}', "c.json"))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nowhere\.yaml: no such file"):
        load_config(str(tmp_path / "nowhere.yaml"))


def test_an_error_finds_the_line_of_the_nearest_key(tmp_path: Path) -> None:
    document = load_config(_write(tmp_path, "inspect:\n  custom_info_types:\n    - info_type: {name: A}\n"))
    error = document.error("inspect.custom_info_types[0].regex.pattern", "bad")
    assert str(error).endswith("line 3: bad")


def test_anchors_that_multiply_are_refused_at_once(tmp_path):
    path = tmp_path / "bomb.yaml"
    levels = [f"  x{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    path.write_text("\n".join(["risk:", "  x0: &a0 [x]", *levels]))
    with pytest.raises(UserError, match=r"bomb\.yaml: its anchors are repeated more than"):
        load_config(str(path))
