"""The config sent to the cloud finds the same infoTypes, and is accepted by our own parser."""

from pathlib import Path
from typing import Any

import pytest
from google.cloud import dlp_v2
from google.protobuf import json_format

from tacenda.models.cloud_dlp.config import (
    MAX_CONFIG_BYTES,
    cloud_info_types,
    cloud_inspect_config,
    without_cloud_only,
)
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types
from tacenda.transforms.schema.errors import UserError


def sent(section: dict[str, Any]) -> dict[str, Any]:
    section, cloud_only = without_cloud_only(section)
    return cloud_inspect_config(section, parse_inspect_config(section), cloud_only)


def names(config: dict[str, Any]) -> list[str]:
    return [t["name"] for t in config.get("infoTypes", [])]


def customs(config: dict[str, Any]) -> list[str]:
    return [c["infoType"]["name"] for c in config.get("customInfoTypes", [])]


def test_the_default_is_what_the_rules_find() -> None:
    config = sent({})
    assert sorted([*names(config), *customs(config)]) == sorted(default_info_types())
    assert set(names(config)) <= cloud_info_types()
    assert {"NUMERIC", "SPELLED_WORD"} <= set(customs(config))


def test_built_in_hotwords_are_sent_with_their_infotype() -> None:
    (custom,) = sent({"info_types": [{"name": "SPELLED_WORD"}]})["customInfoTypes"]
    (rule,) = custom["detectionRules"]
    assert "spell" in rule["hotwordRule"]["hotwordRegex"]["pattern"]
    assert rule["hotwordRule"]["likelihoodAdjustment"] == {"relativeLikelihood": 1}


def test_infotypes_excluded_by_the_paper_are_not_requested() -> None:
    assert not {"ETHNIC_GROUP", "GENDER", "DATE", "TIME", "FIRST_NAME"} & set(names(sent({})))


def test_every_infotype_of_ours_has_a_form_in_the_cloud() -> None:
    section = {"info_types": [{"name": name} for name in catalogue()]}
    config = sent(section)
    assert sorted([*names(config), *customs(config)]) == list(catalogue())
    assert len(set(customs(config))) == len(customs(config))
    json_format.ParseDict(config, dlp_v2.InspectConfig.pb()())
    parse_inspect_config(config)


def test_the_users_rules_stay() -> None:
    section = {
        "info_types": [{"name": "PERSON_NAME"}, {"name": "SPELLED_WORD"}],
        "min_likelihood": "LIKELY",
        "custom_info_types": [
            {"info_type": {"name": "PERSON_NAME"}, "dictionary": {"word_list": {"words": ["Dwight"]}}}
        ],
        "rule_set": [
            {
                "info_types": [{"name": "PERSON_NAME"}, {"name": "SPELLED_WORD"}],
                "rules": [
                    {
                        "exclusion_rule": {
                            "matching_type": "MATCHING_TYPE_FULL_MATCH",
                            "dictionary": {"word_list": {"words": ["mark"]}},
                        }
                    }
                ],
            }
        ],
    }
    config = sent(section)
    assert config["minLikelihood"] == "LIKELY"
    assert config["customInfoTypes"][0]["dictionary"]["wordList"]["words"] == ["Dwight"]
    (rule_set,) = config["ruleSet"]
    exclusion = rule_set["rules"][0]["exclusionRule"]
    assert exclusion["dictionary"]["wordList"]["words"] == ["mark"]


def test_a_dictionary_of_this_machine_goes_word_by_word(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("Zoë\n\n--\nPam Beesly\n", encoding="utf-8")
    dictionary = {"cloud_storage_path": {"path": str(path)}}
    rule = {"matching_type": "MATCHING_TYPE_FULL_MATCH", "dictionary": dictionary}
    section = {
        "custom_info_types": [{"info_type": {"name": "FRIEND"}, "dictionary": dictionary}],
        "rule_set": [{"info_types": [{"name": "FRIEND"}], "rules": [{"exclusion_rule": rule}]}],
    }
    config = sent(section)
    assert config["customInfoTypes"][0]["dictionary"] == {"wordList": {"words": ["Zoë", "Pam Beesly"]}}
    exclusion = config["ruleSet"][-1]["rules"][0]["exclusionRule"]
    assert exclusion["dictionary"] == {"wordList": {"words": ["Zoë", "Pam Beesly"]}}


def test_a_dictionary_in_the_cloud_goes_by_its_path() -> None:
    dictionary = {"cloud_storage_path": {"path": "gs://bucket/names.txt"}}
    section = {"custom_info_types": [{"info_type": {"name": "FRIEND"}, "dictionary": dictionary}]}
    config = cloud_inspect_config(section, parse_inspect_config({}))
    assert config["customInfoTypes"][0]["dictionary"] == {
        "cloudStoragePath": {"path": "gs://bucket/names.txt"}
    }


def test_a_dictionary_too_large_for_a_request_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("name\n" * (MAX_CONFIG_BYTES // 5 + 1), encoding="utf-8")
    section = {
        "custom_info_types": [
            {"info_type": {"name": "FRIEND"}, "dictionary": {"cloud_storage_path": {"path": str(path)}}}
        ]
    }
    with pytest.raises(UserError, match=r"names.txt is too large to send to the cloud .* gs://"):
        sent(section)


def test_many_words_in_the_config_are_refused() -> None:
    words = [f"name{i}" for i in range(40_000)]
    section = {
        "custom_info_types": [
            {"info_type": {"name": "FRIEND"}, "dictionary": {"word_list": {"words": words}}}
        ]
    }
    with pytest.raises(UserError, match=r"inspect: takes [0-9,]+ bytes; at most 250,000"):
        sent(section)


def test_a_packed_dictionary_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "names.txt.gz"
    import gzip

    path.write_bytes(gzip.compress(b"Pam\n"))
    section = {
        "custom_info_types": [
            {"info_type": {"name": "FRIEND"}, "dictionary": {"cloud_storage_path": {"path": str(path)}}}
        ]
    }
    with pytest.raises(UserError, match=r"names.txt.gz is not plain UTF-8 text"):
        sent(section)


def test_cloud_only_infotypes_are_requested_from_the_cloud_alone() -> None:
    section = {
        "infoTypes": [{"name": "SEXUAL_ORIENTATION"}, {"name": "PERSON_NAME"}],
        "minLikelihoodPerInfoType": [
            {"infoType": {"name": "SEXUAL_ORIENTATION"}, "minLikelihood": "LIKELY"},
            {"infoType": {"name": "PERSON_NAME"}, "minLikelihood": "LIKELY"},
        ],
        "ruleSet": [
            {
                "infoTypes": [{"name": "PERSON_NAME"}, {"name": "SEXUAL_ORIENTATION"}],
                "rules": [
                    {
                        "exclusionRule": {
                            "matchingType": "MATCHING_TYPE_FULL_MATCH",
                            "excludeInfoTypes": {"infoTypes": [{"name": "SEXUAL_ORIENTATION"}]},
                        }
                    },
                    {
                        "hotwordRule": {
                            "hotwordRegex": {"pattern": "name"},
                            "proximity": {"windowBefore": 10},
                            "likelihoodAdjustment": {"relativeLikelihood": 1},
                        }
                    },
                ],
            },
            {"infoTypes": [{"name": "SEXUAL_ORIENTATION"}], "rules": [{"hotwordRule": {}}]},
        ],
    }
    rest, cloud_only = without_cloud_only(section)
    assert cloud_only == ("SEXUAL_ORIENTATION",)
    settings = parse_inspect_config(rest)
    assert settings.info_types == ("PERSON_NAME",)
    assert [m[0] for m in settings.min_likelihood_by_info_type] == ["PERSON_NAME"]
    assert [(s.info_types, len(s.rules)) for s in settings.rule_sets] == [(("PERSON_NAME",), 1)]
    config = cloud_inspect_config(section, settings, cloud_only)
    assert names(config) == ["PERSON_NAME", "SEXUAL_ORIENTATION"]
    assert len(config["ruleSet"]) == 2


def test_sections_known_to_both_are_unchanged() -> None:
    section = {"info_types": [{"name": "PERSON_NAME"}, {"name": "NONSENSE"}]}
    assert without_cloud_only(section) == (section, ())
    assert without_cloud_only({"info_typos": []}) == ({"info_typos": []}, ())


def test_a_custom_infotype_may_bear_a_name_of_the_clouds() -> None:
    section = {
        "info_types": [{"name": "SEXUAL_ORIENTATION"}],
        "custom_info_types": [
            {"info_type": {"name": "SEXUAL_ORIENTATION"}, "regex": {"pattern": "[12]\\d{14}"}}
        ],
    }
    assert without_cloud_only(section) == (section, ())


def test_rule_only_infotypes_are_sent_as_custom_infotypes() -> None:
    def rule_set(name: str, other: str) -> dict[str, Any]:
        exclusion = {
            "matchingType": "MATCHING_TYPE_PARTIAL_MATCH",
            "excludeInfoTypes": {"infoTypes": [{"name": other}]},
        }
        return {"infoTypes": [{"name": name}], "rules": [{"exclusionRule": exclusion}]}

    section = {
        "infoTypes": [{"name": "PHONE_NUMBER"}, {"name": "USER_NAME"}],
        "customInfoTypes": [{"infoType": {"name": "ZIP_CODE"}, "regex": {"pattern": "x"}}],
        "minLikelihoodPerInfoType": [{"infoType": {"name": "UK_POSTCODE"}, "minLikelihood": "LIKELY"}],
        "ruleSet": [
            rule_set("PHONE_NUMBER", "NUMERIC"),
            rule_set("SPELLED_WORD", "URL"),
            rule_set("USER_NAME", "ZIP_CODE"),
        ],
    }
    config = sent(section)
    assert customs(config) == ["ZIP_CODE", "USER_NAME", "NUMERIC", "SPELLED_WORD", "UK_POSTCODE"]
    excluding = [c.get("exclusionType") == "EXCLUSION_TYPE_EXCLUDE" for c in config["customInfoTypes"]]
    assert excluding == [False, False, True, True, True]
    assert names(config) == ["PHONE_NUMBER"]
    parse_inspect_config(config)


@pytest.mark.parametrize(("matching", "rules"), [("INVERSE", 0), ("PARTIAL", 1), ("FULL", 1)])
def test_rules_never_exclude_more_than_the_cloud_would(matching: str, rules: int) -> None:
    others = [{"name": "SEXUAL_ORIENTATION"}, {"name": "BADGE"}]
    exclusion = {
        "matchingType": f"MATCHING_TYPE_{matching}_MATCH",
        "excludeInfoTypes": {"infoTypes": others},
    }
    section = {
        "infoTypes": [{"name": "SEXUAL_ORIENTATION"}, {"name": "URL"}],
        "customInfoTypes": [{"infoType": {"name": "BADGE"}, "regex": {"pattern": "x"}}],
        "ruleSet": [{"infoTypes": [{"name": "URL"}], "rules": [{"exclusionRule": exclusion}]}],
    }
    rest, _ = without_cloud_only(section)
    assert len(parse_inspect_config(rest).rule_sets) == rules
