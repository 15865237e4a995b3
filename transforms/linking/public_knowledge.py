"""Public knowledge: entities that no turn ties to anybody, and so stay readable if the config asks for it.

Data of assistants is full of places, firms, works and people of history, and of numbers that count: hiding them
harms and protects nobody. A place or a firm stays unless somebody lives or works there; a person, if the data
file (``public_knowledge.yaml``) has him, or no list knows any word of the name; a number without a form of its
own, unless it is somebody's. One mention that is tied to somebody, or a speaker label, hides them all.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tacenda.transforms.detecting.personal_labels import is_personal_url
from tacenda.transforms.detecting.word_lists import alternatives, word_list
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file
from tacenda.transforms.text.characters import plain_letters

_REACH = 80  # code points on either side of a mention in which its ties are looked for
_WORD = re.compile(r"[^\W\d_]+")
_POSSESSIVE = re.compile(r"['’]s?$")
_CAPITAL_INSIDE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LIKE_NO_NAME = re.compile(r"[a-z][\w .'-]*|\S*[\d_./]\S*|[A-Z]+|\S*[a-z][A-Z]\S*")
"""Small letters, words of programs and abbreviations, which introduce nobody."""
_MAY_BE_ADDRESS = re.compile(r"@|\s")
_MEASURE = re.compile(r"(?<![\w.])-?\d+\.\d+$")
_SEPARATORS = re.compile(r"(?<=\d)[ ().-]{1,2}(?=\d)")
_OF_THE_WEB = frozenset({"URL", "DOMAIN_NAME"})
_NUMBERED_HOST = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}")
_OF_THE_WORLD = frozenset({"LOCATION_COORDINATES", "URL", "DOMAIN_NAME", "HTTP_USER_AGENT"})


class _Knowledge(NamedTuple):
    ties: dict[str, "re.Pattern[str]"]
    around: "re.Pattern[str]"
    keys: "re.Pattern[str]"
    kinds: dict[str, str]
    most_digits: int
    known: frozenset[str]


def public_entities(conversation: LinkedConversation, parts: Sequence[str | None]) -> set[int]:
    """The entities of a conversation that stay readable.

    Args:
        conversation: all that was found in it.
        parts: for each cell that is a value of JSON, its path; else None.
    """
    hidden = set(conversation.labels.values())
    columns = conversation.texts, conversation.findings, conversation.entities, parts
    for text, found, entities, part in zip(*columns, strict=True):
        for finding, entity in zip(found, entities, strict=True):
            if entity not in hidden and not _may_stay(text, finding, part):
                hidden.add(entity)
    return set(range(1, len(conversation.info_types) + 1)) - hidden


def _may_stay(text: str, finding: Finding, part: str | None) -> bool:
    knowledge = _knowledge()
    kind, said = knowledge.kinds.get(finding.info_type), text[finding.start : finding.end]
    if kind is None or (finding.info_type == "EMAIL_ADDRESS" and _MAY_BE_ADDRESS.search(said)):
        return False
    if finding.info_type in _OF_THE_WEB and (_NUMBERED_HOST.search(said) or is_personal_url(said)):
        return False
    before = text[max(0, finding.start - _REACH) : finding.start]
    if kind == "person":
        name = plain_letters(_POSSESSIVE.sub("", said))
        is_known = name in knowledge.known or name.removesuffix("s") in knowledge.known
        if not is_known and _is_name(said):
            return False
        if not is_known and (_LIKE_NO_NAME.fullmatch(said) or said.lower() in word_list("greetings")):
            return True
    if kind == "value" and finding.info_type not in _OF_THE_WORLD and not _MEASURE.search(before + said):
        runs = re.findall(r"\d+", said if finding.info_type == "NUMERIC" else _SEPARATORS.sub("", said))
        if max(map(len, runs), default=0) > knowledge.most_digits:
            return False
    is_key = part is not None and kind != "place"
    if is_key and knowledge.keys.search(part.rpartition("arguments.")[2] if part else ""):
        return False
    around = f"{before}\0{text[finding.end : finding.end + _REACH]}" if kind == "person" else ""
    return knowledge.ties[kind].search(before) is None and knowledge.around.search(around) is None


def _is_name(said: str) -> bool:
    """Whether a list of names has a word of it that is no ordinary one, or that is a frequent first name."""
    # Imported here because the lists of names take a moment to load.
    from tacenda.transforms.detecting.names.lexicon import lexicon

    known = lexicon()
    words = _WORD.findall(_CAPITAL_INSIDE.sub(" ", said))
    kinds = known.kinds_of([word.casefold() for word in words])
    named = known.given[kinds] > 2
    if not said.islower():
        rare = known.word[kinds].max(axis=1) < 1
        named = named | (((known.given[kinds] > 1) | (known.family[kinds] > 1)) & rare)
    return bool(named.any())


@built_once
def _knowledge() -> _Knowledge:
    data = data_file(__package__, "public_knowledge.yaml")
    names = " ".join(data[name] for name in ("known", "brands", "sciences"))
    whole = {plain_letters(name.replace("_", " ")) for name in names.split()}
    kinds = {"places": "place", "people": "person", "formless": "value"}
    return _Knowledge(
        {kind: _cues(pattern) for kind, pattern in data["ties"].items()},
        _cues(data["around"]),
        re.compile(rf"(?i)(?:^|[._])(?:{'|'.join(data['keys'].split())})", re.IGNORECASE),
        {info_type: kind for name, kind in kinds.items() for info_type in data[name].split()},
        data["most_digits"],
        frozenset({*whole, *(name.rpartition(" ")[2] for name in whole), *data["units"].split()}),
    )


def _cues(pattern: str) -> "re.Pattern[str]":
    """The alternatives of the data file, which stand on lines of their own, with its word lists."""
    lists = {"kin": word_list("kinship"), "greetings": word_list("greetings")}
    for name, several in lists.items():
        pattern = pattern.replace(f"{{{name}}}", alternatives(several))
    return re.compile(pattern.replace(" |", "|"), re.IGNORECASE)
