"""What a corpus is written as: formats, conversions and splits, and what people train with loads each of them.

All hold the same, and are verified, reviewed and released alike.
"""

import importlib.util
import json
import random
import re
import runpy
from collections import defaultdict
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines.work import receipts
from tacenda.pipelines.work import unit_job as part_job
from tests.cases import cases, tabled
from tests.end_to_end.conftest import Run
from tests.folders import files_in
from tests.halting import EndedError
from tests.talks import talk

EXPORTS = Path(__file__).parents[1] / "unit/shapes/exports"
ALONE = ("--workers", "1")
SLOW = partial(pytest.param, marks=pytest.mark.slow)
FORMATS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet")
NAMED = {"spans": [{"start": 0, "end": 12, "label": "PERSON_NAME"}]}


def _calls(count=45):
    def turns(number):
        said = f"Write to u{number}@example.com about garden {number}."
        return [{"speaker": "Customer", "text": said}, {"speaker": "Agent", "text": "Certainly."}]

    return [{"conversation_id": f"c{i}", "context": "sales", "turns": turns(i)} for i in range(count)]


def _turn_rows(calls):
    of = [({"conversation_id": call["conversation_id"]}, enumerate(call["turns"])) for call in calls]
    return [{**call, "turn_index": i, **turn} for call, turns in of for i, turn in turns]


def _table(path, records):
    pq.write_table(pa.Table.from_pylist(records), path)
    return path


@pytest.mark.parametrize("path", sorted(EXPORTS.iterdir()), ids=lambda path: path.name)
def test_every_export_is_anonymised(tacenda, call, path):
    run = tacenda("anonymize", "--input", path, *ALONE)
    assert (run.code, run.rows()["balanced"], run.rows()["quarantined"]) == (0, True, 0)
    assert not re.search("Noor|Haddad|Priya|0018|@ex", json.dumps(run.corpus()))
    assert call("verify", run.folder) == 0


@pytest.mark.parametrize("records", [_calls(), _turn_rows(_calls(5))], ids=["conversation", "turns"])
@pytest.mark.parametrize("of_tables", [False, SLOW(True)])
def test_every_format_has_the_same_content(anonymize, call, tmp_path, records, of_tables):
    source = _table(tmp_path / "in.parquet", records) if of_tables else records
    default = anonymize(source, *ALONE)
    for form in FORMATS[: 3 + of_tables]:
        run = anonymize(source, *ALONE, "--format", form, "--unit-bytes", 900)
        assert run.code == default.code == 0
        assert {path.name.partition(".")[2] for path in (run.folder / "corpus").glob("part-*")} == {form}
        assert sorted(map(str, run.corpus())) == sorted(map(str, default.corpus()))
        assert call("verify", run.folder) == 0


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize("to", ["chat", "conversation"])
def test_a_converted_corpus_is_reviewed_and_released(anonymize, call, reviewed, to, form):
    run = anonymize(_calls(), *ALONE, "--to", to, "--format", form)
    assert run.code == 0
    first = run.corpus()[0]
    assert first["conversation_id"] == "c0"
    assert "Write to [EMAIL_ADDRESS_1] about garden 0." in json.dumps(first)
    assert reviewed(run.folder, "--read", 45) == 0
    assert run.state == "released"
    assert call("verify", run.folder) == 0


def test_a_label_that_is_a_role_stays_on_request(anonymize):
    turns = [{"speaker": "Zookeeper", "text": "I feed the lions, as every Zookeeper does."}]
    record = {"conversation_id": "x", "turns": turns}
    assert anonymize([record]).corpus()[0]["turns"][0]["speaker"] == "[PERSON_NAME_1]"
    assert anonymize([record], "--role", "zookeeper").corpus()[0]["turns"] == turns


def test_subtitles_come_out_in_their_own_form_on_request(anonymize):
    (written,) = anonymize(EXPORTS / "subtitles.vtt", *ALONE, "--to", "source").corpus()
    assert written["text"] == (
        "WEBVTT\n\n00:00:00.000 --> 00:00:02.500 align:start\n"
        "<v [PERSON_NAME_1]>Hello, I am [PERSON_NAME_1].</v>\n\n"
        "c3f2/12-0\n00:00:03.000 --> 00:00:04.000\n<v [PERSON_NAME_2]>Hello [PERSON_NAME_1].</v>\n"
    )


def test_a_held_corpus_has_the_format_but_no_cards(anonymize, call):
    """Nothing of it is shown to what loads the folder."""
    held = [{**call, "turns": [{**call["turns"][0], **NAMED}]} for call in _calls(3)]
    told = {"output": {"format": "parquet", "to": "chat"}, "risk": {"threshold": 1}}
    run = anonymize(held, config=told)
    assert run.state == "held"
    assert [path.name for path in (run.folder / ".held").iterdir()] == ["part-00000.parquet"]
    assert len(run.corpus()) == 3
    assert not {"README.md", "added_tokens.json"} & set(run.files())
    assert call("verify", run.folder) == 0


@tabled("words", "said")
def test_user_errors_are_one_line(anonymize, words, said):
    anonymize(_calls(1), *ALONE, *words).refused(said)


# Splits: equal texts and people on one side.

HALVES = ("--split", "train=.5,validation=.5")
_SUBJECTS = ["garden", "invoice", "printer", "holiday", "contract", "bicycle", "kitchen", "server"]
_VERBS = ["clean", "open", "check", "move", "sell", "close", "paint", "repair"]
_THINGS = [
    f"{one}{other}" for one in _SUBJECTS for other in ("door", "light", "book", "lock", "shelf", "plan")
]


def _copied_calls(count):
    """Each call has a copy with another address, far from it in the file."""
    draw = random.Random(11)

    def sentence():
        pieces = (
            f"{draw.choice(_VERBS)} {draw.choice(_THINGS)} beside {draw.choice(_THINGS)}" for _ in range(8)
        )
        return f"Please {' and '.join(pieces)}."

    calls, copies = [], []
    for i in range(count):
        said, answer = f"{sentence()} Write to {{}}. {sentence()}", sentence()
        for of, name, mail in ((calls, "c", f"u{i}@example.com"), (copies, "d", "somebody.else@example.org")):
            turns = [{"speaker": "Customer", "text": said.format(mail)}, {"speaker": "Agent", "text": answer}]
            of.append({"conversation_id": f"{name}{i}", "turns": turns})
        calls[-1]["customer"] = f"P-{i % 7}" if i % 3 == 0 else None
    return calls + copies


def _sides(folder):
    found = {}
    for place in sorted((folder / "corpus").iterdir()):
        for row in Run(0, place.parent, "", "")._rows(place.name):
            assert found.setdefault(row["conversation_id"], place.name) == place.name
            assert "customer" not in row
    return found


@pytest.mark.parametrize("more", [(), ("--to", "conversation", "--format", "parquet"), ("--to", "chat")])
def test_equal_texts_are_on_one_side(anonymize, call, more):
    run = anonymize(_copied_calls(30), *HALVES, *more)
    assert run.code == 0
    sides = _sides(run.folder)
    assert len(sides) == 60
    assert all(sides[f"c{i}"] == sides[f"d{i}"] for i in range(30))
    told = run.manifest["split"]
    assert told["conversations"] == {
        name: list(sides.values()).count(name) for name in ("train", "validation")
    }
    assert min(told["conversations"].values()) > 10
    assert f"split          train {told['conversations']['train']}" in run.out
    assert call("verify", run.folder) == 0


def test_a_person_is_on_one_side(anonymize, tmp_path):
    """In records and columns; what is read for the split is not written, and the summary says so."""
    calls = _copied_calls(30)
    for source in (calls, _table(tmp_path / "in.parquet", calls)):
        run = anonymize(source, *HALVES, "--split-by", "customer")
        sides, of = _sides(run.folder), defaultdict(set)
        for one in calls:
            of[one.get("customer")].add(sides[one["conversation_id"]])
        assert of.pop(None) == set(sides.values()) == {"train", "validation"}
        assert [len(one) for one in of.values()] == [1] * 7
        assert "customer" in run.manifest["fields"]["dropped"]
        anonymize(source, *HALVES, "--split-by", "custommer").refused("--split-by custommer: ")


def test_a_dropped_or_quarantined_conversation_is_in_no_split(anonymize):
    calls = _copied_calls(10)
    calls[0]["turns"][0].update(NAMED)
    run = anonymize([*calls, talk("bad", 7)], *HALVES, "--drop-over", "2")
    rows = run.rows()
    assert (rows["in"], rows["out"], rows["quarantined"], rows["dropped"]) == (21, 19, 1, 1)
    assert len(_sides(run.folder)) == 19


def test_turn_rows_are_split_by_conversation(anonymize):
    run = anonymize(_turn_rows(_copied_calls(10)), *HALVES)
    assert run.code == 0
    sides = _sides(run.folder)
    assert len(sides) == 20
    assert all(sides[f"c{i}"] == sides[f"d{i}"] for i in range(10))


def test_a_split_corpus_is_held_reviewed_and_verified(anonymize, call, reviewed, tmp_path):
    """Held, it shows nothing to loaders."""
    told = {
        "risk": {"threshold": 1, "least_conversations": 1},
        "output": {"split": {"train": 0.5, "test": 0.5}},
    }
    calls = _copied_calls(6)
    run = anonymize(calls, config=told)
    assert run.code == 0
    reviewed(run.folder, "--read", 3)
    assert call("verify", run.folder) == 0
    calls[0]["turns"][0].update(NAMED)
    run = anonymize(calls, config=told)
    assert run.state == "held"
    shown = [path.relative_to(run.folder).parts for path in run.folder.rglob("*.jsonl*")]
    assert {parts[:2] for parts in shown if parts[0] != "quarantine"} == {
        (".held", "train"),
        (".held", "test"),
    }
    datasets = pytest.importorskip("datasets", reason="loads the folder as users do")
    with pytest.raises(Exception) as caught:
        datasets.load_dataset(str(run.folder), cache_dir=str(tmp_path / "cache"), split="train")
    assert "Please" not in str(caught.value)


@pytest.mark.parametrize(
    ("where", "step"), [(receipts, "save_part"), SLOW(part_job, "assemble"), SLOW(receipts, "remove_staged")]
)
@pytest.mark.parametrize("finished", [1, *map(SLOW, (0, 3))])
def test_a_run_that_ends_while_parts_are_written_resumes_to_the_same_split(
    anonymize, lines, tmp_path, monkeypatch, where, step, finished
):
    words = (lines(*_copied_calls(20)), *ALONE, *HALVES, "--unit-bytes", "3000", "--part-bytes", "9000")
    whole, folder = anonymize(*words), tmp_path / "ended"
    assert len(list((whole.folder / "risk").iterdir())) > 3
    with monkeypatch.context() as patched:
        patched.setattr(where, step, _ending_after(finished, getattr(where, step)))
        with pytest.raises(EndedError):
            anonymize(*words, output=folder)
    assert not (folder / "manifest.json").exists()
    assert anonymize(*words, output=folder).code == 0
    assert files_in(folder) == whole.files()


def _ending_after(finished, step):
    left = iter(range(finished))

    def do_or_end(*given, **named):
        if next(left, None) is None:
            raise EndedError
        return step(*given, **named)

    return do_or_end


def test_input_with_splits_keeps_them(anonymize, tmp_path):
    schema = pa.schema([("text", pa.string())])
    for name in ("train", "test"):
        (tmp_path / "set" / name).mkdir(parents=True)
        with pa.ipc.new_stream(tmp_path / "set" / name / "data.arrow", schema) as sink:
            sink.write_table(pa.table({"text": ["Hello there."]}))
    anonymize(tmp_path / "set", *HALVES).refused("--split: the input has splits")
    run = anonymize(tmp_path / "set")
    assert run.manifest["written"]["splits"] == {"test": "part-*-test", "train": "part-*-train"}
    assert "split: test" in (run.folder / "README.md").read_text()


# What people train with.


@pytest.fixture
def corpus(anonymize):
    """Twelve chats in two parts or more, written in some format."""

    def run(*words):
        finished = anonymize(_calls(12), *ALONE, "--unit-bytes", "300", "--part-bytes", "900", *words)
        assert finished.code == 0
        assert len(list((finished.folder / "corpus").iterdir())) > 1
        return finished

    return run


@pytest.fixture
def load(tmp_path, monkeypatch):
    """``datasets.load_dataset`` of a folder, without network and with a cache of its own."""
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    return lambda folder: datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("to", ["conversation", "chat"])
def test_datasets_loads_the_corpus_and_nothing_else(corpus, load, form, to):
    run = corpus("--format", form, "--to", to)
    for folder in (run.folder, run.folder / "corpus"):
        loaded = load(folder)
        assert list(loaded) == ["train"]
        rows = loaded["train"].to_list()
        assert [row["conversation_id"] for row in rows] == [f"c{i}" for i in range(12)]
        assert "[EMAIL_ADDRESS_1]" in json.dumps(rows[0])
    written = run.manifest["written"]["features"]
    if written is not None:
        assert load(run.folder)["train"].features._to_yaml_list() == written


@pytest.mark.slow
def test_datasets_finds_the_splits(anonymize, load):
    run = anonymize(_copied_calls(20), "--split", "train=.6,validation=.3,test=.1")
    for folder in (run.folder, run.folder / "corpus"):
        found = {name: rows.num_rows for name, rows in load(folder).items()}
        assert found == run.manifest["split"]["conversations"]


@pytest.mark.parametrize("form", ["jsonl", "jsonl.gz", "parquet"])
def test_data_frames_read_the_folder(corpus, form):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    run = corpus("--format", form, *["--to", "chat"] * (form == "parquet"))
    folder = run.folder / "corpus"
    parts, files = f"{folder}/part-*", sorted(folder.iterdir())
    if form == "parquet":
        frames = [pandas.read_parquet(folder), polars.read_parquet(parts)]
        query = f"select conversation_id from read_parquet('{parts}')"
    else:
        frames = [pandas.concat(pandas.read_json(part, lines=True) for part in files)]
        frames.append(polars.concat(map(polars.read_ndjson, files)))
        query = f"select conversation_id from read_json('{parts}', format='newline_delimited')"
    ids = [list(frame["conversation_id"]) for frame in frames]
    ids.append([row[0] for row in duckdb.sql(query).fetchall()])
    assert [sorted(one) for one in ids] == [sorted(f"c{i}" for i in range(12))] * 3


def test_cards_and_tokens_are_those_of_the_corpus_and_verified(corpus, call, capsys):
    run = corpus()
    assert run.json("added_tokens.json") == ["[EMAIL_ADDRESS_1]"]
    assert run.manifest["totals"]["tokens"] == {"[EMAIL_ADDRESS_1]": 12}
    assert call("verify", run.folder) == 0
    card = run.folder / "README.md"
    card.write_text(card.read_text().replace("Anonymised", "Original"))
    (run.folder / "added_tokens.json").unlink()
    assert call("verify", run.folder) == 3
    said = capsys.readouterr().out
    assert "README.md is not the one" in said
    assert "added_tokens.json is not there" in said


SAID = [{"role": "user", "content": "Write to ann@example.com."}]
ANSWERED = [{"role": "assistant", "content": "I write to ann@example.com."}]
MAILING = {"type": "function", "function": {"name": "mail", "description": "Send it.", "parameters": {}}}
CALLED = cases(__file__, "called")
TRAINED = {
    "chat": {"messages": [*SAID, *ANSWERED]},
    "tools": {"messages": [*SAID, *CALLED, *ANSWERED], "tools": [MAILING]},
    "prompt and completion": {"prompt": SAID, "completion": ANSWERED},
    "KTO": {"prompt": SAID, "completion": ANSWERED, "label": True},
    "DPO": {"prompt": SAID, "chosen": ANSWERED, "rejected": ANSWERED},
    "DPO with the prompt in both": {"chosen": [*SAID, *ANSWERED], "rejected": [*SAID, *ANSWERED]},
    "texts": {"prompt": "Mail ann@example.com", "completion": " I mail ann@example.com"},
}
TEMPLATE = (
    "{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}<{{ m.role }}>{{ m.content }}"
    "{% for c in m.tool_calls or [] %}{{ c.function.name }}({{ c.function.arguments | tojson }}){% endfor %}"
    "{{ eos_token }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
)
needs_trl = pytest.mark.skipif(
    not (importlib.util.find_spec("trl") and importlib.util.find_spec("transformers")),
    reason="TRL, which needs torch and transformers, is not installed",
)


@pytest.fixture
def tokenizer():
    """One of six words, so that nothing is downloaded."""
    tokenizers = pytest.importorskip("tokenizers")
    transformers = pytest.importorskip("transformers")
    words = ["[UNK]", "[PAD]", "[EOS]", "user", "assistant", "mail"]
    model = tokenizers.models.WordLevel({word: i for i, word in enumerate(words)}, "[UNK]")
    known = tokenizers.Tokenizer(model)
    known.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    special = {"unk_token": "[UNK]", "pad_token": "[PAD]", "eos_token": "[EOS]"}
    made = transformers.PreTrainedTokenizerFast(tokenizer_object=known, **special)
    made.chat_template = TEMPLATE
    return made


@pytest.fixture
def trained(anonymize, load):
    """Rows of one kind, anonymised, as ``datasets`` loads them."""

    def run(kind):
        finished = anonymize([TRAINED[kind]] * 3)
        assert finished.code == 0
        return load(finished.folder)["train"]

    return run


@pytest.mark.slow
@needs_trl
@pytest.mark.parametrize("kind", TRAINED)
def test_trl_formats_the_rows(trained, tokenizer, kind):
    from trl import data_utils

    rows = trained(kind).map(data_utils.maybe_extract_prompt)
    if "rejected" in rows.column_names:
        pairs = data_utils.maybe_unpair_preference_dataset(rows)
        assert sorted(pairs["label"]) == [False] * 3 + [True] * 3
    assert data_utils.is_conversational(rows[0]) == (kind != "texts")
    written = data_utils.maybe_apply_chat_template(rows[0], tokenizer, rows[0].get("tools"))
    said = {name: text for name, text in written.items() if isinstance(text, str)}
    assert all("[EMAIL_ADDRESS_1]" in text and "ann@" not in text for text in said.values())
    if kind == "tools":
        assert 'mail({"to": "[EMAIL_ADDRESS_1]"})' in said["text"]
        assert said["text"].startswith('[{"')


@pytest.mark.slow
@needs_trl
def test_placeholders_are_left_out_of_the_loss(trained, tokenizer, tmp_path):
    import transformers
    from trl import SFTConfig, SFTTrainer

    example = Path(__file__).parents[2] / "docs/examples/masked_loss.py"
    masked_loss = SimpleNamespace(**runpy.run_path(str(example)))
    tokenizer.add_tokens(["[EMAIL_ADDRESS_1]"])
    placeholder = tokenizer.convert_tokens_to_ids("[EMAIL_ADDRESS_1]")
    sizes = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(vocab_size=len(tokenizer), **sizes))
    arguments = SFTConfig(str(tmp_path / "run"), max_steps=1, use_cpu=True, bf16=False, report_to=[])
    trainer = SFTTrainer(model, arguments, train_dataset=trained("chat"), processing_class=tokenizer)
    trainer.data_collator = masked_loss.WithoutPlaceholders(trainer.data_collator, [placeholder])
    (batch,) = trainer.get_train_dataloader()
    assert (batch["input_ids"] == placeholder).sum() == 6
    assert (batch["labels"] == placeholder).sum() == 0
    assert (batch["labels"] != masked_loss.IGNORED).any()
    assert trainer.train().global_step == 1
