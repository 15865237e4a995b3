from tacenda.transforms.shapes.json_text import UniqueKeys, is_parameter, is_searched, key_path


def test_names_of_parameters_are_distinguished_from_data() -> None:
    assert is_parameter("ship_to")
    assert is_parameter("$ref")
    assert not is_parameter("anna@x.se")
    assert not is_parameter("0701234567")


def test_long_numbers_are_searched() -> None:
    assert is_searched("123")
    assert is_searched("-1.25")
    assert not is_searched("12")


def test_a_path_does_not_hold_data() -> None:
    assert key_path("a", "city", 3) == "a.city"
    assert key_path("a", "anna@x.se", 3) == "a.3"
    assert key_path("a", "k" * 200, 3) == "a.3"


def test_keys_stay_apart_and_repeated_ones_stay_the_same() -> None:
    keys = UniqueKeys()
    assert [keys.name(key, "[E]") for key in ("a", "b", "a")] == ["[E]", "[E]_2", "[E]"]
    assert keys.name("[E]_2", "[E]_2") == "[E]_2_2"
