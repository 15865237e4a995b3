"""A corpus loads as it is, in what people train with."""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main

LOCAL = ("--workers", "1", "--detector", "rules")
FORMATS = ("jsonl", "jsonl.gz", "parquet")

Corpus = Callable[..., Any]


@pytest.fixture
def corpus(tacenda: Any, lines: Callable[..., Path]) -> Corpus:
    """Twelve chats in two parts, written in some format."""

    def run(*words: str) -> Any:
        calls = [
            {
                "conversation_id": f"c{i}",
                "turns": [
                    {"speaker": "Customer", "text": f"Write to u{i}@example.com about garden {i}."},
                    {"speaker": "Agent", "text": "Certainly."},
                ],
            }
            for i in range(12)
        ]
        cut = ("--unit-bytes", "300", "--part-bytes", "900")
        finished = tacenda("anonymize", "--input", lines(*calls), *LOCAL, *cut, *words)
        assert finished.code == 0
        assert len(list((finished.folder / "corpus").iterdir())) > 1
        return finished

    return run


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], Any]:
    """``datasets.load_dataset`` of a folder, without network and with a cache of its own."""
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)

    def load(folder: Path) -> Any:
        return datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))

    return load


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("to", ["conversation", "chat"])
def test_datasets_loads_the_corpus_and_nothing_else(
    corpus: Corpus, load: Callable[[Path], Any], form: str, to: str
) -> None:
    run = corpus("--format", form, "--to", to)
    for folder in (run.folder, run.folder / "corpus"):
        loaded = load(folder)
        assert list(loaded) == ["train"]
        rows = loaded["train"].to_list()
        assert [row["conversation_id"] for row in rows] == [f"c{i}" for i in range(12)]
        assert "[EMAIL_ADDRESS_1]" in json.dumps(rows[0])
    written = run.json("manifest.json")["written"]["features"]
    if written is not None:
        assert load(run.folder)["train"].features._to_yaml_list() == written


@pytest.mark.parametrize("form", FORMATS)
def test_data_frames_read_the_folder(corpus: Corpus, form: str) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    folder = corpus("--format", form).folder / "corpus"
    parts = f"{folder}/part-*"
    if form == "parquet":
        ids = [pandas.read_parquet(folder)["conversation_id"].tolist()]
        ids.append(polars.read_parquet(parts)["conversation_id"].to_list())
        query = f"select conversation_id from read_parquet('{parts}')"
    else:
        frames = [pandas.read_json(part, lines=True) for part in sorted(folder.iterdir())]
        ids = [pandas.concat(frames)["conversation_id"].tolist()]
        ids.append(
            polars.concat(map(polars.read_ndjson, sorted(folder.iterdir())))["conversation_id"].to_list()
        )
        query = f"select conversation_id from read_json('{parts}', format='newline_delimited')"
    ids.append([row[0] for row in duckdb.sql(query).fetchall()])
    assert [sorted(one) for one in ids] == [sorted(f"c{i}" for i in range(12))] * 3


SAID = [{"role": "user", "content": "Write to ann@example.com."}]
ANSWERED = [{"role": "assistant", "content": "I write to ann@example.com."}]
MAILING = {"type": "function", "function": {"name": "mail", "description": "Send it.", "parameters": {}}}
CALLED = [
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {"type": "function", "function": {"name": "mail", "arguments": {"to": "ann@example.com"}}}
        ],
    },
    {"role": "tool", "name": "mail", "content": "sent to ann@example.com"},
]
TRAINED: dict[str, dict[str, Any]] = {
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
def tokenizer() -> Any:
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
def trained(tacenda: Any, lines: Callable[..., Path], load: Callable[[Path], Any]) -> Callable[[str], Any]:
    """Rows of one kind, anonymised, as ``datasets`` loads them."""

    def run(kind: str) -> Any:
        finished = tacenda("anonymize", "--input", lines(*[TRAINED[kind]] * 3), *LOCAL)
        assert finished.code == 0
        return load(finished.folder)["train"]

    return run


@pytest.mark.slow
@needs_trl
@pytest.mark.parametrize("kind", TRAINED)
def test_trl_formats_the_rows(trained: Callable[[str], Any], tokenizer: Any, kind: str) -> None:
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
@pytest.mark.parametrize("kind", ["chat", "tools", "prompt and completion", "texts"])
def test_trl_trains_on_the_rows(
    trained: Callable[[str], Any], tokenizer: Any, kind: str, tmp_path: Path
) -> None:
    """A step of its trainer, with the smallest model."""
    import transformers
    from trl import SFTConfig, SFTTrainer

    sizes = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(vocab_size=len(tokenizer), **sizes))
    arguments = SFTConfig(str(tmp_path / "run"), max_steps=1, use_cpu=True, bf16=False, report_to=[])
    trainer = SFTTrainer(model, arguments, train_dataset=trained(kind), processing_class=tokenizer)
    assert trainer.train_dataset.num_rows == 3
    assert trainer.train().global_step == 1


@pytest.mark.slow
@needs_trl
def test_placeholders_are_left_out_of_the_loss(
    trained: Callable[[str], Any], tokenizer: Any, tmp_path: Path
) -> None:
    import transformers
    from trl import SFTConfig, SFTTrainer

    example = Path(__file__).parents[2] / "docs/examples/masked_loss.py"
    spec = importlib.util.spec_from_file_location("masked_loss", example)
    assert spec is not None
    assert spec.loader is not None
    masked_loss = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(masked_loss)
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


@pytest.mark.parametrize("form", FORMATS)
def test_croissant_describes_the_turns(corpus: Corpus, form: str) -> None:
    told = corpus("--format", form).json("croissant.json")
    (records,) = told["recordSet"]
    (turns,) = (field for field in records["field"] if field.get("repeated"))
    assert turns["@id"] == "rows/turns"
    assert {field["@id"]: field["source"]["transform"] for field in turns["subField"]} == {
        "rows/turns/speaker": {"jsonPath": "speaker"},
        "rows/turns/text": {"jsonPath": "text"},
    }
    assert told["distribution"][-1]["includes"] == [f"corpus/*.{form}"]


@pytest.mark.parametrize("form", FORMATS)
def test_croissant_is_valid_and_loads(corpus: Corpus, form: str) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
    run = corpus("--format", form)
    dataset = mlcroissant.Dataset(jsonld=str(run.folder / "croissant.json"))
    metadata = dataset.metadata
    assert not metadata.ctx.issues.errors
    files = {one.id: one.sha256 for one in metadata.distribution if one.id.startswith("corpus/")}
    assert files == {path: told for path, told in run.hashes().items() if path.startswith("corpus/")}
    assert "EMAIL_ADDRESS" in str(metadata.personal_sensitive_information)
    assert metadata.data_limitations
    texts = [
        turn["rows/turns/text"].decode() for row in dataset.records("rows") for turn in row["rows/turns"]
    ]
    assert texts == [turn["text"] for row in run.corpus() for turn in row["turns"]]


def test_croissant_leaves_out_what_no_loader_reads(tacenda: Any, lines: Callable[..., Path]) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    said = [
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
    ]
    tools = [{"type": "function", "function": {"name": "look_up", "parameters": {"type": "object"}}}]
    run = tacenda("anonymize", "--input", lines({"messages": said, "tools": tools}), *LOCAL)
    (records,) = run.json("croissant.json")["recordSet"]
    (messages,) = records["field"]
    assert [field["name"] for field in messages["subField"]] == [
        "rows/messages/role",
        "rows/messages/content",
    ]
    mixed = [
        {"role": "user", "content": [{"type": "text", "text": "Hello."}]},
        {"role": "user", "content": "Hi."},
    ]
    run = tacenda("anonymize", "--input", lines({"messages": mixed}), *LOCAL)
    assert "recordSet" not in run.json("croissant.json")


def test_the_tokens_are_those_of_the_corpus(corpus: Corpus) -> None:
    run = corpus()
    assert run.json("added_tokens.json") == ["[EMAIL_ADDRESS_1]"]
    assert run.json("manifest.json")["totals"]["tokens"] == {"[EMAIL_ADDRESS_1]": 12}


def test_cards_are_verified(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    run = corpus()
    assert cli_main(cli.run, ["verify", str(run.folder)]) == 0
    card = run.folder / "README.md"
    card.write_text(card.read_text().replace("Anonymised", "Original"))
    (run.folder / "croissant.json").unlink()
    capsys.readouterr()
    assert cli_main(cli.run, ["verify", str(run.folder)]) != 0
    said = capsys.readouterr().out
    assert "README.md is not the one" in said
    assert "croissant.json is not there" in said


def test_a_held_corpus_has_no_cards(tacenda: Any, lines: Callable[..., Path], tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("risk: {threshold: 1}\n")
    turn = {"speaker": "Agent", "text": "Hello.", "spans": [{"start": 0, "end": 5, "label": "PERSON_NAME"}]}
    source = lines({"conversation_id": "c", "turns": [turn]})
    run = tacenda("anonymize", "--input", source, *LOCAL, "--config", config)
    assert run.code == 3
    assert not {"README.md", "croissant.json", "added_tokens.json"} & set(run.files())
