"""What lines were written as."""

import pytest

from tacenda.transforms.detecting.machine_text.lines import Line, kinds_of_lines, what_it_is
from tests.growth import grows_linearly


@pytest.mark.parametrize(
    "line",
    [
        "2025-08-13 12:00:01,123 INFO app - started",
        "Nov  3 09:23:38 host sshd[16442]: session opened",
        '203.0.113.9 - - [10/Oct/2024:13:55:36 +0000] "GET / HTTP/1.1" 200 12',
        "POST /orders HTTP/1.1",
        "Content-Type: text/html",
        "    at com.example.Main.run(Main.java:12)",
        "a\tb\tc\td\te",
        '{"level":"info","msg":"up"}',
        'level=info user="Ann" took=12ms',
        "WARN: disk is full",
    ],
)
def test_one_line_of_a_record_is_one(line: str) -> None:
    assert kinds_of_lines([line]) == [Line.RECORD]


@pytest.mark.parametrize(
    "line",
    [
        "def greet(name):",
        "public static void main(String[] args) {",
        "#include <stdio.h>",
        "const x = f(1);",
        "SELECT name FROM people",
        "from os import path",
    ],
)
def test_lines_that_are_not_sentences_are_code(line: str) -> None:
    assert kinds_of_lines([line]) == [Line.CODE]


@pytest.mark.parametrize(
    "lines",
    [
        ["Hi, I am Anna Berg; call me."],
        ["Name: Anna Berg", "Phone: 070-123 45 67", "City: Uppsala"],
        ["name: anna berg", "phone: 4471", "city: uppsala"],
        [
            "                    Nombre: Ernesto.",
            "                    Apellidos: Rivera.",
            "                    NHC: 3",
        ],
        ["[2023-01-02, 10:11:12] Anna Berg: see you"],
        ["12/03/2021, 10:15 - Anna Berg: see you"],
        ["1. Anna Berg", "2. Bo Ek", "3. Eva Lind"],
        ["A) Anna Berg", "B) Bo Ek", "C) Eva Lind"],
        ["(84) 7564-8830 office", "001-490-155-3846 fax", "357-596-4604 mobile"],
        [">Anna Berg", ">Storgatan 5", ">Uppsala"],
        ["select a seat from the list for me", "return my call please"],
        ["- he does not;", "- she does;"],
        ["import duties are high", "for the following:"],
        ["tel = 070 123 45 67"],
    ],
)
def test_prose_is_recognised_as_sentences(lines: list[str]) -> None:
    assert set(kinds_of_lines(lines)) == {Line.SENTENCE}


def test_settings_count_where_several_stand_together() -> None:
    block = ["server:", "  host: a", "  tls_mode: on"]
    assert kinds_of_lines(block) == [Line.RECORD] * 3
    assert kinds_of_lines(["name: ann"]) == [Line.SENTENCE]


def test_statements_count_beside_code_only() -> None:
    assert kinds_of_lines(["def f(x):", "    y = x + 1", "    return y"]) == [Line.CODE] * 3
    assert kinds_of_lines(["return to me"]) == [Line.SENTENCE]


@pytest.mark.parametrize("lines", [["x = 3 * 4", "=> 12 + 5 = 17"], ["A) 12", "B) 14.5", "C) Rs. 300"]])
def test_arithmetic_is_a_formula(lines: list[str]) -> None:
    assert kinds_of_lines(lines) == [Line.FORMULA] * len(lines)


def test_blank_lines_belong_to_no_kind() -> None:
    assert kinds_of_lines(["", "  ", "----", "I go."]) == [Line.BLANK, Line.BLANK, Line.BLANK, Line.SENTENCE]


@pytest.mark.parametrize(
    "hostile", ["a.", "a=", " ", "\t", "(", '"', "x;", "1:", "a-", "{", ") =>", "A_", "=1 "]
)
def test_time_grows_with_the_length_of_a_line(hostile: str) -> None:
    assert grows_linearly(lambda size: what_it_is(hostile * size), 400)


def test_time_grows_with_the_number_of_lines() -> None:
    assert grows_linearly(lambda size: kinds_of_lines(["def f(x):", "a: b", "I go"] * size), 200)
