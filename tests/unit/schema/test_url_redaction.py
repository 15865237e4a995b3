import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_credentials, redact_url
from tests.growth import grows_linearly

URLS = [
    ("http://pam:s@cret@host:80/a.jsonl", "http://host:80/a.jsonl"),
    ("sftp://pam@host/x", "sftp://host/x"),
    ("http://pam:s#ecret@host/a", "http://host/a"),
    ("http://pam:s#e?cret@host/a", "http://***"),
    ("s3://KEY:SEC/RET@bucket/x.jsonl", "s3://bucket/x.jsonl"),
    ("s3://KEY:SEC://RET@bucket/x.jsonl", "s3://bucket/x.jsonl"),
    ("ftp://pam:my se cret@host/a.jsonl", "ftp://host/a.jsonl"),
    ("ftp://pam m:secret@host/a.jsonl", "ftp://host/a.jsonl"),
    ("simplecache::s3://KEY:SECRET@bucket/x", "simplecache::s3://bucket/x"),
    ("my_store://KEY:SECRET@bucket/x", "my_store://bucket/x"),
    ("https://host/a.jsonl?X-Amz-Signature=secret&X-Amz-Expires=9", "https://host/a.jsonl?***"),
    ("https://host/a.jsonl?secret", "https://host/a.jsonl?***"),
    ("webhdfs://host:50070/a.jsonl?delegation=secret", "webhdfs://host:50070/a.jsonl?***"),
    ("https://pam:secret@host/a?mail=b@c&sig=secret", "https://***"),
    ("abfs://calls@account.example/a", "abfs://calls@account.example/a"),
    ("abfs://key:secret@account.example/a", "abfs://account.example/a"),
    ("s3://bucket/a@b.jsonl", "s3://bucket/a@b.jsonl"),
    ("s3://bucket/year=202?/part-?.jsonl", "s3://bucket/year=202?/part-?.jsonl"),
    ("/data/a@b?c=d", "/data/a@b?c=d"),
]


@pytest.mark.parametrize(("url", "expected"), URLS)
def test_a_url_is_shown_without_credentials(url: str, expected: str) -> None:
    assert redact_url(url) == expected
    assert redact_url(expected) == expected
    assert redact_credentials(url) == expected
    assert str(UserError(f"--input {url}: no such file")) == f"--input {expected}: no such file"


def test_each_url_of_a_text_is_shown_without_credentials() -> None:
    text = "s3://A:b/c@d/e has x, but 'http://pam:s t@host/a?x=y' and /data/c@d; https://h/p?sig=z is empty"
    assert redact_credentials(text) == "s3://d/e has x, but 'http://***; https://h/p?*** is empty"


def test_a_long_text_takes_linear_time() -> None:
    assert grows_linearly(lambda size: redact_credentials("a" * size), 20_000)
    assert grows_linearly(lambda size: redact_credentials("a://" * size), 5_000)
    assert grows_linearly(lambda size: redact_credentials("http://" + "u:p@/?" * size), 5_000)


def test_a_message_is_one_line_that_anybody_can_read() -> None:
    message = str(UserError("config.yaml line 3: 'x" + "y\n" * 50_000 + "': is no number; write one"))
    assert "\n" not in message
    assert len(message) < 1_100
    assert message.startswith("config.yaml line 3: ")
    assert message.endswith("': is no number; write one")
