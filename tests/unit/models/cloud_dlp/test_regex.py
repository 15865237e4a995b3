"""Our infoTypes find their examples in the form sent to the cloud, as RE2 reads it."""

import pytest

from tacenda.models.cloud_dlp.config import CloudRegex, cloud_info_types, cloud_regex
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rules.catalogue import InfoType, Pattern, catalogue
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

OWN = sorted(set(catalogue()) - cloud_info_types())


def found(regex: CloudRegex, text: str) -> list[str]:
    custom = {
        "info_type": {"name": "OWN"},
        "regex": {"pattern": regex.pattern, "group_indexes": list(regex.groups)},
    }
    section = {"info_types": [{"name": "OWN"}], "custom_info_types": [custom]}
    detector = RulesDetector(parse_inspect_config(section))
    return [text[f.start : f.end] for f in detector.find(TextColumn([text]))[0] if f.info_type == "OWN"]


def test_infotypes_of_the_paper_have_own_patterns() -> None:
    assert {"NUMERIC", "SPELLED_WORD", "USER_NAME"} <= set(OWN)


@pytest.mark.parametrize("name", OWN)
def test_the_form_keeps_within_the_services_limits_and_finds(name: str) -> None:
    regex = cloud_regex(catalogue()[name])
    assert len(regex.pattern) < 1_000
    assert len(regex.groups) <= 3
    assert any(match in found(regex, text) for text, match in catalogue()[name].find)


def test_patterns_without_hotwords_find_every_example() -> None:
    for text, match in catalogue()["NUMERIC"].find:
        assert match in found(cloud_regex(catalogue()["NUMERIC"]), text), text


def test_excess_patterns_are_dropped_from_the_end() -> None:
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


def test_adjacent_values_are_all_found() -> None:
    regex = cloud_regex(catalogue()["SPELLED_WORD"])
    assert found(regex, "M-A-R-K S-M-I-T-H") == ["M-A-R-K", "S-M-I-T-H"]
    assert found(regex, "Ö-L-A-N-D") == ["Ö-L-A-N-D"]


def info_type(*patterns: Pattern) -> InfoType:
    return InfoType("OWN", "", "", (), 1, True, patterns, (), (), ())


def test_alternatives_keep_their_groups_and_the_least_likelihood() -> None:
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


def test_hotword_patterns_are_used_if_there_are_no_others() -> None:
    regex = cloud_regex(info_type(Pattern("w+", Likelihood.UNLIKELY, boundary="none")))
    assert regex == CloudRegex("(?:w+)", (), Likelihood.UNLIKELY)
