import pytest

from tacenda.pipelines.config.document import load_config
from tacenda.transforms.schema.errors import UserError
from tests.cases import cases


def _write(folder, text, name="c.yaml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_no_file_is_the_empty_config():
    assert load_config(None).section("inspect") == {}


def test_yaml_and_json_give_the_same(tmp_path):
    yaml = load_config(_write(tmp_path, "risk:\n  threshold: 4\n"))
    json = load_config(_write(tmp_path, '{"risk": {"threshold": 4}}', "c.json"))
    assert yaml.data == json.data == {"risk": {"threshold": 4}}


@pytest.mark.parametrize(
    ("text", "message"),
    cases(__file__, "test_a_mistake_is_one_line_with_its_place"),
)
def test_a_mistake_is_one_line_with_its_place(tmp_path, text, message):
    with pytest.raises(UserError) as caught:
        load_config(_write(tmp_path, text))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_broken_json_names_its_line(tmp_path):
    with pytest.raises(UserError, match=":2: not valid JSON"):
        load_config(_write(tmp_path, '{"risk":\n oops}', "c.json"))


@pytest.mark.parametrize(("name", "text", "told"), cases(__file__, "test_lone_surrogates_are_refused"))
def test_lone_surrogates_are_refused(tmp_path, name, text, told):
    with pytest.raises(UserError) as caught:
        load_config(_write(tmp_path, text, name))
    assert str(caught.value) == f"{tmp_path}/{told}, half of a surrogate pair; write the character itself"


def test_escaped_surrogate_pairs_are_accepted(tmp_path):
    loaded = load_config(_write(tmp_path, r'{"risk": {"labels": {"\ud83d\ude00": "unscored"}}}', "c.json"))
    assert loaded.data == {"risk": {"labels": {"😀": "unscored"}}}


def test_a_key_with_a_dot_is_another_than_a_key_below_a_key(tmp_path):
    loaded = load_config(_write(tmp_path, "risk:\n  labels:\n    A.B: X\n    A:\n      B: Y\n"))
    assert loaded.data == {"risk": {"labels": {"A.B": "X", "A": {"B": "Y"}}}}
    with pytest.raises(UserError, match=r":1: 'A\.B' occurs twice"):
        load_config(_write(tmp_path, "{A.B: 1, A.B: 2}"))


def test_a_setting_in_both_spellings_is_refused_in_json_as_well(tmp_path):
    text = '{"inspect": {"customInfoTypes": [], "custom_info_types": []}}'
    with pytest.raises(UserError, match=r"is the same setting as 'customInfoTypes'; keep one of them$"):
        load_config(_write(tmp_path, text, "c.json"))


def test_labels_are_not_converted_to_snake_case(tmp_path):
    text = "risk:\n  labels: {staffId: unscored, staff_id: unscored}\n"
    assert len(load_config(_write(tmp_path, text)).section("risk")["labels"]) == 2


def test_the_option_that_names_a_missing_file_is_reported(tmp_path):
    for option in ("--config", "--compare-config"):
        with pytest.raises(UserError, match=rf"^{option} [^\n]*: cannot be read"):
            load_config(str(tmp_path), option)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UserError, match=r"nowhere\.yaml: no such file"):
        load_config(str(tmp_path / "nowhere.yaml"))


def test_an_error_finds_the_line_of_the_nearest_key(tmp_path):
    document = load_config(_write(tmp_path, "inspect:\n  custom_info_types:\n    - info_type: {name: A}\n"))
    error = document.error("inspect.custom_info_types[0].regex.pattern", "bad")
    assert str(error).endswith("c.yaml:3: inspect.custom_info_types[0].regex.pattern: bad")


def test_anchors_that_multiply_are_refused_at_once(tmp_path):
    path = tmp_path / "bomb.yaml"
    levels = [f"  x{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    path.write_text("\n".join(["risk:", "  x0: &a0 [x]", *levels]))
    with pytest.raises(UserError, match=r"bomb\.yaml: its anchors are repeated more than"):
        load_config(str(path))


@pytest.mark.parametrize("text", cases(__file__, "test_error_messages_do_not_quote_the_config"))
@pytest.mark.parametrize("name", ["c.yaml", "c.json"])
def test_error_messages_do_not_quote_the_config(tmp_path, text, name):
    if name == "c.json":
        text = '{"inspect": {"Dwight Schrute": 1, "Dwight Schrute": 2}}'
    with pytest.raises(UserError) as caught:
        load_config(_write(tmp_path, text, name))
    assert "chrute" not in str(caught.value)
