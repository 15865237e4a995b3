from tacenda.transforms.detecting.fitting.single_numbers import one_security_number
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

SSN, ACCOUNT = "US_SOCIAL_SECURITY_NUMBER", "FINANCIAL_ACCOUNT_NUMBER"


def _types(*said: tuple[str, str]) -> list[str]:
    """The infoTypes of what was taken for social security numbers: texts, and the number in each."""
    texts = [text for text, _ in said]
    cells = [
        [Finding(text.index(number), text.index(number) + len(number), SSN, Likelihood.VERY_LIKELY, "model")]
        if number
        else []
        for text, number in said
    ]
    one_security_number(texts, cells)
    return [cell[0].info_type for cell in cells if cell]


def test_a_second_number_belongs_to_the_account_mentioned_before() -> None:
    assert _types(("check my balance", ""), ("ssn 4356", "4356"), ("2497", "2497")) == [SSN, ACCOUNT]


def test_ambiguous_numbers_keep_their_type() -> None:
    assert _types(("check my balance", ""), ("4356", "4356"), ("2497", "2497")) == [SSN, SSN]
    assert _types(("ssn 4356", "4356"), ("2497", "2497")) == [SSN, SSN]
    assert _types(("my account", ""), ("i lost my card", ""), ("ssn 4356", "4356"), ("2497", "2497")) == [
        SSN,
        SSN,
    ]


def test_corrected_and_repeated_numbers_keep_their_type() -> None:
    account = ("check my balance", "")
    assert _types(account, ("ssn 4356", "4356"), ("sorry 2497", "2497")) == [SSN, SSN]
    assert _types(account, ("ssn 4356", "4356"), ("4356", "4356")) == [SSN, SSN]
    assert _types(account, ("ssn 4356", "4356"), ("308-63-0237", "308-63-0237")) == [SSN, SSN]
