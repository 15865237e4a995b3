"""The site has all pages; a broken link makes its build fail."""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from tests.browser import CHROMIUM, browsing
from tests.cases import tabled
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
SITE = ROOT / "infra" / "site"

sys.path.append(str(SITE))
import assemble  # noqa: E402

needs_mkdocs = pytest.mark.skipif(find_spec("mkdocs") is None, reason="needs mkdocs: make docs installs it")


def test_every_page_is_in_the_navigation():
    sections = yaml.safe_load((SITE / "mkdocs.yml").read_text("utf-8"))["nav"]
    shown = {
        page if isinstance(page, str) else next(iter(page.values()))
        for section in sections
        for pages in section.values()
        for page in pages
    }
    assert {page.name for page in (ROOT / "docs").glob("*.md")} <= shown


def test_every_source_is_there():
    assert all((ROOT / source).is_file() for source in assemble.SHOWN)


@tabled("link", "source", "page")
def test_links_lead_to_the_page_of_a_file(link, source, page):
    assert assemble.with_site_links(f"see [it]({link}).", source) == f"see [it]({page})."


def test_the_commands_are_those_of_the_help():
    text = assemble.commands()
    assert "## anonymize\n" in text
    assert "--max-turn-chars" in text


def _built(page, folder):
    """A site of one page, with the settings of ours, in ``folder/site``."""
    (folder / "pages").mkdir()
    (folder / "pages" / "index.md").write_text(page, "utf-8")
    shutil.copy(SITE / "iframe-worker.js", folder / "pages")
    settings = {
        "INHERIT": str(SITE / "mkdocs.yml"),
        "docs_dir": "pages",
        "site_dir": "site",
        "nav": ["index.md"],
    }
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", "mkdocs.yml"]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


@needs_mkdocs
@pytest.mark.slow
@tabled("page", "builds")
def test_the_build_is_strict(page, builds, tmp_path):
    built = _built(f"# A title\n\n{page}\n", tmp_path)
    assert (built.returncode == 0) is builds, built.stderr


@needs_mkdocs
@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_the_search_works_in_a_page_opened_from_disk(tmp_path):
    assert _built("# A title\n\n## Of pelicans\n\nThey fish.\n", tmp_path).returncode == 0
    with browsing(tmp_path / "browser") as chromium:
        chromium.open(tmp_path / "site" / "index.html")
        chromium.evaluate("document.querySelector('[data-md-component=search-query]').focus()")
        chromium.write("pelican")
        wait_until(lambda: "Of pelicans" in chromium.text(".md-search-result__list"))
        fetched = (
            "performance.getEntriesByType('resource').map(x => x.name).filter(x => !x.startsWith('file:'))"
        )
        assert chromium.evaluate(fetched) == []
