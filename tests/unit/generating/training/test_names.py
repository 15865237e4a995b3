"""People of many origins, evenly distributed."""

from collections import Counter

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.training import names


def people(lang, count=6000):
    return [names.Person(Draw("people", lang, i), lang) for i in range(count)]


def test_origins_are_balanced():
    seen = Counter(person.origin for person in people("en") if person.origin)
    assert len(names.origins()) >= 45
    assert set(seen) == set(names.origins())
    assert max(seen.values()) < 3 * min(seen.values())


def test_names_often_come_from_the_country_of_the_language():
    seen = Counter(person.origin for person in people("fi", 2000))
    assert 0.2 < seen["finnish"] / 2000 < 0.6
    assert len(seen) > 40


def test_every_origin_has_enough_names():
    for name in names.origins():
        origin = names.origin(name)
        assert len(set(origin.given)) >= 15
        assert len(set(origin.family)) >= 15


def test_forms_of_a_name():
    draw = Draw("forms")
    person = names.Person(draw, "en")
    forms = {person.full(draw) for _ in range(400)}
    assert f"{person.given} {person.family}" in forms
    assert f"{person.family}, {person.given}" in forms
    assert f"{person.given[0]}. {person.family}" in forms
    assert len(forms) > 20
