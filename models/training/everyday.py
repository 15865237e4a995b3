"""Gold of everyday sentences in languages with little of it: message catalogues and ``everyday.yaml``.

A message catalogue (gettext) has what programs say to people: sentences that name nobody. Beside some of them
``everyday.yaml`` puts a person, so that a language is not learnt as one in which nobody is named.
"""

import random
import re
import zipfile
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from tacenda.transforms.schema.errors import UserError

SOURCE = "everyday"

_CATALOGUE = re.compile(r".*/locale/([a-z]{2})(?:_[A-Za-z]+)?/LC_MESSAGES/django\.po")
_MESSAGE = re.compile(r'^msgstr(?:\[\d\])? ((?:"(?:[^"\\]|\\.)*"\n?)+)', re.MULTILINE)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_SLOT = re.compile(r"\{(\w+)\}")
_CLASSES = {"place": "LOCATION", "organization": "ORGANIZATION_NAME", "phone": "PHONE_NUMBER"}
_WORDS = 4
"""Fewest words of a message that counts as a sentence."""
_NAMED = 0.25
"""Share of the messages beside which somebody is named."""
_DRAWN = 100
"""How often sentences are drawn from ``everyday.yaml``, for each language and wheel."""


def messages(wheel: Path, languages: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Language and text of the sentences of a wheel's catalogues, without place holders and markup."""
    with zipfile.ZipFile(wheel) as archive:
        for name in sorted(archive.namelist()):
            catalogue = _CATALOGUE.fullmatch(name)
            if catalogue is None or catalogue[1] not in languages:
                continue
            for found in _MESSAGE.finditer(archive.read(name).decode("utf-8")):
                text = "".join(_STRING.findall(found[1])).replace("\\n", " ").replace('\\"', '"')
                text = " ".join(text.split())
                if len(text.split()) >= _WORDS and not re.search(r"[%{}<>\\@_]|: \S+$|://", text):
                    yield catalogue[1], text


def conversations(wheel: Path) -> Iterator[dict[str, Any]]:
    """Gold conversations of one turn, in the languages of ``everyday.yaml``; the same each time.

    Raises:
        UserError: the wheel cannot be read.
    """
    data = yaml.safe_load(files(__package__).joinpath("everyday.yaml").read_text("utf-8"))
    name = wheel.name.partition("-")[0]
    rng = random.Random(name)  # noqa: S311 - training data, no secret
    try:
        said = sorted(set(messages(wheel, tuple(data))))
    except (OSError, UnicodeDecodeError, zipfile.BadZipFile) as error:
        raise UserError(f"{wheel}: cannot be read ({type(error).__name__}); give a wheel") from None
    for number, (lang, text) in enumerate(said):
        form = rng.choice(data[lang]["around"]) if rng.random() < _NAMED else "{sentence}"
        yield _conversation(f"{name}/{number}", lang, form, data[lang], rng, text)
    for lang, own in data.items():
        for number in range(_DRAWN):
            yield _conversation(f"own-{name}-{lang}/{number}", lang, rng.choice(own["sentences"]), own, rng)


def _conversation(
    name: str, lang: str, form: str, own: dict[str, Any], rng: random.Random, sentence: str = ""
) -> dict[str, Any]:
    text, at, spans = "", 0, []
    for slot in _SLOT.finditer(form):
        text += form[at : slot.start()]
        at = slot.end()
        kind = slot[1]
        if kind == "sentence":
            value = sentence
        else:
            value = _filled(kind, own, rng)
            label = _CLASSES.get(kind, "PERSON_NAME")
            spans.append({"start": len(text), "end": len(text) + len(value), "label": label})
        text += value
    text += form[at:]
    turn = {"speaker": "customer", "text": text, "spans": spans}
    return {"id": f"{SOURCE}/{name}", "source": SOURCE, "lang": lang, "gold": "complete", "turns": [turn]}


def _filled(kind: str, own: dict[str, Any], rng: random.Random) -> str:
    if kind == "person":
        return f"{rng.choice(own['given'])} {rng.choice(own['family'])}"
    if kind == "phone":
        return " ".join(str(rng.randrange(100, 1000)) for _ in range(3))
    return str(rng.choice(own[kind]))
