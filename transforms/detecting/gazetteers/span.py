"""Span: some words in a row that are a name of something."""

from typing import NamedTuple

from transforms.schema.likelihood import Likelihood

PERSON = "PERSON_NAME"
PLACE = "LOCATION"
ORGANIZATION = "ORGANIZATION_NAME"


class Span(NamedTuple):
    """Words ``start:end`` of a reading."""

    start: int
    end: int
    info_type: str
    likelihood: Likelihood
