from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.replacing.hiding.parrot import Released, parrot_attack
from tacenda.transforms.replacing.surrogates.lists import people
from tacenda.transforms.replacing.surrogates.replacer import SurrogateReplacer
from tests.marked_conversations import linked

LISTS = [f"Name{first}{last}" for first in "abcdefghijklmnopqr" for last in "abcdefghijklmnopqr"]


def _corpus(*missed: str, documents: int = 200) -> list[Released]:
    draw = Draw("corpus")
    return [Released([*(draw.pick(LISTS) for _ in range(3)), *missed], missed) for _ in range(documents)]


def test_a_name_of_no_list_is_pointed_out() -> None:
    documents = [*_corpus(), Released(["Nameaa", "Xqwerty"], ["Xqwerty"])]
    attack = parrot_attack(documents, LISTS)
    assert (attack.pointed_out, attack.right, attack.precision, attack.recall) == (1, 1, 1.0, 1.0)
    assert attack.by_chance < 0.01


def test_a_missed_name_like_a_surrogate_stays_hidden() -> None:
    attack = parrot_attack([*_corpus(), Released(["Nameaa", "Nameab"], ["NAMEAB"])], LISTS)
    assert (attack.pointed_out, attack.missed, attack.recall) == (0, 1, 0.0)


def test_a_name_in_every_document_is_pointed_out_without_the_lists() -> None:
    attack = parrot_attack(_corpus("Nameag"), ())
    assert attack.recall == 1.0
    assert attack.precision == 1.0


def test_surrogates_alone_give_nothing_away() -> None:
    assert parrot_attack(_corpus(), LISTS).pointed_out == 0
    assert parrot_attack([], LISTS) == (0, 0, 0, 0)


def test_people_of_many_conversations_have_other_surrogates_in_each() -> None:
    # A secret for each corpus and a draw for each conversation: no surrogate betrays who is the same.
    drawn_from = [name for pool in people().pools.values() for name in pool]
    documents = []
    for number in range(150):
        conversation = linked(
            ["<PERSON_NAME:Maria Olsen> and <PERSON_NAME:Peter Brown>"], conversation_id=str(number)
        )
        values = SurrogateReplacer(b"secret").values(conversation).findings[0]
        documents.append(Released([word for value in values for word in value.split()], ()))
    assert parrot_attack(documents, drawn_from).pointed_out == 0
