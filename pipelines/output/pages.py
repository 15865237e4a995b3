"""What describes a corpus: the report and, for those who train on it, card, Croissant metadata and its tokens.

They follow from manifest, statistics and table of files, so that they can be made again and compared.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tacenda.pipelines.work.receipts import CORPUS
from tacenda.transforms.reading.heads import first_records
from tacenda.transforms.releasing.dataset_card import added_tokens, croissant, dataset_card, features_of
from tacenda.transforms.releasing.manifest import FILES_FILE
from tacenda.transforms.releasing.report import render
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.locating import FileInfo
from tacenda.transforms.storage.tables import read_columns
from tacenda.transforms.writing.columns import JSON_TEXT, ColumnsError, columns_of

REPORT, CARD, CROISSANT, TOKENS = "report.html", "README.md", "croissant.json", "added_tokens.json"
CARDS = (CARD, CROISSANT, TOKENS)
"""They exist if the folder has a corpus that is not held. None lies in ``corpus/``: pandas, Spark and Arrow
read whatever a folder of Parquet holds.
"""


def pages(
    output: str,
    manifest: Mapping[str, Any],
    figures: Mapping[str, Any],
    prepared: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, bytes]:
    """The files by their path in the output folder, whose table of files is written; no card of a held corpus.

    ``prepared`` says where files lie that are not yet in their place: by the paths that they will have.
    """
    told = {REPORT: render(manifest, figures)}
    table = read_columns(f"{output}/{prepared.get(FILES_FILE, FILES_FILE)}", ["path", "sha256", "bytes"])
    files = [row for row in table.to_pylist() if row["path"].startswith(f"{CORPUS}/")]
    if "written" in manifest and files:
        features = _features(output, manifest, files[0], prepared)
        told[CARD] = dataset_card(manifest, figures, f"{CORPUS}/")
        told[CROISSANT] = _json(croissant(manifest, figures, files, features))
        if tokens := manifest["totals"]["tokens"]:
            told[TOKENS] = _json(added_tokens(tokens))
    return {name: text.encode() for name, text in told.items()}


def _json(data: Any) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _features(
    output: str, manifest: Mapping[str, Any], first: Mapping[str, Any], prepared: Mapping[str, str]
) -> list[dict[str, Any]] | None:
    """The columns of the corpus; those of JSON lines are what the first records have."""
    known: list[dict[str, Any]] | None = manifest["written"]["features"]
    if known is not None:
        return known
    try:
        url = f"{output}/{prepared.get(first['path'], first['path'])}"
        schema = columns_of(first_records(FileInfo(url, first["bytes"])), ())
        return [one for one in features_of(schema) if one["name"] not in JSON_TEXT]
    except (ColumnsError, UserError, OSError):
        return None  # of a damaged file, verification says more
