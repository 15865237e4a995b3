"""Read an earlier output folder, to compare a run with it."""

import hashlib
from collections.abc import Mapping
from typing import Any

from tacenda.pipelines.output.file_verification import read_json
from tacenda.pipelines.output.output_folder import state_there
from tacenda.transforms.releasing.comparison import config_changes, snapshot
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import read_bytes


def compared_with(folder: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest's entry on an earlier run: its snapshot, and how its config differs from this one.

    The hashes of its manifest and statistics say with which state of the folder this run was compared.

    Raises:
        UserError: no run that scored conversations ended there.
    """
    shown = redact_url(folder)
    manifest, statistics = (read_json(folder, name) for name in ("manifest.json", "statistics.json"))
    if manifest is None or state_there(folder) is None:
        raise UserError(f"--compare-to {shown}: no run ended there; name an earlier output folder")
    try:
        earlier = snapshot(manifest, statistics or {})
        return {
            "folder": shown,
            **{
                f"{name}_sha256": hashlib.sha256(read_bytes(f"{folder}/{name}.json")).hexdigest()
                for name in ("manifest", "statistics")
            },
            "earlier": earlier,
            "config": config_changes(manifest["config"], config),
        }
    except (ValueError, KeyError):
        raise UserError(
            f"--compare-to {shown}: no figures of risk there; name a folder that this version's anonymize or "
            "score wrote"
        ) from None
