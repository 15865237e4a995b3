import pytest

from tacenda.models.cloud_dlp.config import cloud_info_types
from tacenda.pipelines.config.document import own_sections
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.schema.errors import REASON, UserError, is_reason, made_whole
from tacenda.transforms.schema.token import MAX_NAME, TOKEN, makes_tokens, may_have_tokens, token
from tacenda.transforms.schema.url_redaction import redact_credentials, redact_url
from tests.cases import tabled
from tests.growth import grows_linearly


@tabled("text", "whole")
def test_lone_surrogates_are_replaced(text, whole):
    assert made_whole(text) == whole
    assert len(whole.encode().decode()) == len(text)


@pytest.mark.parametrize("text", ["agreed with counsel", "ok", "法務", "не важно", "n/a, see 3"])
def test_a_reason_has_letters(text):
    assert is_reason(text)


UNSEEN = "\u034f\u061c\u115f\u1160\u1680\u17b4\u180e\u200b\u3164\uffa0"


@pytest.mark.parametrize("text", [None, "", " ", ".", "-", "12", "×", *UNSEEN])
def test_what_says_nothing_is_no_reason(text):
    assert not is_reason(text and 2 * text)


def test_a_config_has_the_same_rule():
    assert own_sections()["risk"]["properties"]["because"]["pattern"] == REASON.pattern


@pytest.mark.parametrize(
    "name", ["BADGE", "BADGE-ID", "A__B", "MY$X", "A_1", "A-", "A_", "C3_PO", "X" * MAX_NAME]
)
def test_tokens_lead_back_to_their_name_and_number(name):
    assert makes_tokens(name)
    match = TOKEN.fullmatch(token(name, 12))
    assert match is not None
    assert match.groups() == (name, "12")


@pytest.mark.parametrize(
    "name",
    ["", "employee_id", "Badge", "_A", "-A", "1A", "A B", "A\n", "É", "MISSED_A", "X" * (MAX_NAME + 1)],
)
def test_names_without_tokens_of_their_own(name):
    assert not makes_tokens(name)


@pytest.mark.parametrize(
    "text", ["[john_smith_1985]", "[Order_12]", "[555-1234_1]", "[A_0]", "[A_01]", "[A1]"]
)
def test_what_people_write_in_brackets_is_no_token(text):
    assert TOKEN.search(text) is None


def test_every_built_in_infotype_makes_tokens():
    assert [name for name in {*catalogue(), *cloud_info_types()} if not makes_tokens(name)] == []


def test_escaped_brackets_may_be_in_small_letters():
    text = "https://example.com/?to=%5bPERSON_NAME_1%5d"
    assert may_have_tokens(text)
    assert [match.groups() for match in TOKEN.finditer(text)] == [("PERSON_NAME", "1")]


@tabled("url", "expected")
def test_a_url_is_shown_without_credentials(url, expected):
    assert redact_url(url) == expected
    assert redact_url(expected) == expected
    assert redact_credentials(url) == expected
    assert str(UserError(f"--input {url}: no such file")) == f"--input {expected}: no such file"


def test_each_url_of_a_text_is_shown_without_credentials():
    text = "s3://A:b/c@d/e has x, but 'http://pam:s t@host/a?x=y' and /data/c@d; https://h/p?sig=z is empty"
    assert redact_credentials(text) == "s3://d/e has x, but 'http://***; https://h/p?*** is empty"


def test_a_long_text_takes_linear_time():
    assert grows_linearly(lambda size: redact_credentials("a" * size), 20_000)
    assert grows_linearly(lambda size: redact_credentials("a://" * size), 5_000)
    assert grows_linearly(lambda size: redact_credentials("http://" + "u:p@/?" * size), 5_000)


def test_a_message_is_one_line_that_anybody_can_read():
    message = str(UserError("config.yaml line 3: 'x" + "y\n" * 50_000 + "': is no number; write one"))
    assert "\n" not in message
    assert len(message) < 1_100
    assert message.startswith("config.yaml line 3: ")
    assert message.endswith("': is no number; write one")
