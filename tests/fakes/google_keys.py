"""A fake of Cloud KMS and Secret Manager: a local HTTP server with their REST interfaces."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

import pytest
from google.auth.credentials import AnonymousCredentials

from tacenda.transforms.replacing import keys
from tests.fakes.web_server import QuietHandler, listening

WRAPPED = b"wrapped "
"""What the fake writes before a key to wrap it."""


class FakeGoogleKeys:
    """Unwraps what begins with ``WRAPPED``, and knows some secrets.

    ``failures`` are the HTTP statuses of the next answers. ``requests`` remembers method, path and
    authorization of each.
    """

    def __init__(self) -> None:
        self.crypto_keys = {"projects/p/locations/eu/keyRings/r/cryptoKeys/k"}
        self.secrets: dict[str, bytes] = {}
        self.failures: list[int] = []
        self.requests: list[tuple[str, str, str | None]] = []
        self.answer: bytes | None = None

    def decrypt(self, name: str, body: bytes) -> tuple[int, object]:
        ciphertext = base64.b64decode(json.loads(body)["ciphertext"])
        if name not in self.crypto_keys:
            return 404, {"error": {"message": f"{name} not found"}}
        if not ciphertext.startswith(WRAPPED):
            # The real service says no more than that.
            return 400, {"error": {"message": "Decryption failed: the ciphertext is invalid."}}
        return 200, {"name": name, "plaintext": base64.b64encode(ciphertext.removeprefix(WRAPPED)).decode()}

    def access(self, version: str) -> tuple[int, object]:
        if version not in self.secrets:
            return 404, {"error": {"message": f"{version} not found"}}
        return 200, {"name": version, "payload": {"data": base64.b64encode(self.secrets[version]).decode()}}


@contextmanager
def google_keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGoogleKeys]:
    """A running service that is asked instead of Google's."""
    fake = FakeGoogleKeys()

    class Handler(QuietHandler, BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self._answer(*fake.decrypt(self._name(":decrypt"), body))

        def do_GET(self) -> None:
            self._answer(*fake.access(self._name(":access")))

        def _name(self, verb: str) -> str:
            assert self.path.startswith("/v1/"), self.path
            assert self.path.endswith(verb), self.path
            return self.path.removeprefix("/v1/").removesuffix(verb)

        def _answer(self, status: int, answer: object) -> None:
            fake.requests.append((self.command, self.path, self.headers["Authorization"]))
            if fake.failures:
                status, answer = fake.failures.pop(0), {"error": {"message": "quotes the request"}}
            data = json.dumps(answer).encode() if fake.answer is None else fake.answer
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with listening(Handler) as address:
        monkeypatch.setattr(keys, "_SERVICE", f"http://{address}")
        monkeypatch.setattr("google.auth.default", lambda **_: (AnonymousCredentials(), None))
        monkeypatch.setenv("NO_PROXY", "*")
        yield fake
