"""Sign output folders with a key that only this process reads, and check the signatures.

The workers of a cluster never see the key: the folder is signed when the command sees the run ended. If it is
stopped before, the same command signs when it is run again.

The signed history of a folder, ``history.jsonl``, has the manifests that stood in it, one after another: an
entry for each run, review or other change has the SHA-256 of the manifest that it left, the SHA-256 of the
entry before, and an Ed25519 signature (RFC 8032) over both. The manifest has the hash of every file, so an
entry stands for the whole folder. Nobody without the key can change an entry or the manifest unnoticed; the
removal of the last entries can only be noticed if their number or hash was recorded elsewhere.
"""

import base64
import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from tacenda.transforms.replacing.keys import KeyReference
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import exists, read_bytes
from tacenda.transforms.storage.publishing import publish_bytes

HISTORY_FILE = "history.jsonl"

_FIELDS = ("number", "command", "fingerprint", "state", "manifest_sha256", "previous_sha256", "public_key")


class SigningKey(NamedTuple):
    """A private Ed25519 key that was read."""

    key: Any

    @property
    def public(self) -> str:
        """Its public half, as entries name it: base64 of its 32 bytes."""
        return _public(self.key.public_key())


def _wrong_chain(lines: list[bytes]) -> Iterator[str]:
    """Entries that are malformed, out of order or not signed by the key that they name."""
    previous: str | None = None
    for number, line in enumerate(lines, 1):
        entry = _parsed(line)
        if entry is None:
            yield f"entry {number} is damaged"
            return
        if (entry["number"], entry["previous_sha256"]) != (number, previous):
            yield f"entry {number} does not follow the one before it"
        if not _is_signed(entry):
            yield f"the signature of entry {number} is wrong"
        previous = _sha256(line)


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) and set(entry) == {*_FIELDS, "signature"} else None


def _is_signed(entry: dict[str, Any]) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(entry["public_key"], validate=True))
        key.verify(base64.b64decode(entry["signature"], validate=True), _signed(entry))
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def _signed(entry: dict[str, Any]) -> bytes:
    """The bytes under the signature: the entry without it."""
    return _line({name: entry[name] for name in _FIELDS})


def _line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def _public(key: Any) -> str:
    return base64.b64encode(key.public_bytes_raw()).decode()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def signing_key(place: str | None, output: str) -> SigningKey | None:
    """Read the key that was asked for; call this before any work.

    Raises:
        UserError: it cannot be read or is no such key, or the folder has a signed history and no key is given.
    """
    if place is not None:
        hint = "make one with: openssl genpkey -algorithm ed25519"
        return SigningKey(_read("--signing-key", place, hint, private=True))
    if exists(f"{output}/{HISTORY_FILE}"):
        raise UserError(
            f"{redact_url(output)}: has a signed history, which every change continues; add --signing-key KEY"
        )
    return None


def trusted_key(place: str | None) -> str | None:
    """Read the public key by which to check signatures, as entries name it; a UserError if it is none."""
    hint = "get it with: openssl pkey -in KEY -pubout"
    return None if place is None else _public(_read("--public-key", place, hint, private=False))


def _read(option: str, place: str, hint: str, private: bool) -> Any:
    """An Ed25519 key in unencrypted PEM, as ``openssl`` writes it."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

    try:
        reference = KeyReference(place)
        pem = reference.read(hint)
    except UserError as error:
        raise UserError(f"{option}: {error}") from None
    try:
        key: Any = load_pem_private_key(pem, None) if private else load_pem_public_key(pem)
    except Exception:  # noqa: BLE001 - the library raises many kinds, whose messages may quote the key
        key = None
    if not isinstance(key, Ed25519PrivateKey if private else Ed25519PublicKey):
        kind = "key" if private else "public key"
        raise UserError(f"{option}: {reference}: is no Ed25519 {kind} in PEM; {hint}")
    return key


def sign(output: str, key: SigningKey | None, *, again: bool = False) -> None:
    """Add an entry for the manifest of a finished folder to its history; ``again``: it was finished before."""
    url = f"{output}/manifest.json"
    if again and key and (signed := signed_manifests(output)) and signed[-1] != _sha256(read_bytes(url)):
        told = "was changed since it was signed; 'tacenda verify' says how, --overwrite runs everything again"
        raise UserError(f"{redact_url(output)}: {told}")
    if history := signed_history(output, key, url):
        publish_bytes(f"{output}/{HISTORY_FILE}", history)


def signed_history(output: str, key: SigningKey | None, url: str) -> bytes | None:
    """The history of a folder with an entry for a manifest; None without a key, or if the last entry, by the
    same key, is for it.
    """
    if key is None:
        return None
    lines, manifest = _history(output) or [], read_bytes(url)
    if any(_wrong_chain(lines)):
        shown = redact_url(f"{output}/{HISTORY_FILE}")
        raise UserError(f"{shown}: is not intact, so nothing was added; 'tacenda verify' has the details")
    last = json.loads(lines[-1]) if lines else None
    if last and (last["manifest_sha256"], last["public_key"]) == (_sha256(manifest), key.public):
        return None
    told = json.loads(manifest)
    entry = {
        "number": len(lines) + 1,
        "command": told["command"],
        "fingerprint": told["fingerprint"],
        "state": told["verdict"]["state"],
        "manifest_sha256": _sha256(manifest),
        "previous_sha256": _sha256(lines[-1]) if lines else None,
        "public_key": key.public,
    }
    signature = base64.b64encode(key.key.sign(_signed(entry))).decode()
    return b"".join(line + b"\n" for line in [*lines, _line({**entry, "signature": signature})])


def _history(output: str) -> list[bytes] | None:
    """The lines of the signed history of a folder; None if nobody signed it."""
    url = f"{output}/{HISTORY_FILE}"
    return read_bytes(url).splitlines() if exists(url) else None


def signed_manifests(output: str) -> list[str]:
    """The SHA-256 of each manifest that was signed in a folder; damaged entries are passed over."""
    entries = map(_parsed, _history(output) or [])
    return [entry["manifest_sha256"] for entry in entries if entry is not None]


def wrong_history(output: str, trusted: str | None) -> tuple[list[str], str] | None:
    """What is wrong with the history of a folder, and what it has; None if it has none and none is wanted.

    Its last entry must be for the manifest. ``trusted`` is the public key that must have signed every entry;
    None accepts any key: somebody who signs everything anew is not noticed.
    """
    lines = _history(output)
    if lines is None:
        return None if trusted is None else (["nobody signed this folder"], "")
    wrong = list(_wrong_chain(lines))
    entries = [] if wrong else [json.loads(line) for line in lines]
    for entry in entries:
        if trusted not in (None, entry["public_key"]):
            wrong.append(f"entry {entry['number']} is signed with another key than the given one")
    if not lines:
        wrong.append("it has no entry")
    elif entries and entries[-1]["manifest_sha256"] != _sha256(read_bytes(f"{output}/manifest.json")):
        wrong.append("its last entry is for another manifest than the one in the folder")
    by = "the key that each names" if trusted is None else "the given key"
    return wrong, f"{counted(len(lines), 'entry', 'entries')}, chained and signed by {by}"
