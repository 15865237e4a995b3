from tacenda.transforms.detecting.fitting.postal_codes import postal_codes_with_places
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _type_of_number(*said: tuple[str, str], detector: str = "model") -> str:
    """The infoType of the one postal code in texts, each with the place that it names or an empty string."""
    number = "138560"
    cells = []
    for text, place in said:
        of_place = (
            [
                Finding(
                    text.index(place), text.index(place) + len(place), "LOCATION", Likelihood.LIKELY, "model"
                )
            ]
            if place
            else []
        )
        start = text.find(number)
        found = Finding(start, start + len(number), "ZIP_CODE", Likelihood.POSSIBLE, detector)
        cells.append(sorted([*of_place, *([found] if start >= 0 else [])]))
    postal_codes_with_places([text for text, _ in said], cells)
    return next(f.info_type for cell in cells for f in cell if f.end - f.start == len(number))


def test_a_place_or_a_cue_makes_digits_a_postal_code() -> None:
    assert _type_of_number(("madurai 138560", "madurai")) == "ZIP_CODE"
    assert _type_of_number(("it is 138560", ""), ("it is in Madurai", "Madurai")) == "ZIP_CODE"
    assert _type_of_number(("Madurai", "Madurai"), ("yes", ""), ("it is 138560", "")) == "ZIP_CODE"
    assert _type_of_number(("what is the zip code", ""), ("sure", ""), ("it is 138560", "")) == "ZIP_CODE"
    assert _type_of_number(("new service please", ""), ("138560", "")) == "ZIP_CODE"


def test_without_either_they_are_a_number() -> None:
    assert _type_of_number(("Please see 138560", "")) == "NUMERIC"
    far = (("Madurai", "Madurai"), *(("well", ""),) * 4)
    assert _type_of_number(*far, ("Please see 138560", "")) == "NUMERIC"


def test_a_rule_knows_its_own_cue() -> None:
    assert _type_of_number(("see 138560", ""), detector="rules") == "ZIP_CODE"


def test_behind_a_word_for_a_dwelling_they_are_a_part_of_an_address() -> None:
    assert _type_of_number(("Apt. 138560\nMadurai", "Madurai")) == "STREET_ADDRESS"
    assert _type_of_number(("lgh 138560", "")) == "STREET_ADDRESS"
    assert _type_of_number(("Apt. 138560", ""), ("Madurai", "Madurai"), detector="rules") == "ZIP_CODE"
