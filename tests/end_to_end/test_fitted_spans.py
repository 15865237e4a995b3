"""Tokens end where names, numbers and addresses end, in the corpus and in findings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

_SAID = {
    "Hello Ann, it costs $129.99 today": "Hello [PERSON_NAME_1], it costs $129.99 today",
    "Ask Karlsson for it": "Ask [PERSON_NAME_1] for it",
    "Patient: Anna Karlsson: MRN 4412345": "Patient: [PERSON_NAME_1]: MRN [MEDICAL_RECORD_NUMBER_1]",
    "at 2024-03-18T09:30 we met": "at 2024-03-18T09:30 we met",
    "my address is 1235 n jones st": "my address is [STREET_ADDRESS_1]",
    "reference 123456789012345 please": "reference [GENERIC_ID_1] please",
    "this is Ann Lee and Bob Ray": "this is [PERSON_NAME_1] and [PERSON_NAME_2]",
    "10 mg metoprolol enligt dr Berg": "10 mg metoprolol enligt dr [PERSON_NAME_1]",
    "Password: hunter22, card exp 09/27": "Password: [PASSWORD_1], card exp [CREDIT_CARD_EXPIRATION_DATE_1]",
    "I work at Johnson and Johnson": "I work at [ORGANIZATION_NAME_1]",
    "Ok Mary": "Ok [PERSON_NAME_1]",
    "nurse Foley": "nurse [PERSON_NAME_1]",
    "Mr and Mrs Smith": "Mr and Mrs [PERSON_NAME_1]",
    "Dr. Alzheimer called": "Dr. [PERSON_NAME_1] called",
    "we are open 24/7": "we are open 24/7",
    "D/c home": "D/c home",
}


_RECORDS = [
    {"conversation_id": str(i), "turns": [{"speaker": "agent", "text": text}]} for i, text in enumerate(_SAID)
]


def test_tokens_end_where_data_ends(tacenda: Callable[..., Any], lines: Callable[..., Path]) -> None:
    run = tacenda("anonymize", "--input", lines(*_RECORDS))
    assert [record["turns"][0]["text"] for record in run.corpus()] == list(_SAID.values())


def test_inspect_finds_the_same_spans(tacenda: Callable[..., Any], lines: Callable[..., Path]) -> None:
    run = tacenda("inspect", "--input", lines(*_RECORDS))
    texts = list(_SAID)
    found: dict[int, list[str]] = {i: [] for i in range(len(texts))}
    for row in run.findings():
        i = int(row["conversation_id"])
        found[i].append(texts[i][row["start"] : row["end"]])
    assert found[0] == ["Ann"]
    assert found[2] == ["Anna Karlsson", "4412345"]
    assert found[3] == []
