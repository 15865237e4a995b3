"""Texts: sentences, messages, notes and letters, assembled from the templates of one file."""

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece
from tacenda.transforms.generating.training import lists, noise
from tacenda.transforms.generating.training.noise import Noise
from tacenda.transforms.generating.training.slots import Setting
from tacenda.transforms.generating.training.turns import Turn, turn

_CLEAN = Noise()


def _noise(draw: Draw, kind: str) -> Noise:
    """Draw the noise for a kind of text (``clean``, ``social``, ``spoken``, ``command``)."""
    chance = draw.random()
    if kind == "social":
        return Noise(
            lower=chance < 0.25,
            upper=chance > 0.95,
            unpunctuated=draw.chance(0.2),
            typos=draw.pick((0.0, 0.0, 0.03, 0.08)),
            misheard=draw.pick((0.0, 0.0, 0.3)),
            tight=draw.pick((0.0, 0.0, 0.0, 0.7)),
            tokenised=draw.chance(0.3),
        )
    if kind == "spoken":
        return Noise(
            lower=chance < 0.5,
            unpunctuated=chance < 0.5,
            read_out=draw.pick((0.0, 0.5, 1.0)),
            spelled=draw.pick((0.0, 0.0, 0.15)),
            misheard=draw.pick((0.0, 0.1, 0.3)),
        )
    if kind == "command":
        return Noise(
            lower=chance < 0.5,
            unpunctuated=chance < 0.4,
            read_out=draw.pick((0.0, 0.0, 0.8)),
            typos=draw.pick((0.0, 0.02)),
        )
    if chance < 0.07:
        return Noise(lower=True, tokenised=draw.chance(0.4))
    if chance > 0.96:
        return Noise(titled=True, unpunctuated=True)
    if chance > 0.80:
        return Noise(tokenised=True)
    if chance < 0.10:
        return Noise(upper=True)
    if chance < 0.20:
        return Noise(typos=0.03, tight=draw.pick((0.0, 0.5)), glued=draw.pick((0.0, 0.3)))
    return _CLEAN


def turns(draw: Draw, lang: str, name: str) -> list[Turn]:
    """The turns of a text: one, or one per template if the file has ``turns``."""
    document = lists.document(name)
    setting = Setting(draw, lang)
    texts: list[list[Piece]] = []
    templates = document["texts"]
    count = draw.between(document.get("least", 1), document.get("most", 1))
    chosen: list[int] = []
    while len(chosen) < count:
        number = draw.below(len(templates))
        if number not in chosen:
            chosen.append(number)
    for number in chosen:
        texts.append(setting.filled(templates[number]))
    how = _noise(draw, document.get("noise", "clean"))
    if document.get("turns"):
        speakers = document["turns"]
        return [
            turn(speakers[i % len(speakers)], noise.noisy(text, how, draw, lang))
            for i, text in enumerate(texts)
        ]
    joint = draw.pick(document.get("joints", [" "]))
    whole: list[Piece] = []
    for text in texts:
        if whole:
            whole.append(Piece(joint))
        whole += text
    return [turn("", noise.noisy(whole, how, draw, lang))]
