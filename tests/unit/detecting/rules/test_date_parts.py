import pytest

from tacenda.transforms.detecting.rules.date_parts import with_range


@pytest.mark.parametrize(
    ("text", "core", "taken"),
    [
        ("free May 9th-21st, or", "May 9th", "May 9th-21st"),
        ("free June 3 to 24 then", "June 3", "June 3 to 24"),
        ("from May 2nd to the 18th please", "May 2nd", "May 2nd to the 18th"),
        ("on May 9 and 2 rooms", "May 9", "May 9"),
        ("on May 9 and 12 rooms", "May 9", "May 9"),
        ("on May 9 to 5 pm", "May 9", "May 9"),
        ("from May 8th to 21st June", "May 8th", "May 8th"),
        ("de 6 y 7 de junio", "7 de junio", "6 y 7 de junio"),
        ("den 19. ja 20. lokakuuta", "20. lokakuuta", "19. ja 20. lokakuuta"),
        ("vom 3. bis 5. Mai 2020", "5. Mai 2020", "3. bis 5. Mai 2020"),
        ("costs $6 and 7 June", "7 June", "7 June"),
        ("entre Marzo y Abril de 2000", "Abril de 2000", "Marzo y Abril de 2000"),
        ("näin heinä- ja elokuussa", "elokuussa", "heinä- ja elokuussa"),
        ("on Sunday, 09/02/2018", "09/02/2018", "Sunday, 09/02/2018"),
        ("on Wed,  29 Aug 2018", "29 Aug 2018", "Wed,  29 Aug 2018"),
        ("le mardi 3 avril", "3 avril", "mardi 3 avril"),
        ("on August 16 Thursday night", "August 16", "August 16 Thursday"),
        ("vuosina 1977 , 1978 ja 1980 taas", "vuosina 1977", "vuosina 1977 , 1978 ja 1980"),
        ("in 1980-88, he", "1980", "1980-88"),
        ("on January 49 BC he", "January 49", "January 49 BC"),
        ("in 1990, 12 men", "1990", "1990"),
    ],
)
def test_what_belongs_to_a_date(text: str, core: str, taken: str) -> None:
    start = text.index(core)
    first, last = with_range(text, start, start + len(core))
    assert text[first:last] == taken
