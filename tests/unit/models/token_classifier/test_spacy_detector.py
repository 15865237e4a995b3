"""A spaCy pipeline from a folder; runs if spaCy is installed."""

import importlib.util
import json
import pickle
import shutil

import pytest

from tacenda.models.token_classifier.decoding_settings import Decision
from tacenda.models.token_classifier.labels import LabelMap
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.package import Engine
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.token_classifier.spacy_detector import SpacyDetector, load_pipeline
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

needs_spacy = pytest.mark.skipif(importlib.util.find_spec("spacy") is None, reason="needs the extra [spacy]")
LIKELY = Likelihood.LIKELY


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory):
    import spacy

    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    patterns = [("PERSON", "Pam"), ("GPE", "Scranton"), ("MONEY", "dollar"), ("PERSON", "PERSON_NAME_1")]
    ruler.add_patterns([{"label": label, "pattern": text} for label, text in patterns])
    folder = tmp_path_factory.mktemp("pipeline")
    nlp.to_disk(folder)
    return folder


def settings_of(folder, label_map="ontonotes"):
    return ModelSettings(str(folder), package_of(str(folder)).fingerprint, Decision(), LabelMap(label_map))


@needs_spacy
def test_finds_entities_by_their_meaning(pipeline):
    package = package_of(str(pipeline))
    assert (package.engine, package.languages) == (Engine.SPACY, ("en",))
    detector = SpacyDetector(parse_inspect_config({}), settings_of(pipeline))
    texts = ["Hi Pam", "", "😀 Scranton, dollar \ud800 Pam", "Hi Pam"]
    pam = Finding(3, 6, "PERSON_NAME", LIKELY, "model")
    expected = [
        [pam],
        [],
        [Finding(2, 10, "LOCATION", LIKELY, "model"), Finding(21, 24, "PERSON_NAME", LIKELY, "model")],
        [pam],
    ]
    assert detector.find(TextColumn(texts, [0, 4])) == expected
    assert pickle.loads(pickle.dumps(detector)).find(TextColumn(texts, [0, 4])) == expected


@needs_spacy
def test_components_with_other_names_are_used(tmp_path):
    import spacy

    nlp = spacy.blank("en")
    for factory, name, label, word in (
        ("entity_ruler", "place_rules", "LOCATION", "Scranton"),
        ("span_ruler", "names", "PERSON_NAME", "Pam"),
        ("span_ruler", "notes", "REMARK", "hello"),
    ):
        config = {"annotate_ents": True, "overwrite": False} if name == "names" else {}
        nlp.add_pipe(factory, name=name, config=config).add_patterns([{"label": label, "pattern": word}])
    nlp.to_disk(tmp_path)
    package = package_of(str(tmp_path))
    assert sorted(package.labels) == ["LOCATION", "PERSON_NAME"]
    settings = ModelSettings(str(tmp_path), package.fingerprint, Decision())
    (found,) = SpacyDetector(parse_inspect_config({}), settings).find(TextColumn(["hello Pam of Scranton"]))
    assert [(f.start, f.info_type) for f in found] == [(6, "PERSON_NAME"), (13, "LOCATION")]


@needs_spacy
def test_grammar_needed_by_a_pattern_is_loaded(tmp_path):
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("attribute_ruler").add([[{"LOWER": "pam"}]], {"POS": "PROPN"})
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": [{"POS": "PROPN"}]}])
    nlp.to_disk(tmp_path)
    detector = SpacyDetector(parse_inspect_config({}), settings_of(tmp_path))
    assert detector.find(TextColumn(["hello Pam"])) == [[Finding(6, 9, "PERSON_NAME", LIKELY, "model")]]


@needs_spacy
def test_unused_grammar_is_not_loaded(tmp_path):
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("ner").add_label("PERSON")
    nlp.add_pipe("attribute_ruler", name="attributes")
    nlp.initialize()
    nlp.to_disk(tmp_path)
    assert load_pipeline(str(tmp_path)).pipe_names == ["ner"]


@needs_spacy
def test_an_entity_without_info_type_rejects_the_record(pipeline, tmp_path):
    shutil.copytree(pipeline, tmp_path, dirs_exist_ok=True)
    meta = json.loads((tmp_path / "meta.json").read_text())
    meta["labels"]["entity_ruler"] = ["GPE"]
    (tmp_path / "meta.json").write_text(json.dumps(meta))
    own = tmp_path / "mine.yaml"
    own.write_text('labels: {"GPE": "LOCATION", "PERSON": "PERSON_NAME"}')
    detector = SpacyDetector(parse_inspect_config({}), settings_of(tmp_path, str(own)))
    assert [f.info_type for f in detector.find(TextColumn(["Pam"]))[0]] == ["PERSON_NAME"]
    with pytest.raises(RecordError, match="UnknownEntityLabel"):
        detector.find(TextColumn(["Pam has a dollar"]))


@needs_spacy
def test_long_turns_and_settings(pipeline):
    text = "word " * 300_000 + "Pam"
    likely = SpacyDetector(
        parse_inspect_config({"info_types": [{"name": "PERSON_NAME"}]}), settings_of(pipeline)
    )
    assert [f.start for f in likely.find(TextColumn([text]))[0]] == [1_500_000]
    sure = SpacyDetector(parse_inspect_config({"min_likelihood": "VERY_LIKELY"}), settings_of(pipeline))
    assert sure.find(TextColumn(["Pam"])) == [[]]
    assert likely.find(TextColumn(["[PERSON_NAME_1]"])) == [[]]


def test_a_folder_that_is_no_pipeline(tmp_path):
    (tmp_path / "meta.json").write_text("{}")
    with pytest.raises(UserError, match=r"meta\.json is not that of a spaCy pipeline"):
        package_of(str(tmp_path))


@pytest.mark.skipif(importlib.util.find_spec("spacy") is not None, reason="spaCy is installed")
def test_without_spacy_the_message_says_what_to_install(tmp_path):
    meta = {"lang": "en", "name": "x", "labels": {"ner": ["PERSON"]}}
    (tmp_path / "meta.json").write_text(json.dumps(meta))
    with pytest.raises(UserError, match=r"needs spaCy; mend it with: pip install '\.\[spacy\]'"):
        SpacyDetector(parse_inspect_config({}), settings_of(tmp_path))
