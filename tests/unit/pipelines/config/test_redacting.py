from tacenda.pipelines.config.named_files import config_hash, redacted


def test_word_lists_are_reported_by_size_alone() -> None:
    config = {
        "a": [{"dictionary": {"word_list": {"words": ["Pam", "Jim"]}}}],
        "b": {"wordList": {"words": ["x"]}},
    }
    assert redacted(config) == {
        "a": [{"dictionary": {"word_list": {"words": 2}}}],
        "b": {"wordList": {"words": 1}},
    }


def test_the_url_of_a_file_is_reported_without_password_and_other_text_as_it_is() -> None:
    config = {"cloud_storage_path": {"path": "http://pam:secret@host/names.txt"}, "pattern": "http://[a-z]*@"}
    assert redacted(config) == {
        "cloud_storage_path": {"path": "http://host/names.txt"},
        "pattern": "http://[a-z]*@",
    }


def test_the_hash_sees_the_words_and_not_the_order_of_keys() -> None:
    assert config_hash({"a": 1, "b": 2}) == config_hash({"b": 2, "a": 1})
    one, other = ({"word_list": {"words": [word]}} for word in ("Pam", "Jim"))
    assert redacted(one) == redacted(other)
    assert config_hash(one) != config_hash(other)
