from tacenda.transforms.detecting.structures.headers import headers
from tests.growth import grows_linearly

MAIL = """\
From: "Lee, Ann" <ann@x.org>
To: bo@x.org, Cy Berg <cy@x.org>
Subject: Invoice of Ann
 and more
Date: Mon, 5 Jan 2026 10:00:00 +0000
X-Note: from Ann

Hi, note: this is no header."""


def test_fields_are_divided_into_values() -> None:
    assert [[MAIL[value.start : value.end] for value in field.values] for field in headers(MAIL)] == [
        ["Lee, Ann", "ann@x.org"],
        ["bo@x.org", "Cy Berg", "cy@x.org"],
        ["Invoice of Ann\n and more"],
        [],
        ["from Ann"],
    ]


def test_the_header_of_a_quoted_mail_is_one() -> None:
    quoted = "> From: Ann <ann@x.org>\n> To: bo@x.org\n>\n> Hi"
    values = [quoted[value.start : value.end] for field in headers(quoted) for value in field.values]
    assert values == ["Ann", "ann@x.org", "bo@x.org"]


def test_a_date_is_a_stamp() -> None:
    stamps = [MAIL[start:end] for field in headers(MAIL) for start, end in field.stamps]
    assert stamps == ["Mon, 5 Jan 2026 10:00:00 +0000"]


def test_speakers_are_no_fields() -> None:
    assert not list(headers("Agent: hello\nCaller: I am Ann\nDate: tomorrow\n"))
    assert not list(headers("From: Oslo\nvia trains: 3\n"))


def test_time_is_linear() -> None:
    def run(size: int) -> None:
        list(headers("From: a\n b\nTo: <c\n" * size + "x" * size + ":" * size))

    run(1)
    assert grows_linearly(run, 500)
