"""The report in a real browser: hostile text in every field stays text; wide, narrow and in print."""

import base64
import re

import pytest

from tacenda.transforms.releasing.report import render
from tests.unit.releasing.test_report import of_a_review

pytestmark = pytest.mark.slow
OWN = "document.title='owned'"
HOSTILE = f'</script></style></title></pre><script>{OWN}</script>"\'><img src=x onerror="{OWN}">\u202e'
CHOSEN = {"source", "state", "evidence", "command", "names", "looked_for"}
"""Keys whose values name one of a few things; all others may come from data."""


def poisoned(value, key=""):
    """A copy in which each text is hostile."""
    if isinstance(value, str) and key not in CHOSEN:
        return f"{HOSTILE} {value}"
    if isinstance(value, dict):
        return {name: poisoned(one, name) for name, one in value.items()}
    if isinstance(value, list) and key not in CHOSEN:
        return [poisoned(one, key) for one in value]
    return value


@pytest.fixture
def opened(chromium, tmp_path):
    def open_report(manifest, figures, width=1200):
        page = tmp_path / "report.html"
        page.write_text(render(manifest, figures), "utf-8")
        chromium.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
        )
        chromium.open(page)
        return chromium

    return open_report


def test_hostile_text_in_every_field_stays_text(opened):
    manifest, figures = of_a_review()
    page = opened(poisoned(manifest), figures)
    assert page.evaluate("document.title") != "owned"
    assert page.evaluate("document.querySelectorAll('script, img, iframe, object, embed').length") == 0


@pytest.mark.parametrize("width", [1200, 700, 360])
def test_nothing_is_wider_than_the_window(opened, width):
    page = opened(*of_a_review(), width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_it_prints_on_a_few_pages_the_first_of_which_has_the_sign_off(opened):
    page = opened(*of_a_review())
    told = base64.b64decode(page.send("Page.printToPDF", preferCSSPageSize=True)["data"])
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", told)) <= 8
