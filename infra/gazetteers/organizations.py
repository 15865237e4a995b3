"""Companies of the stock indices, banks and universities."""

import json
import re
from collections.abc import Iterator

from installed import folder
from spelling import words

_FORM = re.compile(
    r"(?i)[\s,]+(?:inc|incorporated|corp|corporation|company|co|ltd|limited|llc|plc|ag|se|sa|s\.a|nv|n\.v|ab|asa|oyj?"
    r"|spa|s\.p\.a|gmbh|kgaa|group|holdings?|class [a-c]|\(publ\)|the)\.?\)?$"
)


def organizations() -> list[str]:
    """Words joined by spaces."""
    found = set()
    for name in (*_companies(), *_banks(), *_universities()):
        shorter = name.strip()
        while True:
            found.add(" ".join(words(shorter)))
            cut = _FORM.sub("", shorter)
            if cut == shorter or len(cut) < 3:
                break
            shorter = cut
    return sorted(n for n in found if len(n) >= 3 and len(n.split()) <= 7 and not n.isdigit())


def _companies() -> Iterator[str]:
    from pytickersymbols.indices_data import INDICES

    for index in INDICES.values():
        for company in index["companies"]:
            yield re.sub(r"\s*\([^)]*\)", "", company["name"])


def _banks() -> Iterator[str]:
    for file in sorted((folder("schwifty") / "bank_registry").iterdir(), key=lambda f: f.name):
        if not file.name.endswith(".json"):
            continue
        data = json.loads(file.read_text())
        entries = data["entries"] if isinstance(data, dict) else data
        for entry in entries:
            yield from (str(entry.get(k) or "") for k in ("name", "short_name"))


def _universities() -> Iterator[str]:
    for locale in sorted((folder("mimesis") / "datasets").iterdir(), key=lambda f: f.name):
        person = locale / "person.json"
        if locale.is_dir() and person.is_file():
            for name in json.loads(person.read_text()).get("university", ()):
                yield re.sub(r"\s*\([^)]*\)", "", name)
