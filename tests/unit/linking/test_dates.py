"""Which dates of a conversation are one; each as the only text of a finding."""

import pytest

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _who(*dates: str, language: str | None = "en", info_type: str = "DATE_OF_BIRTH") -> str:
    found = [[Finding(0, len(date), info_type, Likelihood.LIKELY, "test")] for date in dates]
    linked = link_conversation(dates, [None] * len(dates), found, {}, language=language)
    return "".join("abcdefgh"[number - 1] for cell in linked.entities for number in cell)


@pytest.mark.parametrize(
    "written",
    [
        "1984-06-25",
        "25 June 1984",
        "June 25, 1984",
        "June 25th 1984",
        "25. juni 1984",
        "25-Jun-84",
        "25.6.1984",
        "6/25/1984",
        "06/25/84",
        "Monday, 25 June 1984",
        "Born 25/06/1984",
    ],
)
@pytest.mark.parametrize("info_type", ["DATE", "DATE_OF_BIRTH"])
def test_a_day_is_one_in_whatever_form(written: str, info_type: str) -> None:
    assert _who("25/06/1984", written, info_type=info_type) == "aa"


@pytest.mark.parametrize(
    "other",
    [
        "26/06/1984",
        "25/07/1984",
        "25/06/1985",
        "25 June",
        "June 1984",
        "1984",
        "1984-06-25 09:30",
        "25/06/1984 7",
    ],
)
def test_other_days_and_dates_that_say_less_or_more(other: str) -> None:
    assert _who("25/06/1984", other) == "ab"


@pytest.mark.parametrize(
    ("dates", "language", "who"),
    [
        # Either may be the day: nothing says which.
        (("05/06/1984", "1984-06-05"), "en", "ab"),
        (("05/06/1984", "1984-05-06"), None, "ab"),
        (("05/06/1984", "05/06/1984"), "en", "aa"),
        # The language does, or another date of the conversation, which comes first.
        (("05/06/1984", "1984-06-05", "1984-05-06"), "sv", "aab"),
        (("05/06/1984", "1984-06-05", "31/12/2020"), "en", "aab"),
        (("05/06/1984", "1984-05-06", "12/31/2020"), "en", "aab"),
        (("05/06/1984", "1984-05-06", "12/31/2020"), "sv", "aab"),
        # Two dates contradict each other.
        (("05/06/1984", "1984-06-05", "31/12/2020", "12/31/2021"), "sv", "abcd"),
        # Day and month are the same, or a full stop says it.
        (("06/06/1984", "June 6, 1984"), "en", "aa"),
        (("05.06.1984", "June 5, 1984"), "en", "aa"),
    ],
)
def test_figures_that_may_be_day_or_month(dates: tuple[str, ...], language: str | None, who: str) -> None:
    assert _who(*dates, language=language) == who


def test_two_dates_found_as_one_are_two() -> None:
    text = "25/06/1984 and 25/06/1984, 1984-06-26"
    found = [
        Finding(0, 10, "DATE_OF_BIRTH", Likelihood.LIKELY, "rules"),
        Finding(15, len(text), "PHONE_NUMBER", Likelihood.POSSIBLE, "spoken"),
    ]
    linked = link_conversation([text], [None], [found], {})
    assert [text[f.start : f.end] for f in linked.findings[0]] == ["25/06/1984", "25/06/1984", "1984-06-26"]
    assert linked.entities == [[1, 1, 2]]
    assert linked.info_types == ["DATE_OF_BIRTH", "PHONE_NUMBER"]


@pytest.mark.parametrize(
    "text", ["25/06/1984", "415-555-0199, 415-555-0198", "25/13/1984, 32/06/1984", "1.2.3.4"]
)
def test_other_values_stay_whole(text: str) -> None:
    found = [Finding(0, len(text), "PHONE_NUMBER", Likelihood.LIKELY, "rules")]
    assert link_conversation([text], [None], [found], {}).findings == [found]
