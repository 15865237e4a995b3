"""Sign output folders with a key that only this process reads, and check the signatures.

The workers of a cluster never see the key: the folder is signed when the command sees the run ended. If it is
stopped before, the same command signs when it is run again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tacenda.pipelines.output.conclusion import publish_bytes
from tacenda.transforms.releasing.history import (
    HISTORY_FILE,
    KeyFormatError,
    entries_of,
    manifests_of,
    public_key_of,
    read_public_key,
    with_entry,
    wrong_entries,
)
from tacenda.transforms.replacing.keys import KeyReference
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import exists, read_bytes

_OPTION = "--signing-key"
_MAKE_ONE = "make one with: openssl genpkey -algorithm ed25519"
_GET_PUBLIC_KEY = "get it with: openssl pkey -in KEY -pubout"


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key that was read and found usable."""

    pem: bytes = field(repr=False)


def signing_key(place: str | None, output: str) -> SigningKey | None:
    """Read the key that was asked for; call this before any work.

    Raises:
        UserError: it cannot be read or is no such key, or the folder has a signed history and no key is given.
    """
    if place is None:
        if exists(f"{output}/{HISTORY_FILE}"):
            raise UserError(
                f"{redact_url(output)}: has a signed history, which every change continues; add {_OPTION} KEY"
            )
        return None
    try:
        reference = KeyReference(place)
        pem = reference.read(_MAKE_ONE)
        public_key_of(pem)
    except UserError as error:
        raise UserError(f"{_OPTION}: {error}") from None
    except KeyFormatError:
        raise UserError(f"{_OPTION}: {reference}: is no Ed25519 key in PEM; {_MAKE_ONE}") from None
    return SigningKey(pem)


def sign(output: str, key: SigningKey | None) -> None:
    """Add an entry for the manifest of a finished folder to its history, unless it is there already.

    Raises:
        UserError: the history is not intact.
    """
    if key is None:
        return
    url = f"{output}/{HISTORY_FILE}"
    before = read_bytes(url) if exists(url) else b""
    try:
        after = with_entry(before, read_bytes(f"{output}/manifest.json"), key.pem)
    except ValueError:
        raise UserError(
            f"{redact_url(url)}: is not intact, so nothing was added; 'tacenda verify' has the details"
        ) from None
    if after != before:
        publish_bytes(url, after)


def trusted_key(place: str | None) -> str | None:
    """Read the public key by which to check signatures.

    Raises:
        UserError: it cannot be read or is no such key.
    """
    if place is None:
        return None
    try:
        reference = KeyReference(place)
        return read_public_key(reference.read(_GET_PUBLIC_KEY))
    except UserError as error:
        raise UserError(f"--public-key: {error}") from None
    except KeyFormatError:
        raise UserError(
            f"--public-key: {reference}: is no Ed25519 public key in PEM; {_GET_PUBLIC_KEY}"
        ) from None


def signed_manifests(output: str) -> list[str]:
    """The SHA-256 of the manifests in the history of a folder; none if it has none or one that is damaged."""
    url = f"{output}/{HISTORY_FILE}"
    return list(manifests_of(read_bytes(url))) if exists(url) else []


def wrong_history(output: str, trusted: str | None) -> tuple[Iterator[str], str] | None:
    """What is wrong with the history of a folder, and what it has; None if it has none and none is wanted."""
    url = f"{output}/{HISTORY_FILE}"
    if not exists(url):
        return None if trusted is None else (iter(("nobody signed this folder",)), "")
    history = read_bytes(url)
    by = "the key that each names" if trusted is None else "the given key"
    return (
        wrong_entries(history, read_bytes(f"{output}/manifest.json"), trusted),
        f"{counted(entries_of(history), 'entry', 'entries')}, chained and signed by {by}",
    )
