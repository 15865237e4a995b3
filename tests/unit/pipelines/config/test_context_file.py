import pytest

from tacenda.pipelines.config.named_files import load_answers
from tacenda.transforms.schema.errors import UserError


def test_answers_are_read_from_a_file(tmp_path):
    file = tmp_path / "context.yaml"
    file.write_text('purpose: "An assistant."\nharm: ""\n', "utf-8")
    assert load_answers(str(file)) == {"purpose": "An assistant."}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "check the path|no such file"),
        (b"\xff", "not UTF-8"),
        (b"{", "not YAML"),
        (b"- a", "not a form"),
    ],
)
def test_a_file_that_is_no_form_is_refused(tmp_path, content, told):
    file = tmp_path / "context.yaml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UserError, match=told):
        load_answers(str(file))
