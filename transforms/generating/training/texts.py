"""Texts: sentences, messages, notes and letters, assembled from the templates of one file."""

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece
from tacenda.transforms.generating.training import lists, noise
from tacenda.transforms.generating.training.slots import Setting
from tacenda.transforms.generating.training.turns import Turn, turn


def turns(draw: Draw, lang: str, name: str) -> list[Turn]:
    """The turns of a text: one, or one per template if the file has ``turns``."""
    document = lists.document(name)
    setting = Setting(draw, lang)
    templates = document["texts"]
    chosen: list[str] = []
    for _ in range(draw.between(document.get("least", 1), document.get("most", 1))):
        chosen.append(draw.pick([text for text in templates if text not in chosen]))
    texts = [setting.filled(text) for text in chosen]
    how = noise.drawn(draw, document.get("noise", "clean"))
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
