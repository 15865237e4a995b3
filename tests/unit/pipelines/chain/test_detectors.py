"""The detectors of a run, and their settings."""

import json
import pickle
from pathlib import Path

import pytest

from tacenda.models.cloud_dlp.detector import CloudDlpDetector
from tacenda.models.token_classifier.detector import TokenClassifierDetector
from tacenda.pipelines.chain.build import _doubts, build_detectors
from tacenda.pipelines.cli import parser_of
from tacenda.pipelines.config.detectors import detector_settings
from tacenda.pipelines.config.document import ConfigDocument
from tacenda.transforms.detecting.rules.catalogue import default_info_types
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.spoken import SpokenDetector
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.scoring.score_table import ScoreTable
from tests.cases import tabled

CLOUD = ["--detector", "cloud_dlp", "--dlp-project", "p"]
TINY = str(Path(__file__).parents[3] / "golden" / "tiny_model")


def settings(*words, inspect=None, models=None):
    arguments = parser_of("anonymize").parse_args(["--input", "x", "--output", "y", *words])
    data = {"inspect": inspect or {}, "models": models}
    return detector_settings(ConfigDocument("config", data), arguments)


def test_rules_and_the_embedded_model_are_the_default():
    chosen = settings()
    assert chosen.names == ("rules", "model")
    assert chosen.rules is chosen.found
    told = chosen.to_dict()
    assert told["names"] == ["rules", "model"]
    assert [model["name"] for model in told["models"]] == ["tacenda-multilingual-l2"]
    rules, spoken, model = build_detectors(chosen)
    assert isinstance(rules, RulesDetector)
    assert isinstance(spoken, SpokenDetector)
    assert isinstance(model, TokenClassifierDetector)


_WARD = {"hotword_regex": {"pattern": "ward"}, "proximity": {"window_before": 9}}
_WARD["likelihood_adjustment"] = {"fixed_likelihood": "VERY_LIKELY"}


@tabled("inspect")
def test_a_model_doubts_nothing_that_a_config_asks_for(inspect):
    default, asked = _doubts(settings()), _doubts(settings(inspect=inspect))
    assert default["LOCATION"] > 0
    assert "LOCATION" not in asked


def test_languages_covered_by_a_claim_alone_are_reported():
    assert "claimed" not in settings().to_dict()
    chosen = settings(models=[{"languages": ["de", "en"]}])
    assert "de" in chosen.covered_languages()
    assert chosen.to_dict()["claimed"] == chosen.to_dict()["models"][0]["claimed"] == ["de"]
    # Nothing was measured of this package; lists cover English.
    assert settings(models=[{"path": TINY}]).claimed_languages() == ["en"]
    lists = "--detector", "gazetteer", "--detector", "model"
    assert settings(*lists, models=[{"path": TINY}]).claimed_languages() == []


def test_a_model_that_finds_no_names_covers_no_language():
    blind = {"path": TINY, "languages": ["de"], "decision": {"thresholds": {"PERSON_NAME": 1}}}
    chosen = settings("--detector", "rules", "--detector", "model", models=[blind])
    assert chosen.to_dict()["languages"]["model"] == []
    assert "de" not in chosen.covered_languages()
    assert "en" in chosen.covered_languages()
    assert "PERSON_NAME" in chosen.not_looked_for(ScoreTable.load())["weakly"]
    assert chosen.to_dict()["decided_by_config"] == ["tiny"]
    assert "decided_by_config" not in settings(models=[{"path": TINY}]).to_dict()
    assert not settings("--detector", "model", models=[blind]).covered_languages()


def test_labels_of_a_config_are_reported():
    own = {"PERSON_NAME": "ORGANIZATION_NAME", "LOCATION": "LOCATION", "ORGANIZATION_NAME": None}
    chosen = settings("--detector", "model", models=[{"path": TINY, "label_map": own}])
    assert chosen.to_dict()["decided_by_config"] == ["tiny"]
    assert chosen.to_dict()["languages"]["model"] == []


def test_what_only_the_config_looks_for_is_reported():
    own = [
        {"info_type": {"name": name}, "dictionary": {"word_list": {"words": ["xyzzy"]}}}
        for name in ("PERSON_NAME", "EMAIL_ADDRESS")
    ]
    told = settings("--detector", "rules", inspect={"custom_info_types": own}).not_looked_for(
        ScoreTable.load()
    )
    assert told["by_config"] == ["PERSON_NAME"]
    assert "PERSON_NAME" not in told["weakly"]
    assert settings(inspect={"custom_info_types": own}).not_looked_for(ScoreTable.load())["by_config"] == []


def test_rules_and_cloud_together_are_in_a_fixed_order():
    chosen = settings(*CLOUD, "--detector", "rules", "--dlp-location", "europe-west1")
    assert chosen.to_dict() == {
        "names": ["rules", "cloud_dlp"],
        "languages": {"rules": ["da", "en", "es", "fi", "nb", "sv"], "cloud_dlp": ["en"]},
        "cloud_dlp": {"parent": "projects/p/locations/europe-west1", "endpoint": None},
    }
    *local, cloud = build_detectors(chosen)
    assert [type(detector) for detector in local] == [RulesDetector, SpokenDetector]
    assert isinstance(cloud, CloudDlpDetector)


def test_the_cloud_alone_is_asked_for_what_the_rules_would_find_and_words_are_not_reported():
    custom = {"info_type": {"name": "X"}, "dictionary": {"word_list": {"words": ["Dwight"]}}}
    chosen = settings(*CLOUD, inspect={"custom_info_types": [custom]})
    assert chosen.cloud_dlp is not None
    sent = json.loads(chosen.cloud_dlp.inspect_config)
    asked = {t["name"] for t in sent["infoTypes"]} | {c["infoType"]["name"] for c in sent["customInfoTypes"]}
    assert asked == {*default_info_types(), "X"} == {*chosen.found.info_types, "X"}
    assert "Dwight" in chosen.cloud_dlp.inspect_config
    assert "Dwight" not in json.dumps(chosen.to_dict())
    assert pickle.loads(pickle.dumps(chosen)) == chosen


def test_what_only_the_cloud_knows_is_found_but_not_by_rules():
    inspect = {"info_types": [{"name": "SEXUAL_ORIENTATION"}, {"name": "URL"}]}
    chosen = settings(*CLOUD, "--detector", "rules", inspect=inspect)
    assert chosen.rules.info_types == ("URL",)
    assert chosen.found.info_types == ("SEXUAL_ORIENTATION", "URL")
    with pytest.raises(UserError, match="SEXUAL_ORIENTATION is unknown"):
        settings(inspect=inspect)
    with pytest.raises(UserError, match=r"inspect\.info_types: has none for the rules"):
        settings(*CLOUD, "--detector", "rules", inspect={"info_types": inspect["info_types"][:1]})

    custom = {"info_type": {"name": "BADGE"}, "regex": {"pattern": "B[0-9]+"}}
    inspect = {"info_types": inspect["info_types"][:1], "custom_info_types": [custom]}
    chosen = settings("--detector", "rules", *CLOUD, inspect=inspect)
    assert chosen.found.info_types == ("SEXUAL_ORIENTATION",)
    assert [c.info_type for c in chosen.rules.custom] == ["BADGE"]


def _excluding(by, matching):
    """A config that excludes user names by findings of another infoType."""
    rule = {
        "exclude_info_types": {"info_types": [{"name": by}]},
        "matching_type": f"MATCHING_TYPE_{matching}_MATCH",
    }
    return {"rule_set": [{"info_types": [{"name": "USER_NAME"}], "rules": [{"exclusion_rule": rule}]}]}


@tabled("by", "matching", "detectors")
def test_an_exclusion_by_a_type_that_only_one_detector_finds_is_refused(by, matching, detectors):
    place = r"inspect\.rule_set\[0\]\.rules\[0\]\.exclusion_rule\.exclude_info_types"
    with pytest.raises(
        UserError, match=f"{place}: only {detectors} can find {by}; other detectors cannot exclude by it;"
    ):
        settings(inspect=_excluding(by, matching))
    assert settings("--detector", "rules", inspect=_excluding(by, matching)).rules.rule_sets


def test_an_exclusion_that_rules_and_the_cloud_would_not_follow_alike_is_refused():
    inverse = _excluding("EMAIL_ADDRESS", "INVERSE")
    with pytest.raises(UserError, match="only cloud_dlp can find EMAIL_ADDRESS"):
        settings(*CLOUD, "--detector", "rules", inspect=inverse)
    assert settings(*CLOUD, inspect=inverse).cloud_dlp is not None


@pytest.mark.parametrize(("by", "matching"), [("EMAIL_ADDRESS", "FULL"), ("UK_POSTCODE", "INVERSE")])
def test_an_exclusion_by_what_the_rules_find_is_taken(by, matching):
    assert settings(inspect=_excluding(by, matching)).rules.rule_sets


def test_options_of_the_cloud_need_the_cloud():
    with pytest.raises(UserError, match=r"--dlp-location: only applies to --detector cloud_dlp"):
        settings("--dlp-location", "us")


def _with_exclusion(name, **exclusion):
    return {"rule_set": [{"info_types": [{"name": name}], "rules": [{"exclusion_rule": exclusion}]}]}


FULL = {"matching_type": "MATCHING_TYPE_FULL_MATCH"}


@pytest.mark.parametrize(
    ("inspect", "reading"),
    [
        ({}, []),
        (_with_exclusion("URL", regex={"pattern": "x"}, **FULL), []),
        (
            _with_exclusion("URL", exclude_info_types={"info_types": [{"name": "NUMERIC"}]}, **FULL),
            [RulesDetector, SpokenDetector],
        ),
        (
            _with_exclusion(
                "URL",
                exclude_by_hotword={"hotword_regex": {"pattern": "x"}, "proximity": {"window_before": 9}},
                **FULL,
            ),
            [RulesDetector, SpokenDetector],
        ),
    ],
)
def test_only_context_dependent_detectors_read_the_replaced_text(inspect, reading):
    chosen = settings(inspect=inspect)
    second = build_detectors(chosen, Likelihood.VERY_UNLIKELY)
    assert [type(detector) for detector in second] == reading
