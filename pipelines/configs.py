"""``tacenda config``: begin a config, check it, and look up what it may say."""

from tacenda.pipelines.command_line.arguments import DETECTING
from tacenda.pipelines.command_line.commands import Use

USES = {
    "init": Use(
        "Write a commented config to start from.",
        "pipelines.reference.starter:write_starter",
        "file init.from context-form",
    ),
    "check": Use(
        "Validate a config and show what it looks for and what it does not.",
        "pipelines.reference.config_in_words:check",
        f"check.config {DETECTING} risk-preset json",
    ),
    "infotypes": Use(
        "List the built-in infoTypes, or export them as a cloud template.",
        "pipelines.reference.info_types:list_info_types",
        "names infotypes.config risk-preset infotypes.json export-inspect-template",
    ),
    "sample": Use(
        "Write sample conversations with gold spans, and matching dictionaries.",
        "pipelines.corpora.sample_corpus:write_sample",
        "sample.conversations new.output sample.seed sample.format workers",
    ),
}


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("config")
