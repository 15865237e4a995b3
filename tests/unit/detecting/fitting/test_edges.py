import pytest

from tacenda.transforms.detecting.fitting.edges import is_nothing, trim_name
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _finding(text: str, part: str, info_type: str = "PERSON_NAME", detector: str = "model") -> Finding:
    start = text.index(part)
    return Finding(start, start + len(part), info_type, Likelihood.VERY_LIKELY, detector)


def _trimmed(text: str, part: str, info_type: str = "PERSON_NAME", detector: str = "model") -> str | None:
    fitted = trim_name(text, _finding(text, part, info_type, detector))
    return None if fitted is None else text[fitted.start : fitted.end]


@pytest.mark.parametrize(
    ("text", "found", "name"),
    [
        ("Hello Ann, how are you", "Hello Ann", "Ann"),
        ("so um hello huda here", "hello huda", "huda"),
        ("Ask Karlsson for it", "Ask Karlsson", "Karlsson"),
        ("hi Ask Karlsson speaking", "Ask Karlsson", "Ask Karlsson"),
        ("Dr. Rachel Green is in", "Dr. Rachel Green", "Rachel Green"),
        ("Prime Minister Iyad Allawi", "Prime Minister Iyad Allawi", "Iyad Allawi"),
        ("Utrikesminister Carl Bildt svarade", "Utrikesminister Carl Bildt", "Carl Bildt"),
        ("Manuel Rodríguez-López Dirección: x", "Manuel Rodríguez-López Dirección", "Manuel Rodríguez-López"),
        ("Agus Wijaya's people", "Agus Wijaya's", "Agus Wijaya"),
        ("just det Carmen själv vill", "Carmen själv", "Carmen"),
        ("ran into harish Nair", "harish Nair", "harish Nair"),
        ("the painter Ludwig van Beethoven", "Ludwig van Beethoven", "Ludwig van Beethoven"),
        ("Martin Luther King Jr. spoke", "Martin Luther King Jr.", "Martin Luther King Jr."),
        ("(Ann Lee, ", "(Ann Lee,", "Ann Lee"),
        ("Ann Lee", "Ann Lee", "Ann Lee"),
        ("busra last name is yilmaz", "busra last", "busra"),
        ("Mme Anne Andersson vivait", "Mme Anne Andersson", "Mme Anne Andersson"),
        ("el señorío de hernán cortés", "de hernán cortés", "hernán cortés"),
        ("Ana Ruiz Departamento de", "Ana Ruiz Departamento", "Ana Ruiz"),
        ("W a t t h e r", "W a t t h e r", "W a t t h e r"),
        # A damaged dash; a Chinese name of one letter, and an initial, are none.
        ("to Dan Ćaćić ג€“ sadly", "Dan Ćaćić ג", "Dan Ćaćić"),
        ("ask Anna 金 today", "Anna 金", "Anna 金"),
        ("ask Anna É today", "Anna É", "Anna É"),
    ],
)
def test_words_around_a_person_are_not_part_of_the_name(text: str, found: str, name: str) -> None:
    assert _trimmed(text, found) == name


@pytest.mark.parametrize(
    ("text", "found", "info_type", "name"),
    [
        ("Thanks for calling Vertex Inc.", "calling Vertex Inc", "ORGANIZATION_NAME", "Vertex Inc"),
        ("of Mountain View, California", "of Mountain View", "LOCATION", "Mountain View"),
        ("in Buenos Aires?", "Buenos Aires", "LOCATION", "Buenos Aires"),
        ("novata international member services", "novata international member services",
         "ORGANIZATION_NAME", "novata international"),
        ("called oracle a while ago", "oracle a", "ORGANIZATION_NAME", "oracle"),
        ("in the zagreb office", "zagreb office", "LOCATION", "zagreb"),
        ("the Post Office", "Post Office", "LOCATION", "Post Office"),
        ("The Hague", "The Hague", "LOCATION", "The Hague"),
        ("vive de Toledo a Madrid", "de Toledo", "LOCATION", "Toledo"),
        ("på de amerikanske Jomfruøer", "de amerikanske Jomfruøer", "LOCATION", "de amerikanske Jomfruøer"),
        ("in De Panne", "De Panne", "LOCATION", "De Panne"),
        ("at McDonald's", "McDonald's", "ORGANIZATION_NAME", "McDonald's"),
    ],
)  # fmt: skip
def test_places_and_firms_keep_their_articles(text: str, found: str, info_type: str, name: str) -> None:
    assert _trimmed(text, found, info_type) == name


def test_names_by_rules_and_lists_of_the_user_lose_labels_alone() -> None:
    assert _trimmed("Dr. Ann Lee", "Dr. Ann Lee", detector="rules") == "Dr. Ann Lee"
    assert _trimmed("Hello Kitty", "Hello Kitty", detector="rules") == "Hello Kitty"
    assert _trimmed("Ann Lee Email: a", "Ann Lee Email", detector="rules") == "Ann Lee"


def test_punctuation_is_not_a_name() -> None:
    assert _trimmed("-- ,", "-- ,") is None


@pytest.mark.parametrize("word", ["Hello", "and", "um", "Ciao"])
def test_some_words_are_never_a_name(word: str) -> None:
    assert is_nothing(word, _finding(word, word))
    assert not is_nothing(word, _finding(word, word, detector="rules"))


@pytest.mark.parametrize("word", ["mhm", "Mm", "uh-huh"])
def test_the_sounds_of_a_listener_are_nothing_that_a_model_takes_them_for(word: str) -> None:
    assert is_nothing(word, _finding(word, word))
    assert is_nothing(word, _finding(word, word)._replace(info_type="GENERIC_ID"))
    assert not is_nothing(word, _finding(word, word, detector="rules")._replace(info_type="GENERIC_ID"))


@pytest.mark.parametrize("word", ["Will", "An", "May", "Grace", "Ann Hello"])
def test_ambiguous_words_remain_names(word: str) -> None:
    assert not is_nothing(word, _finding(word, word))
