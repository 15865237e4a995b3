"""The environment of HTML pages: text is escaped, and what would change how text beside it looks is shown."""

from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined
from markupsafe import Markup

from tacenda.transforms.text.characters import visible


def page_environment(loader: BaseLoader | None = None) -> Environment:
    r"""An environment of templates whose values may hold anything; an undefined name is an error.

    >>> page_environment().from_string("<b>{{ name }}</b>").render(name="<i>\u202e")
    '<b>&lt;i&gt;\\u202e</b>'
    """

    def displayed(value: Any) -> Any:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    form: dict[str, Any] = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    return Environment(loader=loader, autoescape=True, finalize=displayed, **form)
