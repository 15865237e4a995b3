"""The config sent to the cloud finds the same infoTypes, and is accepted by our own parser."""

import pytest
from google.cloud import dlp_v2
from google.protobuf import json_format

from tacenda.models.cloud_dlp.config import (
    MAX_CONFIG_BYTES,
    CloudRegex,
    cloud_info_types,
    cloud_inspect_config,
    cloud_regex,
    without_cloud_only,
)
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rules.catalogue import InfoType, Pattern, catalogue
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn


def sent(section):
    section, cloud_only = without_cloud_only(section)
    return cloud_inspect_config(section, parse_inspect_config(section), cloud_only)


def names(config):
    return [t["name"] for t in config.get("infoTypes", [])]


def customs(config):
    return [c["infoType"]["name"] for c in config.get("customInfoTypes", [])]


def test_every_infotype_of_ours_has_a_form_in_the_cloud():
    section = {"info_types": [{"name": name} for name in catalogue()]}
    config = sent(section)
    assert sorted([*names(config), *customs(config)]) == list(catalogue())
    assert len(set(customs(config))) == len(customs(config))
    json_format.ParseDict(config, dlp_v2.InspectConfig.pb()())
    parse_inspect_config(config)


def test_a_dictionary_of_this_machine_goes_word_by_word(tmp_path):
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


def test_a_dictionary_in_the_cloud_goes_by_its_path():
    dictionary = {"cloud_storage_path": {"path": "gs://bucket/names.txt"}}
    section = {"custom_info_types": [{"info_type": {"name": "FRIEND"}, "dictionary": dictionary}]}
    config = cloud_inspect_config(section, parse_inspect_config({}))
    assert config["customInfoTypes"][0]["dictionary"] == {
        "cloudStoragePath": {"path": "gs://bucket/names.txt"}
    }


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (b"name\n" * (MAX_CONFIG_BYTES // 5 + 1), r"names.txt is too large to send to the cloud .* gs://"),
        (b"Pam\xff\n", r"names.txt is not plain UTF-8 text"),
    ],
)
def test_a_dictionary_that_the_cloud_does_not_take_is_refused(tmp_path, words, why):
    path = tmp_path / "names.txt"
    path.write_bytes(words)
    dictionary = {"cloud_storage_path": {"path": str(path)}}
    with pytest.raises(UserError, match=why):
        sent({"custom_info_types": [{"info_type": {"name": "FRIEND"}, "dictionary": dictionary}]})


def test_cloud_only_infotypes_are_requested_from_the_cloud_alone():
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


@pytest.mark.parametrize(("matching", "rules"), [("INVERSE", 0), ("PARTIAL", 1), ("FULL", 1)])
def test_rules_never_exclude_more_than_the_cloud_would(matching, rules):
    others = [{"name": "SEXUAL_ORIENTATION"}, {"name": "BADGE"}]
    exclusion = {"matchingType": f"MATCHING_TYPE_{matching}_MATCH", "excludeInfoTypes": {"infoTypes": others}}
    section = {
        "infoTypes": [{"name": "SEXUAL_ORIENTATION"}, {"name": "URL"}],
        "customInfoTypes": [{"infoType": {"name": "BADGE"}, "regex": {"pattern": "x"}}],
        "ruleSet": [{"infoTypes": [{"name": "URL"}], "rules": [{"exclusionRule": exclusion}]}],
    }
    rest, _ = without_cloud_only(section)
    assert len(parse_inspect_config(rest).rule_sets) == rules


OWN = sorted(set(catalogue()) - cloud_info_types())


def found(regex, text):
    custom = {
        "info_type": {"name": "OWN"},
        "regex": {"pattern": regex.pattern, "group_indexes": list(regex.groups)},
    }
    section = {"info_types": [{"name": "OWN"}], "custom_info_types": [custom]}
    detector = RulesDetector(parse_inspect_config(section))
    return [text[f.start : f.end] for f in detector.find(TextColumn([text]))[0] if f.info_type == "OWN"]


@pytest.mark.parametrize("name", OWN)
def test_the_form_keeps_within_the_services_limits_and_finds(name):
    regex = cloud_regex(catalogue()[name])
    assert len(regex.pattern) < 1_000
    assert len(regex.groups) <= 3
    assert any(match in found(regex, text) for text, match in catalogue()[name].find)


def test_excess_patterns_are_dropped_from_the_end():
    user_name = cloud_regex(catalogue()["USER_NAME"])
    assert found(user_name, "follow @johnsmith42 there, my username is Mrbigchef") == [
        "@johnsmith42",
        "Mrbigchef",
    ]
    letters = [Pattern(f"{letter}=(x+)", Likelihood.LIKELY, group=1) for letter in "abcd"]
    assert found(cloud_regex(info_type(*letters)), "a=x b=xx c=xxx d=xxxx") == ["x", "xx", "xxx"]
    long = Pattern("y" * 990, Likelihood.LIKELY)
    assert found(cloud_regex(info_type(letters[0], long, letters[1])), "a=x b=xx " + long.regex) == [
        "x",
        "xx",
    ]


def info_type(*patterns):
    return InfoType("OWN", "", "", (), 1, True, patterns, (), (), ())


def test_alternatives_keep_their_groups_and_the_least_likelihood():
    regex = cloud_regex(
        info_type(
            Pattern("(a)=(x+)", Likelihood.LIKELY, group=2),
            Pattern("y+", Likelihood.VERY_LIKELY, boundary="digit"),
            Pattern("z(z)", Likelihood.POSSIBLE, boundary="digit"),
            Pattern("w", Likelihood.UNLIKELY),
        )
    )
    assert regex.likelihood is Likelihood.POSSIBLE
    assert found(regex, "a=xx 1y y zz bzz w ba=x") == ["xx", "y", "zz", "zz"]


def test_hotword_patterns_are_used_if_there_are_no_others():
    regex = cloud_regex(info_type(Pattern("w+", Likelihood.UNLIKELY, boundary="none")))
    assert regex == CloudRegex("(?:w+)", (), Likelihood.UNLIKELY)
