from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.linking.entity_forms import EntityForms, entity_forms
from tacenda.transforms.linking.names import Name
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def test_an_entity_has_all_that_was_written_of_it() -> None:
    texts = ["This is Ann Lee, with Acme", "Thanks, Ms Lee. Ann Lee?"]
    findings = [
        [
            Finding(8, 15, "PERSON_NAME", Likelihood.LIKELY, "test"),
            Finding(22, 26, "ORGANIZATION_NAME", Likelihood.LIKELY, "test"),
        ],
        [
            Finding(8, 14, "PERSON_NAME", Likelihood.LIKELY, "test"),
            Finding(16, 23, "PERSON_NAME", Likelihood.LIKELY, "test"),
        ],
    ]
    linked = link_conversation(texts, ["ann", None], findings, {"ann": "PERSON_NAME"})
    assert entity_forms(linked) == [
        EntityForms("PERSON_NAME", ("ann", "Ann Lee", "Ms Lee"), Name(("ann", "lee"), (), "ms", "f")),
        EntityForms("ORGANIZATION_NAME", ("Acme",), None),
    ]
