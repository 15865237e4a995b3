"""The report in a real browser: hostile text in every field stays text; wide, narrow and in print."""

import base64
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tacenda.transforms.releasing.report import ReportData, render
from tests.browser import CHROMIUM, Browser, browsing
from tests.unit.releasing import conftest as reports

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
]

OWN = "document.title='owned'"
HOSTILE = f'</script></style></title></pre><script>{OWN}</script>"\'><img src=x onerror="{OWN}">\u202e'
CHOSEN = {"source", "deciding", "criterion", "evidence"}
"""Fields that name one of a few things; all others may come from data."""


def poisoned(value: Any, name: str = "") -> Any:
    """A copy in which each text is hostile."""
    if name in CHOSEN:
        return value
    if isinstance(value, str):
        return f"{HOSTILE} {name}"
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return value._replace(**{one: poisoned(getattr(value, one), one) for one in value._fields})
    if isinstance(value, tuple):
        return tuple(poisoned(one, name) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{one.name: poisoned(getattr(value, one.name), one.name) for one in fields(value)}
        )
    return value


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Any:
    def open_report(report: ReportData, width: int = 1200) -> Browser:
        page = tmp_path / "report.html"
        page.write_text(render(report), "utf-8")
        browser.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
        )
        browser.open(page)
        return browser

    return open_report


@pytest.mark.parametrize("build", ["report", "everything"])
def test_hostile_text_in_every_field_stays_text(opened: Any, build: str) -> None:
    browser = opened(poisoned(getattr(reports, build)()))
    assert browser.evaluate("document.title") != "owned"
    assert browser.evaluate("document.querySelectorAll('script, img, iframe, link').length") == 0
    assert browser.evaluate("performance.getEntriesByType('resource').length") == 0
    assert browser.evaluate(f"document.body.textContent.split({OWN!r}).length") > 100
    assert not browser.evaluate("document.body.textContent.includes('\\u202e')")


@pytest.mark.parametrize("build", ["report", "everything"])
def test_on_a_narrow_screen_only_tables_scroll(opened: Any, build: str) -> None:
    browser = opened(getattr(reports, build)(), 400)
    assert browser.evaluate("document.documentElement.scrollWidth") <= 400


def test_the_first_page_in_print_ends_with_the_signature(opened: Any) -> None:
    browser = opened(reports.report())
    pdf = base64.b64decode(
        browser.send("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"]
    )
    assert pdf.startswith(b"%PDF")
    browser.send("Emulation.setEmulatedMedia", media="print")
    # 210 mm less margins of 16 mm each, at 96 pixels an inch.
    browser.send(
        "Emulation.setDeviceMetricsOverride", width=673, height=1029, deviceScaleFactor=1, mobile=False
    )
    assert browser.evaluate("getComputedStyle(document.querySelector('header')).breakAfter") == "page"
    assert browser.evaluate("getComputedStyle(document.querySelector('nav')).display") == "none"
    browser.send("Emulation.setEmulatedMedia", media="")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_colour_schemes_have_their_ground(opened: Any, scheme: str) -> None:
    browser = opened(reports.report())
    browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    ground = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(253, 252, 250)", "dark": "rgb(20, 24, 29)"}[scheme]
    browser.send("Emulation.setEmulatedMedia", features=[])
