import base64
import pickle

import pytest

from tacenda.transforms.replacing import keys as google_services
from tacenda.transforms.replacing.keys import (
    DerivedKey,
    GivenKey,
    KeyReference,
    KmsKey,
    fingerprint,
    key_bytes,
)
from tacenda.transforms.schema.errors import UserError
from tests.cases import tabled
from tests.fakes.google_keys import WRAPPED, google_keys

KEY = bytes(range(32))
WRITTEN = base64.b64encode(KEY).decode()


@pytest.mark.parametrize("place", ["env:A_KEY", "file:{}/key", "file://{}/key", "file:key"])
def test_a_key_is_read_from_the_environment_or_a_file(tmp_path, monkeypatch, place):
    """Wherever a worker stands."""
    monkeypatch.setenv("A_KEY", f"{WRITTEN}\n")
    (tmp_path / "key").write_text(WRITTEN)
    monkeypatch.chdir(tmp_path)
    reference = KeyReference(place.format(tmp_path))
    monkeypatch.chdir("/")
    assert reference.read() == WRITTEN.encode()
    assert key_bytes(reference) == KEY


@pytest.mark.parametrize("place", ["", "hunter2", "A_KEY", "/path/of/a/key"])
def test_an_invalid_key_location_is_not_quoted(place):
    with pytest.raises(UserError, match="must be the location of a secret") as told:
        KeyReference(place)
    assert not place or place not in str(told.value)


def test_a_secret_that_is_not_there_or_too_short_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setenv("SHORT", "hunter2")
    with pytest.raises(UserError, match="env:NO_SUCH_KEY: this environment variable is not set"):
        KeyReference("env:NO_SUCH_KEY").read()
    with pytest.raises(UserError, match="no such file"):
        KeyReference(f"file:{tmp_path}/none").read()
    with pytest.raises(UserError, match="at least 16 bytes") as told:
        KeyReference("env:SHORT").read()
    assert "hunter2" not in str(told.value)


@pytest.mark.parametrize("written", ["not base64 at all!", base64.b64encode(bytes(20)).decode()])
def test_what_is_no_key_of_a_cipher_is_refused_without_its_words(written, monkeypatch):
    monkeypatch.setenv("A_KEY", written)
    with pytest.raises(UserError, match="16, 24 or 32 bytes") as told:
        key_bytes(KeyReference("env:A_KEY"))
    assert written not in str(told.value)


def test_keys_do_not_show_where_they_are_printed_or_travel(monkeypatch):
    monkeypatch.setenv("A_KEY", WRITTEN)
    for key in (KeyReference("env:A_KEY"), DerivedKey(KeyReference("env:A_KEY"), "hash")):
        key.read()
        assert WRITTEN.encode() not in pickle.dumps(key)
        assert KEY not in pickle.dumps(key)
    given = GivenKey(KEY)
    assert key_bytes(given) == KEY
    assert all(secret not in f"{given!r} {given}" for secret in (WRITTEN, repr(KEY)))
    assert "secret" not in str(KeyReference("s3://user:secret@host/key"))


def test_derived_keys_differ_by_purpose_and_secret(monkeypatch):
    monkeypatch.setenv("A_KEY", WRITTEN)
    monkeypatch.setenv("B_KEY", WRITTEN[::-1])
    a, b = KeyReference("env:A_KEY"), KeyReference("env:B_KEY")
    keys = [DerivedKey(a, "hash"), DerivedKey(a, "dates"), DerivedKey(b, "hash")]
    assert len({key_bytes(key) for key in keys}) == 3
    assert len({fingerprint(key) for key in keys}) == 3
    assert key_bytes(keys[0]) == key_bytes(DerivedKey(a, "hash"))


NAME = "projects/p/locations/eu/keyRings/r/cryptoKeys/k"


@pytest.fixture
def service(monkeypatch):
    with google_keys(monkeypatch) as fake:
        retries = {**google_services._RETRIES, "total": 2, "backoff_factor": 0}
        monkeypatch.setattr(google_services, "_RETRIES", retries)
        yield fake


def test_a_secret_is_the_latest_version_or_the_one_that_is_named(service):
    name, latest, older = "projects/p/secrets/s", b"sixteen bytes or more", b"an older one of many bytes"
    service.secrets = {f"{name}/versions/latest": latest + b"\n", f"{name}/versions/3": older}
    assert KeyReference(f"gcp-secret://{name}").read() == latest
    assert KeyReference(f"gcp-secret://{name}/versions/3").read() == older


def test_a_busy_service_is_asked_again(service):
    service.failures = [503, 429]
    assert key_bytes(KmsKey(NAME, WRAPPED + KEY)) == KEY
    assert len(service.requests) == 3
    service.failures = [503, 503, 503]
    with pytest.raises(UserError, match="HTTP 503: try again later"):
        KmsKey(NAME, WRAPPED).read()


@tabled("status", "hint")
def test_what_is_refused_is_one_line_without_the_answer(service, status, hint):
    service.failures = [status]
    with pytest.raises(UserError, match=f"{NAME}: HTTP {status}: .*{hint}") as told:
        KmsKey(NAME, WRAPPED).read()
    assert "quotes" not in str(told.value)
    assert "\n" not in str(told.value)


def test_an_unreachable_service_is_reported(service, monkeypatch):
    monkeypatch.setattr(google_services, "_SERVICE", "http://127.0.0.1:1")
    with pytest.raises(UserError, match=r"cannot be reached \(ConnectionError\)"):
        KmsKey(NAME, WRAPPED).read()


def test_the_real_service_is_asked_with_credentials(monkeypatch):
    from google.auth.exceptions import DefaultCredentialsError

    def none_here(**_):
        raise DefaultCredentialsError("a long text about credentials")

    monkeypatch.setattr("google.auth.default", none_here)
    with pytest.raises(UserError, match=r"no credentials \(DefaultCredentialsError\); run gcloud auth"):
        KmsKey(NAME, WRAPPED).read()
