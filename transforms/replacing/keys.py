"""Secret keys, referred to by location: only the reference travels to workers or appears in a manifest."""

import base64
import binascii
import hmac
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import absolute, read_bytes

_LEAST_BYTES = 16
"""Minimum size of a secret: 128 bits, the shortest AES key."""

_ENVIRONMENT = "env:"
_FILE = "file:"
_SECRET_MANAGER = "gcp-secret://"  # noqa: S105 - a place, and no password
_MAKE_ONE = "make one with: openssl rand -base64 32"
_SECRET = re.compile(r"projects/[\w.:-]+/secrets/[\w-]+(?:/versions/\w+)?")
CRYPTO_KEY = re.compile(r"projects/[\w.:-]+/locations/[\w-]+/keyRings/[\w-]+/cryptoKeys/[\w-]+")
"""The resource name of a key of Cloud KMS."""


@dataclass(frozen=True, slots=True)
class KeyReference:
    """The location of a secret.

    ``env:NAME``, ``file:PATH``, any fsspec URL, or ``gcp-secret://projects/P/secrets/S``.
    From Google's Secret Manager, the latest version is read unless ``/versions/V`` follows. Each worker reads
    the secret itself, so the worker's environment or storage must have it.
    """

    place: str

    def __post_init__(self) -> None:
        if self._is_path:
            object.__setattr__(self, "place", _FILE + absolute(self.place.removeprefix(_FILE)))
        elif not self.place.startswith(_ENVIRONMENT) and "://" not in self.place:
            raise UserError(f"must be the location of a secret: {_ENVIRONMENT}NAME, {_FILE}PATH or a URL")

    @property
    def _is_path(self) -> bool:
        return self.place.startswith(_FILE) and not self.place.startswith(f"{_FILE}//")

    def __str__(self) -> str:
        return redact_url(self.place)

    def read(self, advice: str = _MAKE_ONE) -> bytes:
        """Read the secret, without surrounding white space; it is not cached.

        Args:
            advice: how to get such a secret, for errors.

        Raises:
            UserError: it cannot be read, or is too short.
        """
        secret = self._read(advice).strip()
        if len(secret) < _LEAST_BYTES:
            raise UserError(f"{self}: a secret needs at least {_LEAST_BYTES} bytes; {advice}")
        return secret

    def _read(self, advice: str) -> bytes:
        if self.place.startswith(_ENVIRONMENT):
            name = self.place.removeprefix(_ENVIRONMENT)
            found = os.environb.get(os.fsencode(name)) if name else None
            if found is None:
                raise UserError(f"{self}: this environment variable is not set; {advice}")
            return found
        if self.place.startswith(_SECRET_MANAGER):
            return _access_secret(self.place.removeprefix(_SECRET_MANAGER))
        try:
            return read_bytes(self.place.removeprefix(_FILE) if self._is_path else self.place)
        except (OSError, ValueError) as error:
            raise UserError(f"{self}: cannot be read ({type(error).__name__}); {advice}") from None


@dataclass(frozen=True, slots=True)
class GivenKey:
    """A key that is part of the config, as DLP's ``unwrapped``; manifests and messages never show it."""

    key: bytes = field(repr=False)

    def __str__(self) -> str:
        return "given in the config"

    def read(self) -> bytes:
        """The key in base64, as in a config."""
        return base64.b64encode(self.key)


@dataclass(frozen=True, slots=True)
class DerivedKey:
    """A key for one purpose, derived from a secret that serves several."""

    secret: KeyReference
    purpose: str

    def __str__(self) -> str:
        return f"derived from {self.secret}"

    def read(self) -> bytes:
        """The key in base64, as in a config."""
        return base64.b64encode(derive(self.secret.read(), self.purpose, 32))


@dataclass(frozen=True, slots=True)
class KmsKey:
    """A key that Cloud KMS unwraps, as DLP's ``kms_wrapped``; each worker asks for it itself.

    ``name`` is the wrapping key's, ``projects/P/locations/L/keyRings/R/cryptoKeys/K``.
    """

    name: str
    wrapped: bytes = field(repr=False)

    def __str__(self) -> str:
        return f"unwrapped by {self.name}"

    def read(self) -> bytes:
        """The key in base64, as in a config; raises ``UserError`` if the service does not unwrap it."""
        body = {"ciphertext": base64.b64encode(self.wrapped).decode()}
        role = "Cloud KMS CryptoKey Decrypter"
        answer = _call("cloudkms", "POST", f"{self.name}:decrypt", body, self.name, role)
        return base64.b64encode(_decoded(answer.get("plaintext"), self.name))


Key = KeyReference | GivenKey | DerivedKey | KmsKey


def key_bytes(key: Key, sizes: Sequence[int] = (16, 24, 32)) -> bytes:
    """Decode a base64 key; ``sizes`` are the allowed numbers of bytes, by default those of AES.

    Raises:
        UserError: it cannot be read, or is not such a key.
    """
    try:
        decoded = base64.b64decode(key.read(), validate=True)
    except (binascii.Error, ValueError):
        decoded = b""
    if len(decoded) not in sizes:
        *first, last = map(str, sizes)
        raise UserError(f"{key}: is not the base64 of {', '.join(first)} or {last} bytes; {_MAKE_ONE}")
    return decoded


def fingerprint(key: Key) -> str:
    """Identifies a key and reveals nothing else: HMAC-SHA256 of a fixed word, truncated to 128 bits."""
    return hmac.digest(key.read(), b"tacenda key", "sha256").hex()[:32]


def derive(secret: bytes, purpose: str, size: int) -> bytes:
    """Derive ``size`` bytes for a purpose from a secret, by HKDF-SHA256 (RFC 5869)."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), size, None, f"tacenda {purpose}".encode()).derive(secret)


_SERVICE = "https://{}.googleapis.com"
_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
_TIMEOUT_S = 30
_RETRIES: Mapping[str, Any] = {
    "total": 3, "connect": 0, "read": 0, "backoff_factor": 0.5, "allowed_methods": None,
    "status_forcelist": (408, 429, 500, 502, 503, 504), "raise_on_status": False,
}  # fmt: skip
_HINTS = {
    400: "the service refuses the request: the key was wrapped with another key, or is damaged",
    401: "no valid credentials; run gcloud auth application-default login",
    403: "access denied; grant {role} to whoever runs this, and enable the API",
    404: "does not exist, or is not visible to whoever runs this",
}


def _access_secret(name: str) -> bytes:
    """The bytes of a version of a secret, or of its latest one."""
    where = f"{_SECRET_MANAGER}{name}"
    if not _SECRET.fullmatch(name):
        raise UserError(f"{where}: write {_SECRET_MANAGER}projects/P/secrets/S")
    version = name if "/versions/" in name else f"{name}/versions/latest"
    answer = _call("secretmanager", "GET", f"{version}:access", None, where, "Secret Manager Secret Accessor")
    return _decoded(answer.get("payload", {}).get("data"), where)


def _decoded(data: Any, where: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise UserError(f"{where}: the service's answer has no key") from None


def _call(service: str, method: str, path: str, body: Any, where: str, role: str) -> dict[str, Any]:
    """Send a request, again while the service is busy; messages never have what it said."""
    import google.auth
    import requests
    from google.auth.exceptions import GoogleAuthError
    from google.auth.transport.requests import AuthorizedSession
    from urllib3.util import Retry

    base = _SERVICE.format(service)
    try:
        credentials, _ = google.auth.default(scopes=[_SCOPE])
        session: Any = AuthorizedSession(credentials)  # type: ignore[no-untyped-call]
        session.mount(base, requests.adapters.HTTPAdapter(max_retries=Retry(**_RETRIES)))
        response = session.request(method, f"{base}/v1/{path}", json=body, timeout=_TIMEOUT_S)
    except GoogleAuthError as error:
        raise UserError(
            f"{where}: no credentials ({type(error).__name__}); run gcloud auth application-default login"
        ) from None
    except requests.RequestException as error:
        raise UserError(f"{where}: cannot be reached ({type(error).__name__}); check the network") from None
    if response.status_code != 200:
        hint = _HINTS.get(response.status_code, "try again later").format(role=role)
        raise UserError(f"{where}: HTTP {response.status_code}: {hint}")
    try:
        answer = response.json()
    except ValueError:
        answer = None
    return answer if isinstance(answer, dict) else {}
