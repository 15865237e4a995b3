"""Turn a public Config into the settings of a chain."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tacenda.config import Config
from tacenda.pipelines.chain.build import check_detectors
from tacenda.pipelines.config.detectors import DETECTORS
from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.job_settings import ChainSettings, Command
from tacenda.pipelines.config.output import label_rules
from tacenda.pipelines.startup.run_config import run_config
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.labels import LabelRules
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.files import absolute

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
    given = ReadOptions() if reading is None else reading
    same = {name: getattr(config, name) for name in ("dlp_project", "dlp_location", "dlp_endpoint")}
    same |= {"keep": list(given.keep), "opaque": given.opaque.items()}
    arguments = argparse.Namespace(detector=config.detectors, model=config.models, **same)
    asked = run_config(command, config.document or ConfigDocument("defaults"), arguments)
    settings = asked.chain(command, tuple(map(absolute, spans)), reviewed)
    if command != "score":
        check_detectors(settings.detecting)
    options = replace(given, keep=asked.output.kept(), opaque=asked.output.opaque)
    return PreparedSettings(settings, options, label_rules(command, asked.output, rejecting=True))
