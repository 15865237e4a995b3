import pytest

from tacenda.transforms.linking.speakers import is_role, named_speakers


@pytest.mark.parametrize(
    "label",
    [
        "agent",
        "Customer",
        "Speaker 2",
        "speaker_2",
        "SPEAKER-12",
        "Person 1:",
        "A",
        "7",
        "user",
        "",
        "  ",
        "PhD D",
        "Kundtjänst",
        "Kund 2",
        "Cliente",
        "Asiakas",
    ],
)
def test_roles(label: str) -> None:
    assert is_role(label)


@pytest.mark.parametrize(
    "label",
    [
        "Pam",
        "Lynne Neagle AM",
        "Agent Smith",
        "李伟",
        "customer pam",
        "Mark 2 Jones",
        "4155550199",
        "caller 4155550199",
        "user_0701234567",
        "customer 4111111111111111",
    ],
)
def test_everything_else_is_taken_for_a_name(label: str) -> None:
    assert not is_role(label)


def test_a_replaced_label_is_no_name() -> None:
    assert is_role("[PERSON_NAME_1]")


def test_named_speakers_are_distinct_and_in_order() -> None:
    assert named_speakers(["Pam", None, "agent", "Jim", "Pam"]) == ["Pam", "Jim"]


@pytest.mark.parametrize(
    "label",
    [
        "HUMAN_AGENT",
        "END_USER",
        "AUTOMATED_AGENT",
        "internal",
        "admin",
        "prompter",
        "Judge",
        "Therapist",
        "Tenant",
        "S1",
        "ch1",
        "Voice_2",
        "Virtual_Agent",
        "Senior_Support_Engineer",
        "Læge",
        "Sachbearbeiterin",
        "Interviewer",
        "handläggare",
        "étudiante",
        "pielęgniarka",
        "müşteri",
        "客服",
        "оператор",
    ],
)
def test_roles_of_many_languages_are_known(label: str) -> None:
    assert is_role(label)


@pytest.mark.parametrize(
    "label", ["Virtual Pam", "Agent Smith", "Claude", "Hakim", "Son", "Richter", "Baker"]
)
def test_names_that_may_be_roles_are_names(label: str) -> None:
    assert not is_role(label)
