"""What is hidden of text that names nobody does not rise: ``tests/golden/plain_text.yaml`` has the figures.

    python -m tests.contract.test_plain_text

writes them anew, where they fell or a rise was decided.
"""

import os
from functools import cache
from pathlib import Path

import pytest
import yaml

from tests.benchmarks.bench_plain_text import default_chain, measure

DATA = Path(os.environ.get("TACENDA_DATA") or Path(__file__).parents[3] / "shared" / "data")
GOLDEN = Path(__file__).parents[1] / "golden" / "plain_text.yaml"
FILES = ("plain-code", "plain-docs", "plain-logs", "plain-prose")
HEAD = """\
# False findings by infoType, and letters and digits hidden outside of gold, on the development files of text
# that names nobody. Written by `python -m tests.contract.test_plain_text`; tests let none of them rise.
"""


@cache
def counted(name: str) -> dict[str, dict[str, int]]:
    """False findings, and letters hidden, by infoType and altogether."""
    hidden = measure(DATA / f"{name}.dev.jsonl.gz", default_chain())
    return {
        "findings": {"all": hidden.findings.total(), **dict(sorted(hidden.findings.items()))},
        "hidden": {"all": hidden.hidden.total()},
    }


def most(count: int) -> int:
    """The most that a processor which rounds a network's scores otherwise may find."""
    return count + 1 + count // 50


@pytest.mark.slow
@pytest.mark.skipif(
    not all((DATA / f"{name}.dev.jsonl.gz").is_file() for name in FILES),
    reason="no development files; set TACENDA_DATA to their folder",
)
@pytest.mark.parametrize("name", FILES)
def test_false_findings_do_not_rise(name: str) -> None:
    so_far = yaml.safe_load(GOLDEN.read_text(encoding="utf-8"))[name]
    now = counted(name)
    risen = {
        info_type: (so_far["findings"].get(info_type, 0), count)
        for info_type, count in now["findings"].items()
        if count > most(so_far["findings"].get(info_type, 0))
    }
    assert not risen
    # A finding more may be a long one.
    assert now["hidden"]["all"] <= so_far["hidden"]["all"] * 1.05 + 100


def main() -> None:
    """Write the figures."""
    figures = {name: counted(name) for name in FILES}
    GOLDEN.write_text(HEAD + yaml.safe_dump(figures, sort_keys=False), encoding="utf-8")


if __name__ == "__main__":
    main()
