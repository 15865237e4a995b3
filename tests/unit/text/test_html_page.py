import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from tacenda.transforms.text.html_page import page_environment


@pytest.mark.parametrize(
    ("value", "shown"),
    [("<b>", "&lt;b&gt;"), ("a\u202eb", "a\\u202eb"), (Markup("<b>"), "<b>"), (5, "5")],
)
def test_values_are_escaped_and_visible_but_for_markup(value: object, shown: str) -> None:
    assert page_environment().from_string("{{ value }}").render(value=value) == shown


def test_a_name_without_a_value_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        page_environment().from_string("{{ value }}").render()
