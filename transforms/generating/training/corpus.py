"""Training text: conversations by index, each a pure function of the seed and the index.

A template file has texts (sentences, messages, notes, letters), or dialogues of a customer and an agent.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.templates import Piece, assemble
from tacenda.transforms.generating.training import noise
from tacenda.transforms.generating.training.grammar import DATA, Setting

SOURCE = "synthetic"
Turns = list[dict[str, Any]]

_SPEAKERS = (
    ("agent", "customer"),
    ("Agent", "Customer"),
    ("system", "user"),
    ("A", "B"),
    ("SPEAKER_01", "SPEAKER_02"),
)


@cache
def template_files() -> tuple[str, ...]:
    """All template files, sorted: ``templates/<language>/<kind>.yaml``."""
    return DATA.files("templates")


@cache
def _plan() -> list[tuple[str, float]]:
    """The template files and their cumulative probabilities: by language, then by weight within it."""
    shares: dict[str, float] = DATA.document("mixture.yaml")["languages"]
    weights = {name: DATA.document(name)["weight"] for name in template_files()}
    of_language = {lang: sum(w for n, w in weights.items() if n.split("/")[1] == lang) for lang in shares}
    total = sum(share for lang, share in shares.items() if of_language[lang])
    plan, reached = [], 0.0
    for name, weight in weights.items():
        lang = name.split("/")[1]
        if lang in shares:
            reached += shares[lang] / total * weight / of_language[lang]
            plan.append((name, reached))
    return plan


def conversation(seed: int, index: int) -> dict[str, Any]:
    """One conversation in the format of gold corpora, with complete spans.

    Returns:
        ``id, source, lang, context, gold, turns``; a turn has ``speaker, text, spans``, a span ``start, end,
        label``: half-open code point offsets, without overlaps or surrounding white space.
    """
    draw = Draw("synthetic", seed, index)
    chance = draw.random()
    name = next((name for name, bound in _plan() if chance < bound), _plan()[-1][0])
    return {
        "id": f"{SOURCE}/{seed}/{index:08d}",
        "source": SOURCE,
        "lang": name.split("/")[1],
        "context": DATA.document(name)["context"],
        "gold": "complete",
        "turns": turns(draw, name),
    }


def conversations(seed: int, first: int, count: int) -> Iterator[dict[str, Any]]:
    """Conversations ``first`` to ``first + count - 1`` of a seed; see ``conversation``."""
    return (conversation(seed, index) for index in range(first, first + count))


def turns(draw: Draw, name: str) -> Turns:
    """The turns of a conversation from a template file."""
    document, lang = DATA.document(name), name.split("/")[1]
    if "fields" in document:
        return _Script(draw, lang, document).play()
    return _texts(draw, lang, document)


def turn(speaker: str, pieces: Iterable[Piece]) -> dict[str, Any]:
    """Join pieces into one turn."""
    text, spans, _ = assemble(pieces)
    return {"speaker": speaker, "text": text, "spans": spans}


def _texts(draw: Draw, lang: str, document: Any) -> Turns:
    """The turns of a text: one, or one per template if the file has ``turns``."""
    setting = Setting(draw, lang)
    chosen: list[str] = []
    for _ in range(draw.between(document.get("least", 1), document.get("most", 1))):
        chosen.append(draw.pick([text for text in document["texts"] if text not in chosen]))
    texts = [setting.filled(text) for text in chosen]
    how = noise.drawn(draw, document.get("noise", "clean"))
    speakers = document.get("turns")
    if not speakers:
        joint = Piece(draw.pick(document.get("joints", [" "])))
        texts = [[piece for text in texts for piece in (joint, *text)][1:]]
        speakers = [""]
    return [
        turn(speakers[i % len(speakers)], noise.noisy(text, how, draw, lang)) for i, text in enumerate(texts)
    ]


class _Script:
    """A short dialogue, with bare answers, small talk and text that only looks personal."""

    def __init__(self, draw: Draw, lang: str, document: Any) -> None:
        self.draw, self.document = draw, document
        self.setting = Setting(draw, lang)
        self.noise = noise.drawn(draw, "dialogue")
        self.speakers = draw.pick(_SPEAKERS)
        self.customer_only = draw.chance(0.3)
        self.turns: Turns = []
        self.used: set[str] = set()
        self.fields = [f for f in document["fields"].values() for _ in range(f.get("weight", 1))]
        self.joints = (" ", " ", ", ", "\n", "; ", " and " if lang == "en" else " ")

    def play(self) -> Turns:
        """All turns, from the file's pools and fields."""
        draw = self.draw
        if draw.chance(0.6):
            self.say(0, self.pick("greet"))
        if draw.chance(0.7):
            self.say(1, self.pick("problem"))
        for _ in range(draw.between(1, 4)):
            chance = draw.random()
            if chance < 0.25 and "exchanges" in self.document:
                # The lines of an exchange begin with "A:" (agent) or "C:" (customer).
                for line in draw.pick(self.document["exchanges"]):
                    self.say(0 if line[0] == "A" else 1, self.setting.filled(line[3:]))
            elif chance < 0.62:
                self.field()
            elif chance < 0.8:
                self.say(1, self.pick("plain"))
                self.say(0, self.pick("acknowledge"))
            else:
                self.say(0, self.pick("agent_plain"))
                self.say(1, self.pick("plain"))
        if draw.chance(0.4):
            self.say(1, self.pick("close"))
            self.say(0, self.pick("agent_close"))
        if not self.turns:
            self.say(1, self.answer(self.document["fields"]["name"]))
        return self.turns

    def say(self, who: int, said: list[Piece]) -> None:
        """Add a turn of the agent (0) or the customer (1)."""
        if who == 0 and self.customer_only:
            return
        taken = turn(self.speakers[who], noise.noisy(said, self.noise, self.draw, self.setting.lang))
        if taken["text"]:
            self.turns.append(taken)

    def pick(self, pool: str) -> list[Piece]:
        """Fill a template of a pool, preferring one not used yet."""
        for _ in range(4):
            template = self.draw.pick(self.document[pool])
            if template not in self.used:
                break
        self.used.add(template)
        return self.setting.filled(template)

    def bare(self, field: Any) -> list[Piece]:
        """Little more than a value of a field."""
        return self.setting.filled(self.draw.pick(field["bare"]))

    def answer(self, field: Any) -> list[Piece]:
        """A bare value, a value in a sentence, or several values; sometimes after an opener."""
        draw = self.draw
        if "lead" in field and draw.chance(0.3):
            return self.chain(field)
        if draw.chance(0.5):
            return self.setting.filled(draw.pick(field["answer"]))
        said = self.bare(field)
        if draw.chance(0.2):
            said = [Piece(draw.pick(self.document["openers"]) + draw.pick((" ", ", ", "... "))), *said]
        return said

    def chain(self, field: Any) -> list[Piece]:
        """Several values with their names: ``name ravi ssn no 4432 and zip 12345``."""
        draw = self.draw
        said: list[Piece] = []
        joint = Piece(draw.pick(self.joints))
        mark = draw.pick((" ", " ", " ", ": ", " - ", ": "))
        for number in range(draw.pick((1, 1, 1, 2, 2, 3))):
            if number:
                said.append(joint)
                field = draw.pick(self.fields)
            if "lead" in field and not draw.chance(0.15):
                lead = draw.pick(field["lead"])
                said.append(Piece(lead + (" " if lead.endswith(("is", "am", ":")) else mark)))
            said += self.bare(field)
        return said

    def field(self) -> None:
        """Add a question and its answer, sometimes with another value, or corrected."""
        draw = self.draw
        one = self.document["fields"]["name"] if draw.chance(0.25) else draw.pick(self.fields)
        self.say(0, self.setting.filled(draw.pick(one["ask"])))
        answer = self.answer(one)
        if draw.chance(0.12):
            joints = (" ", ", ", "\n", " and ") if self.setting.lang == "en" else (" ", ", ", "\n")
            answer += [Piece(draw.pick(joints)), *self.bare(draw.pick(self.fields))]
        self.say(1, answer)
        if draw.chance(0.08):
            correction = self.setting.filled(draw.pick(self.document["corrections"]))
            self.say(1, correction + self.bare(one))
        if draw.chance(0.5):
            self.say(0, self.pick("acknowledge"))
