"""Dialogues of a customer and an agent, with bare answers, small talk and text that only looks personal."""

from typing import Any

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece
from tacenda.transforms.generating.training import lists, noise
from tacenda.transforms.generating.training.slots import Setting
from tacenda.transforms.generating.training.texts import Turn, turn

_SPEAKERS = (
    ("agent", "customer"),
    ("Agent", "Customer"),
    ("system", "user"),
    ("A", "B"),
    ("SPEAKER_01", "SPEAKER_02"),
)


class _Script:
    """Builds the turns of one dialogue."""

    def __init__(self, draw: Draw, lang: str, document: Any) -> None:
        self.draw = draw
        self.setting = Setting(draw, lang)
        self.document = document
        self.noise = noise.drawn(draw, "dialogue")
        self.speakers = draw.pick(_SPEAKERS)
        self.customer_only = draw.chance(0.3)
        self.turns: list[Turn] = []
        self.used: set[str] = set()
        fields = document["fields"]
        self.fields = [fields[key] for key in fields for _ in range(fields[key].get("weight", 1))]

    def say(self, who: int, said: list[Piece]) -> None:
        """Add a turn of the agent (0) or the customer (1)."""
        if who == 0 and self.customer_only:
            return
        taken = turn(self.speakers[who], noise.noisy(said, self.noise, self.draw, self.setting.lang))
        if taken["text"]:
            self.turns.append(taken)

    def pick(self, pool: str) -> list[Piece]:
        """Fill a template of a pool, preferring one not used yet."""
        template = self.draw.pick(self.document[pool])
        for _ in range(3):
            if template not in self.used:
                break
            template = self.draw.pick(self.document[pool])
        self.used.add(template)
        return self.setting.filled(template)

    def exchange(self) -> None:
        """Add a scripted exchange; its lines begin with ``A:`` (agent) or ``C:`` (customer)."""
        for line in self.draw.pick(self.document["exchanges"]):
            self.say(0 if line[0] == "A" else 1, self.setting.filled(line[3:]))

    def answer(self, field: Any) -> list[Piece]:
        """A bare value, a value in a sentence, or several values; sometimes after an opener."""
        draw = self.draw
        if "lead" in field and draw.chance(0.3):
            return self.chain(field)
        bare = draw.chance(0.5)
        said = self.setting.filled(draw.pick(field["bare" if bare else "answer"]))
        if bare and draw.chance(0.2):
            said = [Piece(draw.pick(self.document["openers"]) + draw.pick((" ", ", ", "... "))), *said]
        return said

    def chain(self, field: Any) -> list[Piece]:
        """Several values with their names: ``name ravi ssn no 4432 and zip 12345``."""
        draw = self.draw
        said: list[Piece] = []
        joints = (" ", " ", ", ", "\n", "; ", " and " if self.setting.lang == "en" else " ")
        joint = draw.pick(joints)
        mark = draw.pick((" ", " ", " ", ": ", " - ", ": "))
        for number in range(draw.pick((1, 1, 1, 2, 2, 3))):
            if number:
                said.append(Piece(joint))
                field = draw.pick(self.fields)
            if "lead" in field and not draw.chance(0.15):
                lead = draw.pick(field["lead"])
                said.append(Piece(lead + (" " if lead.endswith(("is", "am", ":")) else mark)))
            said += self.setting.filled(draw.pick(field["bare"]))
        return said

    def field(self) -> None:
        """Add a question and its answer, sometimes with a correction."""
        draw = self.draw
        fields = self.document["fields"]
        one = draw.pick(self.fields) if not draw.chance(0.25) else fields["name"]
        self.say(0, self.setting.filled(draw.pick(one["ask"])))
        answer = self.answer(one)
        if draw.chance(0.12):
            other = draw.pick(self.fields)
            joints = (" ", ", ", "\n", " and ") if self.setting.lang == "en" else (" ", ", ", "\n")
            answer.append(Piece(draw.pick(joints)))
            answer += self.setting.filled(draw.pick(other["bare"]))
        self.say(1, answer)
        if draw.chance(0.08):
            correction = self.setting.filled(draw.pick(self.document["corrections"]))
            self.say(1, correction + self.setting.filled(draw.pick(one["bare"])))
        if draw.chance(0.5):
            self.say(0, self.pick("acknowledge"))


def turns(draw: Draw, lang: str, name: str) -> list[Turn]:
    """A short dialogue from the file's pools and fields."""
    document = lists.document(name)
    script = _Script(draw, lang, document)
    if draw.chance(0.6):
        script.say(0, script.pick("greet"))
    if draw.chance(0.7):
        script.say(1, script.pick("problem"))
    for _ in range(draw.between(1, 4)):
        chance = draw.random()
        if chance < 0.25 and "exchanges" in document:
            script.exchange()
        elif chance < 0.62:
            script.field()
        elif chance < 0.8:
            script.say(1, script.pick("plain"))
            script.say(0, script.pick("acknowledge"))
        else:
            script.say(0, script.pick("agent_plain"))
            script.say(1, script.pick("plain"))
    if draw.chance(0.4):
        script.say(1, script.pick("close"))
        script.say(0, script.pick("agent_close"))
    if not script.turns:
        script.say(1, script.answer(document["fields"]["name"]))
    return script.turns
