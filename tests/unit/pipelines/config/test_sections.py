from pathlib import Path

import pytest

from tacenda.pipelines.config.document import ConfigDocument, load_config
from tacenda.pipelines.config.sections import (
    effective_config,
    inspect_settings,
    refuse_unscored,
    risk_settings,
    score_table,
)
from tacenda.transforms.schema.errors import UserError


def _config(folder: Path, text: str) -> ConfigDocument:
    path = folder / "c.yaml"
    path.write_text(text)
    return load_config(str(path))


def test_defaults() -> None:
    risk = risk_settings(load_config(None), None)
    assert (risk.preset, risk.threshold, risk.variant_clustering) == ("appendix", 5, False)
    assert inspect_settings(load_config(None)).info_types


def test_the_command_line_wins(tmp_path: Path) -> None:
    document = _config(tmp_path, "risk:\n  preset: cautious\n")
    assert risk_settings(document, None).preset == "cautious"
    assert risk_settings(document, "worked_example").preset == "worked_example"


def test_a_preset_of_the_command_line_is_named_as_such() -> None:
    with pytest.raises(UserError, match=r"^--risk-preset: 'nice' is unknown"):
        risk_settings(ConfigDocument("defaults"), "nice")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("risk: 5\n", ":1: risk: must be a mapping"),
        ("risk: []\n", ":1: risk: must be a mapping"),
        ("risk:\n  treshold: 5\n", ":2: risk.treshold: is not a setting"),
        ("risk:\n  threshold: high\n", ":2: risk.threshold: must be a number"),
        ("risk:\n  threshold: true\n", ":2: risk.threshold"),
        ("risk:\n  threshold: .nan\n", ":2: risk.threshold"),
        ("risk:\n  threshold: .inf\n", ":2: risk.threshold"),
        ("risk:\n  threshold: 0\n", ":2: risk.threshold: must be a number above 0 and below 1,000"),
        ("risk:\n  threshold: 1000\n", ":2: risk.threshold: must be a number above 0 and below 1,000"),
        ("risk:\n  variant_clustering: 1\n", "must be true or false"),
        ("risk:\n  overrides: [1]\n", ":2: risk.overrides: must be a mapping"),
        ("risk:\n  overrides: 0\n", ":2: risk.overrides: must be a mapping"),
        ("risk:\n  labels: {1: PERSON_NAME}\n", ":2: risk.labels.1: the key is not a string"),
        ("risk:\n  preset: []\n", ":2: risk.preset: must be a name"),
        ("risk:\n  labels: x\n", ":2: risk.labels: must be a mapping"),
        ("risk:\n  labels: ''\n", ":2: risk.labels: must be a mapping"),
        ("risk:\n  preset: nice\n", "risk.preset: 'nice' is unknown"),
        ("risk:\n  preset: 5\n", ":2: risk.preset"),
        ("risk:\n  overrides: {5: 3}\n", ":2: risk.overrides.5: the key is not a string"),
        ("risk:\n  overrides: {PERSON_NAME: 2024-01-01}\n", "PERSON_NAME"),
        ("risk:\n  labels: {BADGE: 7}\n", "BADGE"),
        ("risk:\n  population: {people: 0}\n", "risk.population.people: must be a whole number above 0"),
        (
            "risk:\n  population: {people: 9}\n",
            "risk.population: needs people, how many there are, and shares",
        ),
        ("risk:\n  population: {people: 9, shares: {}}\n", "risk.population: needs people"),
        ("risk:\n  population: {people: 9, shares: {AGE: 3}}\n", "shares.AGE: must be a mapping of values"),
        ("risk:\n  population: {people: 9, shares: {AGE: {34: .1}}}\n", "AGE.34: the key is not a string"),
        (
            "risk:\n  population: {people: 9, shares: {AGE: {'34': 2}}}\n",
            "shares: row 1: share must be above 0",
        ),
        (
            "risk:\n  population: {people: 9, shares: {AGES: {'34': .1}}}\n",
            "risk.population.shares: nothing is scored as AGES; known here: ADVERTISING_ID, AGE",
        ),
        ("risk:\n  labels: {BADGE: NO_SUCH}\n", "BADGE"),
    ],
)
def test_a_wrong_risk_section_is_one_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UserError) as caught:
        risk_settings(_config(tmp_path, text), None)
    assert told in str(caught.value)
    assert "c.yaml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_shares_of_a_population_are_read_as_those_of_a_table(tmp_path: Path) -> None:
    shares = "risk:\n  population: {people: 1001, shares: {AGE: {'34': .01}, LOCATION: {Kiruna: .002}}}\n"
    marginals = risk_settings(_config(tmp_path, shares), None).marginals()
    assert marginals is not None
    assert marginals.share("LOCATION", "kiruna") == (0.002, True)
    assert marginals.combination([("AGE", "34 years old")]).others == 10
    assert risk_settings(load_config(None), None).marginals() is None


def test_an_info_type_without_a_score_is_refused(tmp_path: Path) -> None:
    custom = (
        "inspect:\n  custom_info_types:\n    - info_type: {name: BADGE}\n      regex: {pattern: 'B[0-9]+'}\n"
    )
    document = _config(tmp_path, custom)
    inspect = inspect_settings(document)
    with pytest.raises(
        UserError, match=r"c\.yaml:2: inspect\.custom_info_types: infoType BADGE has no score"
    ):
        refuse_unscored(document, inspect, score_table(risk_settings(document, None)))
    for meaning in ("unscored", "GENERIC_ID"):
        document = _config(tmp_path, f"{custom}risk:\n  labels: {{BADGE: {meaning}}}\n")
        refuse_unscored(document, inspect_settings(document), score_table(risk_settings(document, None)))


def test_the_effective_config_says_what_was_left_out() -> None:
    document = load_config(None)
    config = effective_config(document, inspect_settings(document), risk_settings(document, None))
    assert config["risk"]["preset"] == "appendix"
    assert config["inspect"]["min_likelihood"] == "POSSIBLE"
    assert {"name": "PERSON_NAME"} in config["inspect"]["info_types"]
