"""Dates and times of day in the formats of each language."""

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.spoken_words import DATA

_FILE = "calendar.yaml"
_ORDINALS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}


def date(draw: Draw, lang: str, *, first_year: int = 1990, last_year: int = 2027, whole: bool = False) -> str:
    """A date; with ``whole``, always with day and year."""
    patterns = DATA.document(_FILE)[lang]["date"]
    pattern = draw.pick(patterns)
    while whole and not ("{d" in pattern and "{y" in pattern):
        pattern = draw.pick(patterns)
    day, month, year = draw.between(1, 28), draw.below(12), draw.between(first_year, last_year)
    text: str = pattern.format(
        d=day,
        dd=f"{day:02d}",
        o=f"{day}{_ORDINALS.get(day, 'th')}",
        M=DATA.listed(_FILE, lang, "months")[month],
        m=DATA.listed(_FILE, lang, "short")[month],
        mm=f"{month + 1:02d}",
        y=year,
        yy=f"{year % 100:02d}",
        w=draw.pick(DATA.listed(_FILE, lang, "weekdays")),
    )
    return text


def birth(draw: Draw, lang: str) -> str:
    """A date of birth, always with its year."""
    return date(draw, lang, first_year=1930, last_year=2016, whole=True)


def time(draw: Draw, lang: str) -> str:
    """A time of day."""
    pattern = draw.pick(DATA.document(_FILE)[lang]["time"])
    minute = draw.pick(("00", "15", "30", "45", f"{draw.below(60):02d}"))
    text: str = pattern.format(h=draw.between(1, 12), HH=f"{draw.below(24):02d}", mi=minute)
    return text
