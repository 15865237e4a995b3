"""Files that describe a corpus to those who train on it: cards, Croissant metadata, the list of its tokens.

They follow from manifest, statistics and table of files, so that they can be made again and compared.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tacenda.pipelines.work.receipts import CORPUS
from tacenda.transforms.reading.heads import first_records
from tacenda.transforms.releasing.dataset_card import (
    CorpusFile,
    added_tokens,
    croissant,
    dataset_card,
    features_of,
)
from tacenda.transforms.releasing.manifest import FILES_FILE
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import exists, remove_file
from tacenda.transforms.storage.locating import FileInfo
from tacenda.transforms.storage.publishing import publish_bytes
from tacenda.transforms.storage.tables import read_columns
from tacenda.transforms.writing.columns import JSON_TEXT, ColumnsError, columns_of

CARD, CROISSANT, TOKENS = "README.md", "croissant.json", "added_tokens.json"
CARDS = (CARD, CROISSANT, TOKENS)
"""They exist if the folder has a corpus that is not held. None lies in ``corpus/``: pandas, Spark and Arrow
read whatever a folder of Parquet holds.
"""


def cards(
    output: str,
    manifest: Mapping[str, Any],
    figures: Mapping[str, Any],
    prepared: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, bytes]:
    """The files by their path in the output folder, whose table of files is written; none of a held corpus.

    ``prepared`` says where files lie that are not yet in their place: by the paths that they will have.
    """
    table = read_columns(f"{output}/{prepared.get(FILES_FILE, FILES_FILE)}", ["path", "sha256", "bytes"])
    files = [CorpusFile(**row) for row in table.to_pylist() if row["path"].startswith(f"{CORPUS}/")]
    if "written" not in manifest or not files:
        return {}
    data: dict[str, Any] = {
        CROISSANT: croissant(manifest, figures, files, _features(output, manifest, files[0], prepared))
    }
    if manifest["totals"]["tokens"]:
        data[TOKENS] = added_tokens(manifest["totals"]["tokens"])
    return {
        CARD: dataset_card(manifest, figures, f"{CORPUS}/").encode(),
        **{
            name: (json.dumps(one, indent=2, ensure_ascii=False) + "\n").encode()
            for name, one in data.items()
        },
    }


def _features(
    output: str, manifest: Mapping[str, Any], first: CorpusFile, prepared: Mapping[str, str]
) -> list[dict[str, Any]] | None:
    """The columns of the corpus; those of JSON lines are what the first records have."""
    known: list[dict[str, Any]] | None = manifest["written"]["features"]
    if known is not None:
        return known
    try:
        url = f"{output}/{prepared.get(first.path, first.path)}"
        schema = columns_of(first_records(FileInfo(url, first.bytes)), ())
        return [one for one in features_of(schema) if one["name"] not in JSON_TEXT]
    except (ColumnsError, UserError, OSError):
        return None  # of a damaged file, verification says more


def write_cards(output: str, manifest: Mapping[str, Any], figures: Mapping[str, Any]) -> None:
    """Write the files that describe the corpus as it now is."""
    for path, data in cards(output, manifest, figures).items():
        publish_bytes(f"{output}/{path}", data)


def remove_cards(output: str) -> None:
    """Remove them, before what they describe changes."""
    for path in CARDS:
        if exists(f"{output}/{path}"):
            remove_file(f"{output}/{path}")
