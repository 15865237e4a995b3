"""Finding: a range of a cell in which a detector found personal data."""

from typing import NamedTuple

from tacenda.transforms.schema.likelihood import Likelihood


class Finding(NamedTuple):
    """A half-open range of code points in a cell's original text.

    >>> Finding(11, 14, "PERSON_NAME", Likelihood.LIKELY, "rules").end
    14
    """

    start: int
    end: int
    info_type: str
    likelihood: Likelihood
    detector: str
