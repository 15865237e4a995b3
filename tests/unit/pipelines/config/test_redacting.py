from tacenda.pipelines.config.named_files import config_hash, redacted


def test_word_lists_are_reported_by_size_alone():
    config = {
        "a": [{"dictionary": {"word_list": {"words": ["Pam", "Jim"]}}}],
        "b": {"wordList": {"words": ["x"]}},
    }
    assert redacted(config) == {
        "a": [{"dictionary": {"word_list": {"words": 2}}}],
        "b": {"wordList": {"words": 1}},
    }


def test_the_url_of_a_file_is_reported_without_password():
    config = {"cloud_storage_path": {"path": "http://pam:secret@host/names.txt"}, "a": "b"}
    assert redacted(config) == {"cloud_storage_path": {"path": "http://host/names.txt"}, "a": "b"}


def test_what_may_name_people_is_reported_by_size():
    config = {
        "regex": {"pattern": "(?i)pam"},
        "output": {"roles": {"Pam": "user", "Jim": "user", "bot": "assistant"}},
    }
    assert redacted(config) == {
        "regex": {"pattern": {"characters": 7}},
        "output": {"roles": {"user": 2, "assistant": 1}},
    }


def test_the_hash_sees_the_words_and_not_the_order_of_keys():
    assert config_hash({"a": 1, "b": 2}) == config_hash({"b": 2, "a": 1})
    one, other = ({"word_list": {"words": [word]}} for word in ("Pam", "Jim"))
    assert redacted(one) == redacted(other)
    assert config_hash(one) != config_hash(other)
