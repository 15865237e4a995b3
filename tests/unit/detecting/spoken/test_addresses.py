import pytest

from tacenda.transforms.detecting.spoken.recognition import spoken_runs


def read(text, language="en"):
    return [(text[r.start : r.end], r.value, r.kind) for r in spoken_runs(text, (language,))]


@pytest.mark.parametrize(
    ("said", "value", "kind"),
    [
        ("john dot smith at g mail dot com", "john.smith@gmail.com", "email"),
        ("jo underscore doe at mail dot example dot co dot uk", "jo_doe@mail.example.co.uk", "email"),
        ("biker nineteen at example dot org", "biker19@example.org", "email"),
        ("P-A-P-A-3-1 at example dot com", "papa31@example.com", "email"),
        ("m a r k at example dot com", "mark@example.com", "email"),
        ("john at sign example dot com", "john@example.com", "email"),
        ("jo.doe@ mail.example.com", "jo.doe@mail.example.com", "email"),
        ("jo23 at example.com", "jo23@example.com", "email"),
        ("mohan 283 gmailcom", "mohan283@gmail.com", "email"),
        ("arunyahoocom", "arun@yahoo.com", "email"),
        ("w w w dot example dot org slash docs", "www.example.org/docs", "url"),
        ("irs dot gov", "irs.gov", "url"),
        ("e-l-s-a underscore h-a-u at example dot com", "elsa_hau@example.com", "email"),
        ("mike dot smith at example dot com", "mike.smith@example.com", "email"),
    ],
)
def test_spoken_addresses(said, value, kind):
    assert read(f"yes, that is {said} thanks") == [(said, value, kind)]


def test_a_web_address_after_at_is_no_email():
    assert read("a report at www dot example dot com") == [
        ("www dot example dot com", "www.example.com", "url")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "the dot com bubble",
        "one point is clear",
        "look at example.com please",
        "jane.doe@example.com and https://example.com/a",
        "five dot 300 dot 1 dot 1",
        "a slash b and an underscore",
    ],
)
def test_plain_text_and_written_addresses_are_left_to_other_rules(text):
    assert read(text) == []


@pytest.mark.parametrize(
    ("language", "said", "value"),
    [
        ("sv", "anna punkt berg snabel-a example punkt se", "anna.berg@example.se"),
        ("sv", "anna snabel a example punkt se", "anna@example.se"),
        ("no", "kari understrek li krøllalfa example punktum no", "kari_li@example.no"),
        ("es", "ana guion bajo paz arroba ejemplo punto es", "ana_paz@ejemplo.es"),
        ("fi", "matti piste virta ät example piste fi", "matti.virta@example.fi"),
    ],
)
def test_addresses_of_other_languages(language, said, value):
    assert read(f"ok {said}", language) == [(said, value, "email")]
