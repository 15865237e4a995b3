import gzip
import json
import os
import random
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path

import pytest

from tacenda.transforms.language.telling import main_languages, tell
from tacenda.transforms.text import pieces
from tacenda.transforms.text.column import TextColumn

DATA = Path(os.environ.get("TACENDA_DATA") or Path(__file__).parents[4] / "shared" / "data")


def told(*conversations: Sequence[str]) -> list[list[str]]:
    """The languages of each cell of conversations, cell by cell, as ``en`` or ``en zh``."""
    texts = [text for cells in conversations for text in cells]
    first = [0, *accumulate(map(len, conversations))]
    spoken = tell(TextColumn(texts, first))
    by_cell: list[list[str]] = [[] for _ in texts]
    for cell, language in zip(spoken.cells.tolist(), spoken.languages.tolist(), strict=True):
        by_cell[cell].append(spoken.names[language])
    cells = [" ".join(names) for names in by_cell]
    return [cells[i:j] for i, j in pairwise(first)]


ENGLISH = "Hello, I would like to know when my order is going to arrive, please."


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", ENGLISH),
        ("es", "Hola, quería saber cuándo va a llegar mi pedido, por favor."),
        ("sv", "Hej, jag undrar när min beställning kommer fram."),
        ("fi", "Hei, haluaisin tietää, milloin tilaukseni saapuu."),
        ("nb", "Hei, jeg vil gjerne vite når bestillingen min kommer frem."),
        ("da", "Hej, jeg vil gerne vide, hvornår min bestilling kommer."),
        ("de", "Guten Tag, ich wollte wissen, wann meine Bestellung ankommt."),
        ("fr", "Bonjour, je voudrais savoir quand ma commande va arriver."),
        ("pl", "Dzień dobry, chciałbym wiedzieć, kiedy moje zamówienie będzie u mnie."),
        ("tr", "Merhaba, siparişimin ne zaman geleceğini öğrenmek istiyorum."),
        ("vi", "Xin chào, tôi muốn biết khi nào đơn hàng của tôi sẽ đến."),
        ("id", "Selamat pagi, saya ingin tahu kapan pesanan saya akan tiba."),
        ("hi", "नमस्ते, मेरा ऑर्डर कब आएगा?"),
        ("mr", "नमस्कार, माझी ऑर्डर कधी येईल आणि ती कुठे आहे?"),
        ("ar", "مرحبا، متى سوف يصل طلبي؟"),
        ("fa", "سلام، سفارش من چه زمانی می رسد؟"),
        ("ru", "Здравствуйте, когда придёт мой заказ?"),
        ("uk", "Добрий день, коли буде моє замовлення, будь ласка?"),
        ("ja", "こんにちは、注文はいつ届きますか。"),
        ("zh", "你好，我的订单什么时候到？"),
        ("ko", "안녕하세요, 주문은 언제 도착하나요?"),
        ("th", "สวัสดีค่ะ ของจะมาถึงเมื่อไหร่"),
        ("el", "Γεια σας, πότε θα έρθει η παραγγελία μου;"),
        ("und", "mawonekedwe abwino kwambiri anabwera dzulo mumzinda wathu waukulu"),
    ],
)
def test_the_language_of_one_sentence_is_detected(language: str, text: str) -> None:
    assert told([text]) == [[language]]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ok",
        "4711",
        "1,299.00 EUR",
        "Rachel Green",
        "for (int i = 0; i < n; ++i) { total += rows[i]; }\nreturn total;",
        '2024-05-01T10:00:02Z WARN pool-3 conn_id=ab12f timeout_ms=3000 path=/v1/orders/{id} "GET" 504',
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: iscsipd\nspec:\n  containers:\n  - image: x:1.2",
    ],
)
def test_too_few_words_take_the_language_of_their_conversation_or_none(text: str) -> None:
    assert told([text]) == [["none"]]
    assert told([ENGLISH, text]) == [["en", "en"]]


def test_each_turn_of_a_mixed_conversation_is_judged_by_its_own_language() -> None:
    polish = "Nazywam się Jan Kowalski i mieszkam w Krakowie przy ulicy Długiej."
    assert told([ENGLISH, polish, "ok", "मेरा नाम प्रिया वर्मा है"]) == [["en", "pl", "en", "hi"]]


def test_a_page_in_another_language_is_noticed_in_a_long_document() -> None:
    german = "Wir haben den Vertrag gestern mit der Post an Sie geschickt und warten auf Ihre Antwort. " * 5
    (cells,) = told([f"{ENGLISH * 30} {german} {ENGLISH * 30}"])
    assert cells == ["en de"]


def test_a_name_in_another_script_is_noticed_in_an_english_turn() -> None:
    assert told(["Please send it to 王小明, who is going to pay for it."]) == [["en zh"]]
    assert told(["The angle α and the unit μ are not a language."]) == [["en"]]


def test_a_conversation_is_judged_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    conversations = [
        [ENGLISH, "ok", "hai"], ["Wo ist mein Paket?", "ok"], ["ok"], [], ["", "मेरा नाम"], [ENGLISH * 200],
    ]  # fmt: skip
    alone = [told(cells)[0] for cells in conversations]
    order = list(range(len(conversations))) * 3
    random.Random(1).shuffle(order)
    for at_once in (1, 200, 1 << 17):
        monkeypatch.setattr("tacenda.transforms.text.column._BLOCK", at_once)
        assert told(*(conversations[i] for i in order)) == [alone[i] for i in order]


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no development corpora in {DATA}")
@pytest.mark.parametrize(
    ("corpus", "languages", "least_right", "most_wrong"),
    # Right: told. Wrong: told to be another one; the rest has too few words. By conversation (mostly one turn).
    [
        ("multidogo", "en", 0.97, 0.005),
        ("sgd", "en", 1, 0),
        ("star", "en", 0.99, 0),
        ("uner-en-pud", "en", 0.99, 0.002),
        ("plain-prose", "en de es fi fr sv nb", 0.97, 0.002),
        ("uner-sv-pud", "sv nb da", 0.98, 0.002),
        ("turku-ner", "fi", 0.95, 0.03),
        ("uner-da-ddt", "da nb sv", 0.88, 0.02),
        ("meddocan", "es", 0.98, 0.02),
        ("uner-de-pud", "de", 0.98, 0.002),
        ("kpwr-pl", "pl und hr sk", 0.97, 0.01),
        ("tr-wiki", "tr az und", 0.8, 0.03),
        ("hiner-hi", "hi", 0.99, 0.005),
        ("klue-ko", "ko", 0.98, 0.02),
        ("stockmark-ja", "ja zh", 0.99, 0.002),
        ("weibo-zh", "zh ja", 0.99, 0.005),
        ("aqmar-ar", "ar fa", 0.97, 0.002),
    ],
)
def test_on_development_corpora(corpus: str, languages: str, least_right: float, most_wrong: float) -> None:
    conversations = []
    with gzip.open(DATA / f"{corpus}.dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line, _ in zip(lines, range(600), strict=False):
            conversations.append([turn["text"] for turn in json.loads(line)["turns"]])
    expected = {*languages.split()}
    right = wrong = 0
    for cells in told(*conversations):
        spoken = {name for cell in cells for name in cell.split()} - {"none"}
        right += bool(spoken) and spoken <= expected
        wrong += not spoken <= expected
    assert right >= least_right * len(conversations)
    assert wrong <= most_wrong * len(conversations)


def test_a_long_conversation_is_reported_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = [ENGLISH, "Hej, jag undrar när min beställning kommer fram.", "ok"] * 20
    whole = told(["ok"], talk, [ENGLISH])
    monkeypatch.setattr(pieces, "PIECE_CHARS", 1000)
    assert told(["ok"], talk, [ENGLISH]) == whole


def test_the_language_of_most_cells_is_that_of_the_conversation_alone_and_in_a_batch() -> None:
    swedish = "Hej, jag undrar när min beställning kommer fram."
    talks = [[ENGLISH, swedish, swedish], ["ok", "12"], [ENGLISH, "ok"]]
    bounds = [0, *accumulate(map(len, talks))]
    column = TextColumn([text for cells in talks for text in cells], bounds)
    assert main_languages(tell(column), bounds) == ["sv", "", "en"]
    alone = [main_languages(tell(TextColumn(cells, [0, len(cells)])), [0, len(cells)]) for cells in talks]
    assert alone == [["sv"], [""], ["en"]]
