"""Small spaCy pipelines for tests."""

from pathlib import Path


def save_tagger(folder: Path) -> str:
    """Save a tagger that learnt nothing, and a table of universal tags by first letters; returns its folder."""
    import spacy
    from spacy.training import Example

    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    told = [("pumps leak", ["N", "V"]), ("valves slowly", ["N", "R"])]
    nlp.initialize(lambda: [Example.from_dict(nlp.make_doc(text), {"tags": tags}) for text, tags in told])
    table = nlp.add_pipe("attribute_ruler")
    for letters, pos in (("a-fA-F", "NOUN"), ("^a-fA-F", "VERB")):
        table.add(patterns=[[{"TEXT": {"REGEX": f"^[{letters}]"}}]], attrs={"POS": pos})
    nlp.to_disk(folder)
    return str(folder)
