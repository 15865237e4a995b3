"""Collect the pages of the site in ``build/pages``, from ``docs/`` and from elsewhere in the repository.

    python infra/site/assemble.py

Links in the sources are relative to the repository, because people read them there as well. On the site
they lead to the page for that file; without one, the link is broken.
"""

import argparse
import os
import posixpath
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from subprocess import check_output

from config_reference import tables

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))
from tests.benchmarks.figures import with_evidence  # noqa: E402

PAGES = ROOT / "build" / "pages"
_INFRA = "containers dataflow flink gazetteers kubernetes prism spark supply_chain".split()  # noqa: SIM905
SHOWN = {
    **{f"docs/evidence/{page.name}": page.name for page in (ROOT / "docs" / "evidence").glob("*.md")},
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "models/embedded/MODEL_CARD.md": "model-card.md",
    "models/embedded/NOTICE.md": "model-notice.md",
    "transforms/gazetteers/data/NOTICE.md": "names-notice.md",
    "infra/SCALING.md": "scaling.md",
    **{f"infra/{name}/README.md": f"{name.replace('_', '-')}.md" for name in _INFRA},
    "infra/dashboard/README.md": "metrics.md",
}
"""Files of the repository, and the page that shows each; files of ``docs/`` keep their names."""

_API = re.compile(r"<!-- api: ([\w.]+) -->")
_LINK = re.compile(r"(\]\()(?!https?:|mailto:|#)([^)#\s]+)")


def assemble() -> None:
    """Rewrite all pages."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES, ignore=shutil.ignore_patterns("evidence"))
    guide = {f"docs/{page.name}": page.name for page in (ROOT / "docs").glob("*.md")}
    for source, page in {**guide, **SHOWN}.items():
        text = with_site_links(with_evidence((ROOT / source).read_text("utf-8")), source)
        text = text.replace("<!-- settings -->\n", tables())
        (PAGES / page).write_text(_API.sub(lambda match: _reference(match[1]), text), "utf-8")
    shutil.copy(ROOT / "infra" / "site" / "iframe-worker.js", PAGES)
    (PAGES / "commands.md").write_text(commands(), "utf-8")
    (PAGES / "licences.md").write_text(licences(), "utf-8")


def with_site_links(text: str, source: str) -> str:
    """The page of a source, with links between repository files turned into links between pages.

    >>> with_site_links("[card](../models/embedded/MODEL_CARD.md#data)", "docs/detectors.md")
    '[card](model-card.md#data)'
    """

    def page(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[2]))
        return link[1] + SHOWN.get(target, target.removeprefix("docs/"))

    return _LINK.sub(page, text)


def _reference(name: str) -> str:
    return "\n".join(f"::: {name}.{public}\n" for public in import_module(name).__all__)


def commands() -> str:
    """The page on commands: each with its options, as ``--help`` prints them."""
    from tacenda.pipelines.cli import COMMANDS, parser_of

    os.environ["COLUMNS"] = "100"  # of the options that argparse prints
    lines = (line for name in COMMANDS for line in _help(name, parser_of(name)))
    return "\n".join(["# Commands", "", "What `tacenda COMMAND --help-all` prints.", "", *lines])


def _help(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """A command, and each of its subcommands."""
    whole = getattr(parser, "format_help_all", parser.format_help)()
    yield from (f"## {name}", "", "```text", whole.rstrip(), "```", "")
    for action in (one for one in parser._actions if isinstance(one, argparse._SubParsersAction)):
        for verb, subcommand in action.choices.items():
            yield from _help(f"{name} {verb}", subcommand)


def licences() -> str:
    """The page of licences: every package that is installed here, as its metadata says."""
    table = [sys.executable, "-m", "piplicenses", "--format=markdown", "--from=mixed", "--with-urls"]
    return f"# Licences\n\nTacenda itself is under Apache-2.0.\n\n{check_output(table, text=True)}"  # noqa: S603 - our own words


if __name__ == "__main__":
    assemble()
