"""Config: what to look for, with which detectors, and how to score what is left."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tacenda.pipelines.config.document import ConfigDocument


@dataclass(frozen=True, slots=True)
class Config:
    """A config with a choice of detectors, like the options ``--config``, ``--detector`` and ``--model``.

    Create one with :meth:`load`; ``Config()`` has all defaults. It can be pickled.

    Attributes:
        document: what was read: ``inspect``, ``deidentify``, ``models``, ``risk``, ``output`` and others; None
            for defaults.
        detectors: any of ``rules``, ``gazetteer``, ``model`` and ``cloud_dlp``; None for rules and model.
        models: folders of model packages; empty for the embedded one.
        dlp_project: the Google Cloud project for Cloud DLP.
        dlp_location: its location; None for ``global``.
        dlp_endpoint: its host, if not the global one.
    """

    document: ConfigDocument | None = field(default=None, repr=False)
    detectors: tuple[str, ...] | None = None
    models: tuple[str, ...] = ()
    dlp_project: str | None = None
    dlp_location: str | None = None
    dlp_endpoint: str | None = None

    @classmethod
    def load(
        cls,
        source: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        *,
        detectors: tuple[str, ...] | list[str] | None = None,
        models: tuple[str, ...] | list[str] = (),
        dlp_project: str | None = None,
        dlp_location: str | None = None,
        dlp_endpoint: str | None = None,
    ) -> Config:
        """Read a config.

        ``source`` is the path or URL of a YAML or JSON file (or of a Cloud DLP template), or its content as a
        mapping; None for defaults. The others are the attributes of the same names.

        Raises:
            UserError: it cannot be read or is invalid; the message gives file, line and remedy. Settings are
                validated in full when the config is used.

        Example:
            >>> addresses = {"inspect": {"info_types": [{"name": "EMAIL_ADDRESS"}]}}
            >>> config = Config.load(addresses, detectors=["rules"])
            >>> config.detectors
            ('rules',)
        """
        from tacenda.pipelines.config.document import config_of, load_config

        if isinstance(source, Mapping):
            document = config_of(source)
        else:
            document = load_config(None if source is None else os.fspath(source), "config")
        chosen = None if detectors is None else tuple(detectors)
        return cls(document, chosen, tuple(models), dlp_project, dlp_location, dlp_endpoint)
