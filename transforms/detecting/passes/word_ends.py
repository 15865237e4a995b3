"""Names in Swedish, Danish, Norwegian and Finnish end where their word or institution does.

"USA:s" and "Toyota-tallilla" are one word, which a detector may find in part, and "Osmanska imperiet" and
"Euroopan komission" one institution. Swedish compounds (*Suez-krisen*) stay as they are: most are no names.
"""

import re
from collections.abc import Sequence
from importlib.resources import files

from tacenda.transforms.detecting.names.lexicon import kind_of, lexicon
from tacenda.transforms.detecting.passes.edges import NAMES
from tacenda.transforms.detecting.word_lists import alternatives
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_ENDING = re.compile(
    r":(?:s|n|t|ta|tä|ssa|ssä|sta|stä|lla|llä|lta|ltä|lle|hen|han|hin|aan|een|iin|ksi|na|nä|er|en|et|erna|ns)\b"
)
_COMPOUND = re.compile(r"-([a-zåäöæø]{3,30})\b(?!-)")
_PLACES = frozenset(("LOCATION", "ORGANIZATION_NAME"))


def complete_words(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """Extend the names of a cell to the end of their words; findings are disjoint and sorted, and stay so."""
    return [
        _whole(text, finding, findings[k + 1].start if k + 1 < len(findings) else len(text))
        if finding.info_type in NAMES
        else finding
        for k, finding in enumerate(findings)
    ]


def _whole(text: str, finding: Finding, limit: int) -> Finding:
    end = finding.end
    if ending := _ENDING.match(text, end, limit):
        end = ending.end()
    elif (compound := _COMPOUND.match(text, end, limit)) and _is_finnish(compound[1]):
        end = compound.end()
    if finding.info_type in _PLACES and (institution := _institutions().match(text, end, limit)):
        return finding._replace(end=institution.end(), info_type="ORGANIZATION_NAME")
    return finding if end == finding.end else finding._replace(end=end)


def _is_finnish(word: str) -> bool:
    """Whether the lists know a word in Finnish, and better than in any other language."""
    levels: dict[str, int] = dict(
        zip(lexicon().languages, lexicon().word[kind_of(word)].tolist(), strict=True)
    )
    return levels.pop("fi") > max(levels.values())


@built_once
def _institutions() -> "re.Pattern[str]":
    data = parse_yaml((files(__package__) / "institutions.yaml").read_text(encoding="utf-8"))
    stems = alternatives(stem for stems in data.values() for stem in stems.split())
    return re.compile(rf"(?: [a-zåäö]{{3,20}}n)?? (?:{stems})[a-zåäöæø]{{0,8}}\b(?!-)")
