import pytest

from tacenda.transforms.detecting.personal_labels import look_like_personal_data, say_personal


@pytest.mark.parametrize(
    "label",
    [
        "rachel.green@x.com", "Rachel Green", "rachel_green", "RachelGreen", "GREEN_RACHEL", "rachel.green-17",
        "rachel1993", "+46701234567", "415-555-2671", "123-45-6789", "19850101-1234", "4111 1111 1111 1111",
    ],
)  # fmt: skip
def test_labels_with_names_look_personal(label: str) -> None:
    assert look_like_personal_data([label], sentences=True) == [True]


@pytest.mark.parametrize(
    "label",
    [
        "", "c1", "call-17", "4155552671", "2024-05-01-0001", "1234567890123456789", "sgd/dev/11_00005",
        "550e8400-e29b-41d4-a716-446655440000", "CA3b2f9a8c7d6e5f4a", "data-science", "chat-prod-east-2",
        "Ticket 12", "file_1", "page", "doc-7", "ru-01",
    ],
)  # fmt: skip
def test_system_identifiers_do_not_look_personal(label: str) -> None:
    assert look_like_personal_data([label], sentences=True) == [False]


def test_a_context_may_be_some_words_and_no_name() -> None:
    contexts = ["customer_support", "home loans", "sales", "Rachel Green", "x@y.se"]
    assert look_like_personal_data(contexts, sentences=False) == [False, False, False, True, True]


def test_each_label_is_judged_alone() -> None:
    labels = ["Rachel Green", "c1", "rachel_green", "sales-1"]
    assert look_like_personal_data(labels, sentences=True) == [
        look_like_personal_data([one], sentences=True)[0] for one in labels
    ]


WORDS_OF_TOOLS = [
    "get_stock_price",
    "lawyer.search",
    "random_forest.train",
    "Search for a book by title or author",
]


def test_ordinary_words_of_tools_are_nobodys() -> None:
    assert not any(
        say_personal([*WORDS_OF_TOOLS, "Write to user@example.com."], ["The stock price, please."])
    )


@pytest.mark.parametrize(
    "label",
    ["mail_pam@dunder.com", "Ask grace.lee@example.com", "+46 70 123 45 67", "Card 4111 1111 1111 1111"],
)
def test_what_is_certain_counts_in_words_of_tools(label: str) -> None:
    assert say_personal([label], []) == [True]


def test_a_tool_is_not_named_after_somebody_in_the_conversation() -> None:
    assert say_personal(["call_rachel_green"], ["I am Rachel Green."]) == [True]
    assert say_personal(["call_rachel_green"], ["Whom do you mean?"]) == [False]
