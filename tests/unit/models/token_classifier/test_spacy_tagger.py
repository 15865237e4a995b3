"""Parts of speech by a spaCy pipeline from a folder; runs if spaCy is installed."""

import sys
from pathlib import Path

import pytest

from tacenda.models.token_classifier.spacy_tagger import load_tagger, tags_of_texts
from tacenda.transforms.schema.errors import UserError


def test_without_spacy_the_message_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(UserError, match=r"needs spaCy; mend it with: pip install '\.\[spacy\]'"):
        load_tagger(str(tmp_path / "none"))


def test_each_word_has_the_tag_that_the_pipeline_gives(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy", reason="needs the extra [spacy]")
    from tests.spacy_pipelines import save_tagger

    folder = save_tagger(tmp_path / "tagger")
    texts = ["Pumps leak \n\n slowly.", "", "half a pump"]
    own = spacy.load(folder)
    told = [tuple(word.pos_ for word in own(text) if not word.is_space) for text in texts]
    assert tags_of_texts(folder, texts) == told
    assert [len(tags) for tags in told] == [4, 0, 3]
    assert told[2] == ("VERB", "NOUN", "VERB")
    ((_, last),) = tags_of_texts(folder, ["half \ud800"])
    assert last


def test_without_universal_tags_there_are_those_of_the_language(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy", reason="needs the extra [spacy]")
    from tests.spacy_pipelines import save_tagger

    pipeline = spacy.load(save_tagger(tmp_path / "tagger"), exclude=["attribute_ruler"])
    pipeline.to_disk(tmp_path / "plain")
    (tags,) = tags_of_texts(str(tmp_path / "plain"), ["pumps leak"])
    assert len(tags) == 2
    assert set(tags) <= {"N", "V", "R"}


def test_a_pipeline_without_a_tagger_is_refused(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy", reason="needs the extra [spacy]")
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(UserError, match="has no tagger"):
        load_tagger(str(tmp_path / "blank"))
    with pytest.raises(UserError, match="spaCy cannot load it"):
        load_tagger(str(tmp_path / "nothing"))
