"""Enter figures that were measured on a finished corpus into its manifest and report."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tacenda.pipelines.output.anonymized_folder import AnonymizedFolder
from tacenda.pipelines.output.conclusion import publish_bytes, publish_json
from tacenda.pipelines.output.review_binding import refuse_untrue
from tacenda.pipelines.output.signing import SigningKey, sign, signing_key
from tacenda.pipelines.output.verification import report_again
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import read_bytes


def prepare_entering(
    folder: AnonymizedFolder, key_file: str | None
) -> Callable[[str, Mapping[str, Any]], None]:
    """Check that figures can be entered; call this before they are measured.

    The result writes figures as an entry of the manifest, and into the report; later ones replace earlier ones.
    It raises UserError if the folder was changed in the meantime.

    Raises:
        UserError: the folder is not what its run wrote, or it was signed and the key is missing.
    """
    key = signing_key(key_file, folder.output)
    refuse_untrue(folder)
    return partial(_enter, folder, key)


def _enter(folder: AnonymizedFolder, key: SigningKey | None, entry: str, figures: Mapping[str, Any]) -> None:
    if json.loads(read_bytes(f"{folder.output}/manifest.json")) != folder.manifest:
        raise UserError(f"{redact_url(folder.output)}: was changed while it was measured; measure it again")
    manifest = {**folder.manifest, entry: figures}
    page = report_again(folder.output, manifest)
    publish_json(f"{folder.output}/manifest.json", manifest)
    publish_bytes(f"{folder.output}/report.html", page.encode())
    sign(folder.output, key)
