"""What is found and by what: names to their ends, languages, models, functions of users, the cloud."""

import json
import random
import re
import shutil
import sys
from pathlib import Path

import grpc
import pytest
import yaml

from tacenda import Anonymizer
from tests.cases import cases
from tests.end_to_end.conftest import counts
from tests.talks import talk

HERE = Path(__file__).parent
LISTS = ("--detector", "rules", "--detector", "gazetteer", "--workers", "1")

# The paper's examples with the default config (Gardiner et al., CALD-pseudo 2024, tables 1 and 2).

_TABLE_1 = "This is {0} calling from {1}, may I speak to {2}?"


def _variant(seed):
    """Two people and a company that no list has: syllables drawn by a seed."""
    draw = random.Random(seed)

    def word(syllables):
        first = ["br", "d", "f", "gl", "k", "l", "m", "qu", "r", "st", "t", "v", "z"]
        pairs = (draw.choice(first) for _ in range(syllables))
        return ("".join(first + draw.choice("aeiou") for first in pairs) + draw.choice("nlrsm")).capitalize()

    return word(2), f"{word(2)} {word(3)}", word(3)


def test_table_1_and_twenty_variants_of_it(tacenda, lines):
    said = [("Pam", "Dunder Mifflin", "Jim"), *map(_variant, range(20))]
    turns = [[{"speaker": names[0], "text": _TABLE_1.format(*names)}] for names in said]
    run = tacenda(
        "anonymize",
        "--input",
        lines(*({"conversation_id": str(i), "turns": one} for i, one in enumerate(turns))),
    )
    tokens = "[PERSON_NAME_1]", "[ORGANIZATION_NAME_1]", "[PERSON_NAME_2]"
    expected = {"speaker": tokens[0], "text": _TABLE_1.format(*tokens)}
    became = [record["turns"] for record in run.corpus()]
    assert became[0] == [expected]
    # A company of two invented words may become two tokens, but no word of a name is left.
    assert sum(turns == [expected] for turns in became) > 12
    for names, (turn,) in zip(said, became, strict=True):
        assert not any(word in turn["text"] for word in " ".join(names).split()), names


def test_table_2(tacenda, lines, tmp_path):
    """Half a code is a number, also where a config asks for numbers alone; the paper's token has no number."""
    source = lines(talk("1", "It's B. 231 C. for A. two.", "It's B. 231 C. four."))
    told = tacenda("anonymize", "--input", source).texts()
    assert told == ["It's B. [NUMERIC_1] C. for A. two.", "It's [GENERIC_ID_1]."]
    (config := tmp_path / "as_the_paper.yaml").write_text(
        "inspect: {infoTypes: [{name: PERSON_NAME}, {name: NUMERIC}]}"
    )
    half = tacenda("anonymize", "--input", source, "--config", config).texts()[0]
    assert half == "It's B. [NUMERIC_1] C. for A. two."


# The two kinds of eponym errors, counted in words; docs/replacing.md has the figures.

PAGE = HERE.parents[1] / "docs" / "replacing.md"
SENTENCES = yaml.safe_load((HERE / "eponym_sentences.yaml").read_text("utf-8"))
_MARKED = re.compile(r"\[\[(.*?)\]\]")
_TITLES = re.compile("(?:Mrs|Ms|Nurse)$")


def _words(anonymizer, sentences):
    """The number of words in marked places that findings cover, and the total; without titles."""
    covered = total = 0
    for sentence in sentences:
        places, text, cut = [], _MARKED.sub(r"\1", sentence), 0
        for number, match in enumerate(_MARKED.finditer(sentence)):
            cut = 4 * number + 2
            places += [
                (match.start(1) - cut + word.start(), match.start(1) - cut + word.end())
                for word in re.finditer(r"\w[\w'’-]*", match[1])
                if word[0][:1].isupper() and not _TITLES.match(word[0])
            ]
        findings = anonymizer.anonymize(text).findings
        for start, end in places:
            total += 1
            covered += any(found.start < end and start < found.end for found in findings)
    return covered, total


@pytest.fixture(scope="module")
def errors():
    """Without and with eponyms: eponym words replaced, and people's words left readable, with totals."""
    told = {}
    for name, settings in (("without", {}), ("with", {"replacement": {"eponyms": True}})):
        anonymizer = Anonymizer(settings)
        replaced, eponyms = _words(anonymizer, SENTENCES["eponyms"])
        covered, people = _words(anonymizer, SENTENCES["people"])
        told[name] = (replaced, eponyms, people - covered, people)
    return told


def test_eponyms_keep_diseases_without_leaving_people_readable(errors):
    without, kept = errors["without"], errors["with"]
    assert kept[0] < without[0]
    assert kept[2] == without[2], "whom eponyms let stay"


def test_the_page_says_what_is_measured(errors):
    told = re.search(
        r"(\d+)\s+of (\d+) eponyms are replaced \((\d+) without\), and (\d+) names of (\d+) people",
        PAGE.read_text("utf-8"),
    )
    assert told is not None, f"docs/replacing.md: {errors}"
    assert [*map(int, told.group(2, 5))] == [errors["with"][1], errors["with"][3]]
    for name, number in (("with", told[1]), ("without", told[3])):
        replaced, _, left, _ = errors[name]
        # A network rounds its scores otherwise on another processor.
        assert abs(int(number) - replaced) <= 2
        assert abs(int(told[4]) - left) <= 1


# Text that no detector covers is never part of a release.

ENGLISH = ["Hello, how can I help you today?", "I would like to change my plan, please."]
HINDI = ["नमस्ते, मैं राहुल शर्मा बोल रहा हूँ, आपका नाम क्या है?", "मेरा नाम प्रिया वर्मा है और मैं दिल्ली में रहती हूँ।"]
POLISH = ["Dzień dobry, w czym mogę pomóc?", "Nazywam się Jan Kowalski i mieszkam w Krakowie od roku."]
SHORT = ["bonjour jean dupont"]
TINY = HERE.parent / "golden" / "tiny_model"


@pytest.fixture
def spoken(anonymize):
    """``spoken(ENGLISH, POLISH, config={…})``: a run over conversations with these texts."""
    return lambda *several, **more: anonymize(
        [talk(f"c{i}", *texts) for i, texts in enumerate(several)], *LISTS, **more
    )


def _of_languages(run):
    return [line for line in run.manifest["verdict"]["held_by"] if "language" in line]


@pytest.mark.parametrize(("texts", "name"), [(HINDI, "Hindi"), (POLISH, "Polish")])
def test_a_corpus_in_an_uncovered_language_can_be_held(spoken, texts, name):
    run = spoken(ENGLISH, texts, ENGLISH, config={"languages": {"uncovered": "hold"}})
    assert run.state == "held"
    (reason,) = _of_languages(run)
    assert f"1 ({name} 1)" in reason
    assert "languages.uncovered" in reason
    assert reason in run.out
    told = run.json("statistics.json")["languages"]
    assert told["conversations_not_covered"] == 1
    keys = ("name", "covered", "turns", "conversations")
    rows = [tuple(row[key] for key in keys) for row in told["by_language"].values()]
    assert rows == [("English", True, 4, 2), (name, False, 2, 1)]


def test_conversations_in_uncovered_languages_are_quarantined(spoken):
    """Not those with a stretch in another language, and the run is held only where they are many."""
    run = spoken(ENGLISH, HINDI, [*ENGLISH, POLISH[1]], *[ENGLISH] * 20)
    assert run.code == 0
    assert _of_languages(run) == []
    assert run.ids() == ["c0", *(f"c{i}" for i in range(2, 23))]
    assert {*run.errors()} == {"LanguageNotCovered"}
    assert run.rows() == counts(23, 22, quarantined=1)
    told = run.json("statistics.json")["languages"]
    assert ([*told["by_language"]], told["conversations_quarantined"]) == (["en", "pl"], 1)
    assert spoken(ENGLISH, HINDI).code == 3


def test_a_language_may_be_accepted_with_a_reason_that_is_reported(spoken):
    accepted = {"pl": "read by two people who know it"}
    run = spoken(ENGLISH, POLISH, config={"languages": {"accepted": accepted}})
    assert _of_languages(run) == []
    covered = ["da", "en", "es", "fi", "nb", "sv"]
    told = {"covered": covered, "accepted": accepted, "uncovered": "quarantine"}
    assert run.manifest["config"]["languages"] == told
    told = "text in pl is released by request: read by two people who know it"
    assert told in run.grounds()
    assert told in run.report


def test_a_language_that_a_model_is_only_said_to_cover_needs_a_reason(tacenda, lines, tmp_path):
    settings = tmp_path / "config.json"
    turns = [{"speaker": "agent", "text": text, "spans": []} for text in [*ENGLISH, POLISH[0]]]
    calls = lines(*({"conversation_id": f"c{i}", "turns": turns, "gold": "complete"} for i in range(20)))
    claim = {"models": [{"path": str(TINY), "languages": ["en", "pl"]}]}
    for risk, state in (({}, "unreviewed"), ({"because": "measured elsewhere"}, "released")):
        settings.write_text(json.dumps({**claim, "risk": risk}), encoding="utf-8")
        run = tacenda("anonymize", "--input", calls, "--config", settings, "--workers", "1")
        claimed = [what for what in run.grounds(weakening=True) if "by a claim alone" in what]
        assert [what.split()[0] for what in claimed] == ["English", "Polish"]
        assert run.state == state


def test_short_answers_numbers_and_code_do_not_hold(spoken):
    run = spoken(["ok", "4711"], ENGLISH, ["x = f(y[0]);", "{}"])
    told = run.json("statistics.json")["languages"]["by_language"]
    assert {name: row["conversations"] for name, row in told.items()} == {"en": 1, "none": 2}
    assert told["none"]["covered"] is None
    assert _of_languages(run) == []


def test_text_too_short_for_language_detection_is_reported(spoken):
    run = spoken(*[ENGLISH] * 3, SHORT)
    told = run.json("statistics.json")["languages"]
    assert (told["conversations_undecided"], told["conversations_quarantined"]) == (1, 0)
    assert "1 conversation has too few words to tell the language" in " ".join(run.report.split())
    told = "text too short to identify its language, in 21 conversations: most of them"
    assert told[:40] not in str(run.grounds())
    run = spoken(*[ENGLISH] * 19, *[SHORT] * 21)
    assert {"what": told, "weakens": False} in run.manifest["verdict"]["rests_on"]


def test_an_unknown_language_cannot_be_accepted(spoken):
    run = spoken(ENGLISH, config={"languages": {"accepted": {"xx": "why"}}})
    run.refused("a language that cannot be recognised")


# A trained model in addition to the other detectors.

MODEL = ("--detector", "model", "--model", str(TINY))
TURNS = ["My name is Pam from New York", "mr zzyzx probably", "Call the Beet Farms, O'Brien!"]


def test_anonymises_by_the_model(anonymize):
    run = anonymize([talk("a", *TURNS)], *MODEL)
    assert run.texts() == [
        "My name is [PERSON_NAME_1] from [LOCATION_1]",
        "mr [PERSON_NAME_2]",
        "Call the [ORGANIZATION_NAME_1], [PERSON_NAME_3]!",
    ]
    detectors = run.manifest["config"]["detectors"]
    (told,) = detectors["models"]
    assert detectors["names"] == ["model"]
    assert (told["name"], told["decision"]) == ("tiny", {"rule": "sum", "threshold": 0.2})
    assert len(told["fingerprint"]) == 64


def test_a_conversation_on_which_the_model_fails_goes_to_quarantine_alone(anonymize, monkeypatch):
    from tacenda.models.token_classifier import detector

    honest = detector.misses_words
    monkeypatch.setattr(detector, "misses_words", lambda c, e: "poison" in c.text or honest(c, e))
    run = anonymize([talk("a", "Pam"), talk("b", "poison"), talk("c", "Dwight")], *MODEL)
    assert run.ids() == ["a", "c"]
    assert [(row["stage"], row["error"]) for row in run.quarantine()] == [("detect", "WordsUnseen")]


# A detector of one's own in Python: the same on every runner, part of the config, and failing closed.

CONFIG = {
    "look_for": {"functions": {"ORDER_NUMBER": "shop:order_numbers"}},
    "risk": {"labels": {"ORDER_NUMBER": "GENERIC_ID"}},
}
ORDER = "Order 84/1206-1, please."


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """The module that the config names, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "shop", raising=False)
    return Path(shutil.copy(HERE.parents[1] / "docs/examples/shop.py", tmp_path / "shop.py"))


def test_every_runner_finds_the_same(tacenda, lines, tmp_path, shop):
    (config := tmp_path / "config.json").write_text(json.dumps(CONFIG))
    words = ("anonymize", "--input", lines(*(talk(f"c{i}", ORDER) for i in range(30))), "--config", config)
    pool, beam = (tacenda(*words, *more) for more in (["--workers", "2"], ["--runner=FnApiRunner"]))
    assert (pool.code, beam.code) == (0, 0)
    assert pool.files() == beam.files()
    assert pool.texts() == ["Order [ORDER_NUMBER_1], please."] * 30
    assert Anonymizer(CONFIG).anonymize(ORDER).conversation == "Order [ORDER_NUMBER_1], please."
    before = pool.manifest
    assert before["config"]["inspect"]["functions"]["ORDER_NUMBER"]["name"] == "shop:order_numbers"
    with shop.open("a") as file:
        file.write("# changed\n")
    sys.modules.pop("shop")
    assert tacenda(*words).manifest["config_hash"] != before["config_hash"]


def test_what_a_function_cannot_read_is_quarantined(anonymize, shop):
    shop.write_text(
        "def order_numbers(text):\n"
        "    return [(0, 99)] if 'wrong' in text else [(0, {'Order': 5}[text[:5]])]\n"
    )
    said = ["Order it.", "Mind the gap.", "Order wrong.", *["Order it."] * 60]
    records = [talk(f"c{i}", text) for i, text in enumerate(said)]
    run = anonymize(records, *LISTS, config=CONFIG)
    assert run.code == 0
    told = [(row["error"], row["stage"]) for row in run.quarantine()]
    assert told == [("KeyError", "detect"), ("WrongPlace", "detect")]
    assert {*run.texts()} == {"[ORDER_NUMBER_1] it."}


# Cloud DLP as a detector, against a local server with the protocol of the real service.

TALKS = [
    talk("a", "Pam of Scranton: 👋 pam@example.org, 555-0199-231"),
    talk("b", "odd one"),
    talk("c", "José Núñez"),
]


@pytest.fixture
def cloud(dlp):
    return ["--detector", "cloud_dlp", "--dlp-project", "p", "--dlp-endpoint", dlp.endpoint]


@pytest.fixture
def inspect(tacenda, lines, tmp_path):
    def run(*words, config=None):
        if config is not None:
            (file := tmp_path / "config.yaml").write_text(yaml.safe_dump(config))
            words = ("--config", file, *words)
        return tacenda("inspect", "--input", lines(*TALKS, name="in.jsonl"), *words)

    return run


def test_what_the_cloud_finds_is_replaced(anonymize, cloud, dlp):
    """And the second look requests findings of every likelihood."""
    run = anonymize(TALKS, *cloud)
    assert run.code == 0, run.err
    assert dict(zip(run.ids(), run.texts(), strict=True)) == {
        "a": "[PERSON_NAME_1] of Scranton: 👋 [EMAIL_ADDRESS_1], 555-0199-231",
        "b": "odd one",
        "c": "[PERSON_NAME_1]",
    }
    risks = {row["conversation_id"]: row for row in run.risk()}
    assert [tag["tag"] for tag in risks["a"]["tags"]] == ["LOCATION"]
    looked = [r for r in dlp.requests if r.inspect_config.min_likelihood == 1]
    assert any("[PERSON_NAME_1]" in row.values[0].string_value for r in looked for row in r.item.table.rows)


def test_findings_of_rules_and_cloud_are_merged(inspect, cloud):
    both = inspect(*cloud, "--detector", "rules")
    assert both.code == 0, both.err
    assert {row["detector"] for row in both.findings()} == {"rules", "cloud_dlp"}
    assert ("c", "PERSON_NAME") in {(row["conversation_id"], row["info_type"]) for row in both.findings()}
    assert both.manifest["config"]["detectors"]["names"] == ["rules", "cloud_dlp"]
    again, rules = inspect("--detector", "rules", *cloud), inspect()
    prints = [run.manifest["fingerprint"] for run in (both, again, rules)]
    assert prints[0] == prints[1] != prints[2]


def test_a_conversation_that_the_cloud_refuses_is_quarantined_alone(anonymize, cloud, dlp):
    dlp.fails_on = {"odd": grpc.StatusCode.INVALID_ARGUMENT}
    run = anonymize(TALKS, *cloud)
    assert run.ids() == ["a", "c"]
    told = [(row["stage"], row["error"]) for row in run.quarantine()]
    assert told == [("detect", "CloudDlpInvalidArgument")]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_permission_error_of_the_cloud_stops_the_run(anonymize, lines, cloud, dlp, workers, tmp_path):
    dlp.fails_on = {"odd": grpc.StatusCode.PERMISSION_DENIED}
    out, source = tmp_path / "out", lines(*TALKS)
    run = anonymize(source, *cloud, "--workers", workers, output=out)
    assert run.code == 1
    assert "tacenda: a detector is unavailable (cloud_dlp: PermissionDenied)" in run.err
    assert "the same command resumes" in run.err
    assert "odd" not in run.err
    assert not (out / "_SUCCESS").exists()
    dlp.fails_on = {}
    assert anonymize(source, *cloud, output=out).code == 0


def test_a_config_that_the_cloud_refuses_is_reported_before_the_run(anonymize, cloud, dlp):
    dlp.failures = [grpc.StatusCode.INVALID_ARGUMENT]
    run = anonymize(TALKS, *cloud)
    assert run.code == 2
    assert "the service rejects the inspect config" in run.err
    assert not run.folder.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *cases(__file__, "test_user_errors_are_one_line"),
        (["--detector", "rules", "--model", str(TINY)], "--model: only applies to --detector model"),
        (["--model", "/no/where"], "model /no/where: no file package.json"),
    ],
)
def test_user_errors_are_one_line(inspect, arguments, message):
    inspect(*arguments).refused(message)


def test_evaluate_knows_the_model(call, lines, tmp_path):
    gold = talk("a", "a@example.com")
    gold["turns"][0]["spans"] = [{"start": 0, "end": 13, "label": "EMAIL_ADDRESS"}]
    for words, recall in (([], 1.0), (MODEL, 0.0)):
        out = tmp_path / "figures.json"
        assert call("evaluate", "--input", lines(gold), "--bootstrap", "0", "--json", out, *words) == 0
        assert json.loads(out.read_text())["total"]["recall"]["value"] == recall
