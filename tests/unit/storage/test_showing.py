import pytest

from transforms.storage.showing import shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://pam:s@cret@host:80/a@b.jsonl", "http://host:80/a@b.jsonl"),
        ("--output sftp://pam@host/x: is a file", "--output sftp://host/x: is a file"),
        ("http://pam:s#e?cret@host/a", "http://host/a"),
        ("abfs://calls@account.example/a", "abfs://calls@account.example/a"),
        ("s3://bucket/a@b.jsonl and /data/c@d", "s3://bucket/a@b.jsonl and /data/c@d"),
    ],
)
def test_neither_user_nor_password_is_shown(text: str, expected: str) -> None:
    assert shown(text) == expected
