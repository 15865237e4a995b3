from tacenda.pipelines.command_line.figures import figure, indented_json


def test_a_figure_that_is_not_there_is_a_dash() -> None:
    assert [figure(0.12345), figure(0.0), figure(None)] == ["0.123", "0.000", "–"]


def test_a_document_is_indented_and_ends_with_a_line_feed() -> None:
    assert indented_json({"a": [1]}) == b'{\n  "a": [\n    1\n  ]\n}\n'
