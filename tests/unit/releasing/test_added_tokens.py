from tacenda.transforms.releasing.added_tokens import added_tokens, counted_tokens


def test_only_numbered_tokens_count() -> None:
    values = {"[AGE_1]": 2, "Grace": 1, "[AGE_999]": 1, "[AGE_1000]": 1, "[age_1]": 1, "#####": 4}
    assert counted_tokens(values) == {"[AGE_1]": 2, "[AGE_999]": 1}


def test_tokens_that_urls_escape_are_the_same() -> None:
    assert counted_tokens({"[AGE_1]": 2, "%5BAGE_1%5D": 1}) == {"[AGE_1]": 3}


def test_they_are_in_the_order_of_their_numbers() -> None:
    assert added_tokens(["[B_1]", "[A_10]", "[A_9]"]) == ["[A_9]", "[A_10]", "[B_1]"]
