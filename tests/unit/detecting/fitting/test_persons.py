import pytest

from tacenda.transforms.detecting.fitting.persons import split_persons
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


@pytest.mark.parametrize(
    ("text", "persons"),
    [
        ("Ann Lee and Bob Ray", ["Ann Lee", "Bob Ray"]),
        ("rock and conno", ["rock", "conno"]),
        ("Ann Lee, Bob Ray", ["Ann Lee", "Bob Ray"]),
        ("Ann, Bob and Cy Lee", ["Ann", "Bob", "Cy Lee"]),
        ("Kari og Ola Nordmann", ["Kari", "Ola Nordmann"]),
        ("Ann Lee\nBob Ray", ["Ann Lee", "Bob Ray"]),
        ("Ann Wil-\nliamson", ["Ann Wil-\nliamson"]),
        ("Patient: Anna Karlsson: MRN", ["Patient", "Anna Karlsson", "MRN"]),
        ("LEE, ANN", ["LEE, ANN"]),
        ("Lopez Garcia, Ann", ["Lopez Garcia, Ann"]),
        ("Martin Luther King, Jr.", ["Martin Luther King, Jr."]),
        ("Santiago Ramón y Cajal", ["Santiago Ramón y Cajal"]),
        ("T U G B A e R", ["T U G B A e R"]),
        ("hwang H W A N as in November G", ["hwang", "H W A N as in November G"]),
        ("chiara c-h-i-a-r-a", ["chiara", "c-h-i-a-r-a"]),
        ("eleni eleni", ["eleni", "eleni"]),
        ("Lea G. Bouchard", ["Lea G. Bouchard"]),
        ("and Ann", ["and Ann"]),
        ("Ann Lee Bob Stone", ["Ann Lee", "Bob Stone"]),
        ("Ann Lee Bob Stone and Carol King", ["Ann Lee", "Bob Stone", "Carol King"]),
        ("María José García López", ["María José García López"]),
        ("Mr. and Mrs. Smith", ["Mr. and Mrs. Smith"]),
        ("Noam Chomsky or Albert Einstein", ["Noam Chomsky", "Albert Einstein"]),
        ("Ann", ["Ann"]),
        ("Jo Doe QC. Bill Essick", ["Jo Doe QC", "Bill Essick"]),
        ("Anna Karlsson. Tom Hale", ["Anna Karlsson", "Tom Hale"]),
        ("Prof. Dr. Ann Lee", ["Prof. Dr. Ann Lee"]),
        ("Ann Wm. Smith", ["Ann Wm. Smith"]),
        ("Ann St. John", ["Ann St. John"]),
    ],
)
def test_findings_of_two_persons_are_split(text: str, persons: list[str]) -> None:
    whole = Finding(2, 2 + len(text), "PERSON_NAME", Likelihood.LIKELY, "model")
    found = split_persons(f"- {text} -", whole)
    assert [f"- {text} -"[f.start : f.end] for f in found] == persons
