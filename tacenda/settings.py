"""Turn a public Config into the settings of a chain, with messages for Python users."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from tacenda.config import Config
from tacenda.pipelines.chain.build import check_detectors
from tacenda.pipelines.config.detectors import DETECTORS
from tacenda.pipelines.config.document import ConfigDocument, Place
from tacenda.pipelines.config.job_settings import ChainSettings, Command
from tacenda.pipelines.config.output import label_rules
from tacenda.pipelines.startup.run_config import run_config
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.labels import LabelRules
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.files import absolute

_OPTION = re.compile(r"--([a-z][a-z-]*)")

AnyConfig = Config | str | os.PathLike[str] | Mapping[str, Any] | None


def config_of(config: AnyConfig) -> Config:
    """The config, loaded if it is given by path or content."""
    return config if isinstance(config, Config) else Config.load(config)


class PreparedSettings(NamedTuple):
    """Settings of the chain, reading options, and rules on ids and contexts."""

    chain: ChainSettings
    reading: ReadOptions
    labels: LabelRules


def settings_of(
    config: AnyConfig,
    command: Command,
    reading: ReadOptions | None = None,
    spans: Sequence[str] = (),
    reviewed: bool = False,
) -> PreparedSettings:
    """Validate a config as a whole, with its models and services, and merge its fields into the reading
    options.

    Raises:
        UserError: a setting is invalid, or a detector cannot be used.
    """
    config = config_of(config)
    if unknown := {*(config.detectors or ())} - {*DETECTORS}:
        raise UserError(f"detectors: there is no '{min(unknown)}'; choose from {', '.join(DETECTORS)}")
    places = {setting: Place(*place) for setting, place in config.places.items()}
    document = ConfigDocument(config.name, dict(config.sections), places)
    given = ReadOptions() if reading is None else reading
    same = {name: getattr(config, name) for name in ("dlp_project", "dlp_location", "dlp_endpoint")}
    same |= {"keep": list(given.keep), "opaque": given.opaque.items()}
    arguments = argparse.Namespace(detector=config.detectors, model=config.models, **same)
    with words_of_python():
        asked = run_config(command, document, arguments)
        settings = asked.chain(command, tuple(map(absolute, spans)), reviewed)
        if command != "score":
            check_detectors(settings.detecting)
        options = replace(given, keep=asked.output.kept(), opaque=asked.output.opaque)
        labels = label_rules(command, asked.output, rejecting=True)
    return PreparedSettings(settings, options, labels)


@contextmanager
def words_of_python() -> Iterator[None]:
    """Rewrite options in messages as arguments: ``dlp_project`` for ``--dlp-project``."""
    try:
        yield
    except UserError as error:
        raise UserError(_OPTION.sub(lambda found: found[1].replace("-", "_"), str(error))) from None
