"""Enter figures that were measured on a finished corpus into its manifest and report."""

from collections.abc import Mapping
from typing import Any

from tacenda.pipelines.output.anonymized_folder import AnonymizedFolder
from tacenda.pipelines.output.conclusion import publish_bytes, publish_json
from tacenda.pipelines.output.review_binding import refuse_untrue
from tacenda.pipelines.output.signing import sign, signing_key
from tacenda.pipelines.output.verification import report_again


def enter(folder: AnonymizedFolder, entry: str, figures: Mapping[str, Any], key_file: str | None) -> None:
    """Write the figures as an entry of the manifest, and into the report; later ones replace earlier ones.

    Raises:
        UserError: the folder is not what its run wrote, or it was signed and the key is missing.
    """
    key = signing_key(key_file, folder.output)
    refuse_untrue(folder)
    manifest = {**folder.manifest, entry: figures}
    page = report_again(folder.output, manifest)
    publish_json(f"{folder.output}/manifest.json", manifest)
    publish_bytes(f"{folder.output}/report.html", page.encode())
    sign(folder.output, key)
