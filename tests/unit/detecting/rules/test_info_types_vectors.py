"""Checks against numbers published by issuers: valid ones pass, and one wrong character fails."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.identifiers import credentials, national

FOLDER = Path(__file__).parents[3] / "golden" / "vectors"
REGIONS = ("nordic", "europe", "americas", "asia_pacific", "credentials")
CHECKS = {**national.CHECKS, **credentials.CHECKS}
VECTORS: list[dict[str, Any]] = [
    vector for name in REGIONS for vector in yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))
]
VALID = [(v["check"], number) for v in VECTORS for number in v["valid"]]
INVALID = [(v["check"], number) for v in VECTORS for number in v["invalid"]]


@pytest.mark.parametrize(("check", "number"), VALID)
def test_a_valid_number_conforms(check: str, number: str) -> None:
    assert VALIDATORS[check](number)


@pytest.mark.parametrize(("check", "number"), INVALID)
def test_an_invalid_number_does_not(check: str, number: str) -> None:
    assert not VALIDATORS[check](number)


def test_every_check_has_vectors_with_source() -> None:
    assert all(v["origin"] in ("issuer", "rule") and v["source"] for v in VECTORS)
    assert {v["check"] for v in VECTORS} == set(CHECKS)


def test_every_check_serves_an_info_type() -> None:
    used = {v for t in catalogue().values() for p in t.patterns for v in p.validators}
    assert not CHECKS.keys() - used
