"""Keys from Google Cloud: secrets of Secret Manager, and keys that Cloud KMS unwraps.

One request each, to the REST interfaces (``projects.secrets.versions.access``,
``projects.locations.keyRings.cryptoKeys.decrypt``) with the machine's default credentials.

gcloud's variables for other endpoints hold here, too: ``CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS`` and
``CLOUDSDK_API_ENDPOINT_OVERRIDES_SECRETMANAGER``. An ``http`` endpoint is for a test server on this machine and
gets no credentials.
"""

import base64
import binascii
import os
import re
import time
from typing import Any
from urllib.parse import urlsplit

from tacenda.transforms.schema.errors import UserError

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
_TIMEOUT_S = 30
_WAITS_S = (0.5, 1.0, 2.0)
_BUSY = frozenset({408, 429, 500, 502, 503, 504})

_SECRET = re.compile(r"projects/[\w.:-]+/secrets/[\w-]+(?:/versions/\w+)?")
_CRYPTO_KEY = re.compile(r"projects/[\w.:-]+/locations/[\w-]+/keyRings/[\w-]+/cryptoKeys/[\w-]+")

_HINTS = {
    400: "the service refuses the request: the key was wrapped with another key, or is damaged",
    401: "no valid credentials; run gcloud auth application-default login",
    403: "access denied; grant {role} to whoever runs this, and enable the API",
    404: "does not exist, or is not visible to whoever runs this",
}


def is_crypto_key(name: str) -> bool:
    """Whether a text is the resource name of a key of Cloud KMS."""
    return _CRYPTO_KEY.fullmatch(name) is not None


def access_secret(name: str) -> bytes:
    """The bytes of a secret; of its latest version, if none is named.

    Args:
        name: as ``projects/P/secrets/S`` or ``projects/P/secrets/S/versions/V``.

    Raises:
        UserError: there is no such secret, no access to it, or no connection.
    """
    if not _SECRET.fullmatch(name):
        raise UserError(f"gcp-secret://{name}: write gcp-secret://projects/P/secrets/S")
    version = name if "/versions/" in name else f"{name}/versions/latest"
    where = f"gcp-secret://{name}"
    answer = _call("SECRETMANAGER", "GET", f"{version}:access", None, where, "Secret Manager Secret Accessor")
    return _decoded(answer.get("payload", {}).get("data"), where)


def unwrap(name: str, wrapped: bytes) -> bytes:
    """The key that was wrapped by a key of Cloud KMS.

    Args:
        name: the wrapping key, as ``projects/P/locations/L/keyRings/R/cryptoKeys/K``.
        wrapped: the ciphertext.

    Raises:
        UserError: the service does not decrypt it, or there is no connection.
    """
    if not is_crypto_key(name):
        raise UserError(
            "kms_wrapped: write crypto_key_name as projects/P/locations/L/keyRings/R/cryptoKeys/K"
        )
    body = {"ciphertext": base64.b64encode(wrapped).decode()}
    answer = _call("CLOUDKMS", "POST", f"{name}:decrypt", body, name, "Cloud KMS CryptoKey Decrypter")
    return _decoded(answer.get("plaintext"), name)


def _decoded(data: Any, where: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise UserError(f"{where}: the service's answer has no key") from None


def _call(service: str, method: str, path: str, body: Any, where: str, role: str) -> dict[str, Any]:
    """Send a request, again while the service is busy; messages never have what it said."""
    import requests
    from google.auth.exceptions import GoogleAuthError

    base = _endpoint(service, where)
    try:
        session = _plain() if base.startswith("http://") else _authorized()
        for wait in (*_WAITS_S, None):
            response = session.request(method, f"{base}/v1/{path}", json=body, timeout=_TIMEOUT_S)
            if response.status_code not in _BUSY or wait is None:
                break
            time.sleep(wait)
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


def _endpoint(service: str, where: str) -> str:
    """The service's address, without a slash at its end; only this machine may be asked without encryption."""
    variable = f"CLOUDSDK_API_ENDPOINT_OVERRIDES_{service}"
    given = os.environ.get(variable, "").rstrip("/")
    if not given:
        return f"https://{service.lower()}.googleapis.com"
    parts = urlsplit(given)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise UserError(
            f"{where}: {variable} must be https://HOST, or http://localhost:PORT for a test server"
        )
    return given


def _plain() -> Any:
    import requests

    session = requests.Session()
    session.trust_env = False  # a proxy does not reach this machine
    return session


def _authorized() -> Any:
    import google.auth
    from google.auth.transport.requests import AuthorizedSession

    credentials, _ = google.auth.default(scopes=[_SCOPE])
    return AuthorizedSession(credentials)  # type: ignore[no-untyped-call]
