"""CloudDlpDetector: a detector that calls Google Sensitive Data Protection (Cloud DLP).

Cells are sent in batches, as rows of a one-column table. The service inspects each value by itself: unlike
ours, its hotwords never see the previous turn. Equal texts are sent once.
"""

import json
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeVar
from urllib.parse import urlsplit

from tacenda.models.unavailable import DetectorUnavailableError
from tacenda.transforms.detecting.candidates import outside_tokens
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

DETECTOR = "cloud_dlp"
LOOPBACK = ("localhost", "127.0.0.1", "::1")

MAX_REQUEST_BYTES = 500_000
"""Largest request, by the service's limits page: 0.5 MB."""

MAX_ROWS = 50_000
"""Most table values in one request, by the same page."""

MAX_FINDINGS = 3_000
"""Most findings returned for one request, by the same page; beyond it they may be dropped."""

OVERLAP = 1_000
"""Overlap of the windows of a long cell, in code points: the widest hotword window that the service allows."""

MIN_WINDOW_BYTES = 10 * (OVERLAP + 1_000)
"""Shorter texts are not split further."""

_SEARCHED = 1_000
"""How far back from the end of a window, in code points, to search for white space before cutting a word."""

_ROW_BYTES = 20
"""Overhead of a value: three nested messages, each with a tag and a length of up to 4 bytes; rounded up."""

_RECORD_ERRORS = {
    "InvalidArgument": "CloudDlpInvalidArgument",
    "OutOfRange": "CloudDlpOutOfRange",
    "InternalServerError": "CloudDlpInternal",
    "Unknown": "CloudDlpUnknown",
    "DataLoss": "CloudDlpDataLoss",
}
"""Errors that a single text can cause; it is retried alone before it is quarantined."""


def windows(text: str, max_bytes: int, overlap: int) -> Iterator[tuple[int, str]]:
    """Cut a text into windows of at most ``max_bytes`` bytes of UTF-8 that cover it, each with its start.

    Neighbouring windows share at least ``overlap`` code points, so that anything a cut divides is complete,
    with context, in one of the two. Cuts fall on white space where possible. ``max_bytes`` is at least
    ``MIN_WINDOW_BYTES``, and no half of a surrogate pair is in the text.
    """
    start = 0
    while True:
        # max_bytes code points are at least max_bytes bytes, so this slice is never too short.
        piece = text[start : start + max_bytes].encode()[:max_bytes].decode(errors="ignore")
        end = start + len(piece)
        if end == len(text):
            yield start, piece
            return
        end = _after_space(text, end)
        yield start, text[start:end]
        start = _after_space(text, end - overlap)


def _after_space(text: str, last: int) -> int:
    """The last offset up to ``last`` that follows white space, not far before; ``last`` if there is none."""
    searched = text[last - _SEARCHED : last]
    words = searched.split()
    before = len(searched) - len(words[-1]) if words and not searched[-1].isspace() else 0
    return last - len(searched) + before if before else last


Item = TypeVar("Item")


def packed(
    items: Iterable[Item], sizes: Iterable[int], max_size: int, max_items: int
) -> Iterator[list[Item]]:
    """Group consecutive items: at most ``max_items`` in a group, of total size ``max_size`` or less.

    An item larger than ``max_size`` gets a group of its own; callers split such items beforehand.
    """
    pack: list[Item] = []
    filled = 0
    for item, size in zip(items, sizes, strict=True):
        if pack and (filled + size > max_size or len(pack) == max_items):
            yield pack
            pack, filled = [], 0
        pack.append(item)
        filled += size
    if pack:
        yield pack


@dataclass(frozen=True, slots=True)
class CloudDlpSettings:
    """Project, InspectConfig, request sizes and timeouts.

    ``parent`` is ``projects/P/locations/L``. ``inspect_config`` is a DLP InspectConfig as JSON, in camelCase,
    without finding limits, which would truncate results. ``endpoint`` is a host of the service, such as
    ``dlp.europe-west1.rep.googleapis.com``, or ``http://localhost:PORT``, unencrypted and without credentials;
    None for the global one. ``content_bytes`` is the text of one request: half of what is allowed, because
    dense text reaches the finding limit first. ``request_timeout_s`` is for one attempt, ``total_timeout_s``
    for all attempts at one request; the wait between them is at first ``first_wait_s`` and doubles each time.
    """

    parent: str
    inspect_config: str
    endpoint: str | None = None
    content_bytes: int = 250_000
    requests_at_once: int = 4
    request_timeout_s: float = 60
    total_timeout_s: float = 300
    first_wait_s: float = 1


class _Passage(NamedTuple):
    """A text or a window of it; ``text`` is the index of the text, ``start`` the window's offset in it."""

    text: int
    start: int
    content: str


class CloudDlpDetector:
    """Finds personal data with Cloud DLP.

    ``min_likelihood`` overrides every threshold of the config (the second look wants all findings). Only the
    settings are pickled; each process opens its own connection on first use.
    """

    name = DETECTOR
    languages: ClassVar = frozenset({"en"})
    """Languages whose names the service detects; a config may accept others (``languages.accepted``)."""

    def __init__(self, settings: CloudDlpSettings, min_likelihood: Likelihood | None = None) -> None:
        from google.cloud import dlp_v2
        from google.protobuf import json_format

        self._settings = settings
        self._override = min_likelihood
        config = json_format.ParseDict(json.loads(settings.inspect_config), dlp_v2.InspectConfig.pb()())
        # Quotes would send the personal data back over the wire for nothing.
        config.include_quote = False
        if min_likelihood is not None:
            config.min_likelihood = int(min_likelihood)
            config.ClearField("min_likelihood_per_info_type")
        self._request = dlp_v2.InspectContentRequest.pb()(parent=settings.parent, inspect_config=config)
        self._room = min(
            settings.content_bytes, MAX_REQUEST_BYTES - self._request.ByteSize() - 2 * _ROW_BYTES
        )
        if self._room < MIN_WINDOW_BYTES + _ROW_BYTES:
            raise ValueError("content_bytes and the inspect config leave too little room for text")
        self._lock = threading.Lock()
        self._client: Any = None
        self._process = 0

    def __reduce__(self) -> tuple[type["CloudDlpDetector"], tuple[CloudDlpSettings, Likelihood | None]]:
        return CloudDlpDetector, (self._settings, self._override)

    def check(self) -> None:
        """Send one request without data, so that configuration errors show before the run.

        Raises:
            UserError: the service rejects these settings or cannot be reached.
        """
        _, error = self._inspect(self._asking(["-"]))
        kind, where = type(error).__name__, f"--detector cloud_dlp: {self._settings.parent}"
        if kind == "InvalidArgument":
            raise UserError(f"{where}: the service rejects {_refused_fields(error)}; correct it")
        if error is not None:
            raise UserError(
                f"{where}: {kind}; check the project, the credentials (role DLP User), that the API is "
                "enabled, and the network"
            )

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """See ``detector.Detector``; tokens such as [PERSON_NAME_1] are never part of a finding.

        Raises:
            RecordError: the service cannot process a text, or a text has more findings than it returns.
            DetectorUnavailableError: the service denies access or stays busy.
        """
        distinct = [text for text in dict.fromkeys(column.texts) if text and not text.isspace()]
        findings: list[dict[tuple[int, int, str], Finding]] = [{} for _ in distinct]
        for passage, finding in self._answers(distinct):
            _add(findings[passage.text], passage, finding)
        kept = {
            text: sorted(outside_tokens(text, known.values()))
            for text, known in zip(distinct, findings, strict=True)
        }
        return [list(kept.get(text, ())) for text in column.texts]

    def _answers(self, texts: Sequence[str]) -> Iterator[tuple[_Passage, Any]]:
        passages = list(self._passages(texts))
        sizes = (len(p.content.encode()) + _ROW_BYTES for p in passages)
        requests = list(packed(passages, sizes, self._room, MAX_ROWS))
        with ThreadPoolExecutor(self._settings.requests_at_once) as threads:
            for answer in threads.map(self._ask, requests):
                yield from answer

    def _passages(self, texts: Sequence[str]) -> Iterator[_Passage]:
        largest = self._room - _ROW_BYTES
        for number, text in enumerate(texts):
            if any("\ud800" <= char <= "\udfff" for char in set(text)):
                raise RecordError("UnpairedSurrogate")
            for start, content in windows(text, largest, OVERLAP):
                yield _Passage(number, start, content)

    def _ask(self, passages: Sequence[_Passage]) -> list[tuple[_Passage, Any]]:
        """Inspect passages; if the result is truncated, split them and retry."""
        result, error = self._inspect(self._asking([p.content for p in passages]))
        if error is not None:
            # Raised outside the handler: the service's message may quote the request and must not be chained.
            kind = type(error).__name__
            if kind in _RECORD_ERRORS:
                raise RecordError(_RECORD_ERRORS[kind])
            raise DetectorUnavailableError(DETECTOR, kind)
        if not result.findings_truncated and len(result.findings) < MAX_FINDINGS:
            return [(passages[_row(f, len(passages))], f) for f in result.findings]
        parts = passages if len(passages) > 1 else list(_cut(passages[0]))
        middle = len(parts) // 2
        return [*self._ask(parts[:middle]), *self._ask(parts[middle:])]

    def _asking(self, contents: Sequence[str]) -> Any:
        request = type(self._request)()
        request.CopyFrom(self._request)
        table = request.item.table
        table.headers.add(name="text")
        for content in contents:
            table.rows.add().values.add(string_value=content)
        return request

    def _inspect(self, request: Any) -> tuple[Any, Exception | None]:
        """The result, or the error that is left after all attempts."""
        from google.api_core import exceptions
        from google.api_core.retry import Retry, if_exception_type
        from google.auth.exceptions import GoogleAuthError
        from google.cloud import dlp_v2

        wrapped = dlp_v2.InspectContentRequest.wrap(request)
        retry = Retry(
            predicate=if_exception_type(
                exceptions.ResourceExhausted,
                exceptions.ServiceUnavailable,
                exceptions.DeadlineExceeded,
                exceptions.InternalServerError,
            ),
            initial=self._settings.first_wait_s,
            maximum=60,
            multiplier=2,
            timeout=self._settings.total_timeout_s,
        )
        try:
            call = retry(self._connected().inspect_content)
            # The client's own retry would apply a second timeout.
            response = call(request=wrapped, retry=None, timeout=self._settings.request_timeout_s)
        except exceptions.RetryError as error:
            return None, error.cause
        except (exceptions.GoogleAPIError, GoogleAuthError) as error:
            return None, error
        return dlp_v2.InspectContentResponse.pb(response).result, None

    def _connected(self) -> Any:
        """The client of this process; its channel and threads do not survive pickling or a fork."""
        with self._lock:
            if self._client is None or self._process != os.getpid():
                self._client, self._process = _client(self._settings.endpoint), os.getpid()
            return self._client


def _cut(passage: _Passage) -> Iterator[_Passage]:
    """Split a passage with too many findings into windows of little more than half its size."""
    size = len(passage.content.encode())
    if size < 2 * MIN_WINDOW_BYTES:
        raise RecordError("TooManyFindings")
    for start, content in windows(passage.content, size // 2 + 8 * OVERLAP, OVERLAP):
        yield _Passage(passage.text, passage.start + start, content)


def _row(finding: Any, rows: int) -> int:
    for location in finding.location.content_locations:
        if location.record_location.HasField("table_location"):
            row = int(location.record_location.table_location.row_index)
            if 0 <= row < rows:
                return row
    raise RecordError("FindingWithoutRow")


def _add(known: dict[tuple[int, int, str], Finding], passage: _Passage, finding: Any) -> None:
    """Add a finding in text offsets; of duplicates from overlapping windows, keep the likelier."""
    place = finding.location.codepoint_range
    if not 0 <= place.start < place.end <= len(passage.content):
        # Fail closed: a finding that cannot be located cannot be replaced.
        raise RecordError("FindingOutsideText")
    start, end = passage.start + int(place.start), passage.start + int(place.end)
    ours = Finding(start, end, finding.info_type.name, _likelihood(finding.likelihood), DETECTOR)
    key = start, end, ours.info_type
    if key not in known or known[key].likelihood < ours.likelihood:
        known[key] = ours


def _likelihood(value: int) -> Likelihood:
    """Map the service's likelihood: unspecified is POSSIBLE, as documented; unknown values are the lowest."""
    known = {0: Likelihood.POSSIBLE, **{int(one): one for one in Likelihood}}
    return known.get(value, Likelihood.VERY_UNLIKELY)


def check_endpoint(endpoint: str | None) -> None:
    """Reject a malformed endpoint, and any that would send personal data unencrypted.

    Raises:
        UserError: it is one of these.
    """
    if endpoint is None:
        return
    scheme, separator, rest = endpoint.partition("://")
    if not separator and endpoint and "/" not in endpoint:
        return
    try:
        parts = urlsplit(endpoint)
        plain = scheme == "http" and parts.hostname in LOOPBACK and parts.port and rest == parts.netloc
    except ValueError:
        plain = False
    if not plain:
        raise UserError(
            f"--dlp-endpoint {endpoint}: write HOST or HOST:PORT, or for a test server on this machine "
            "http://localhost:PORT"
        )


def _client(endpoint: str | None) -> Any:
    from google.cloud import dlp_v2

    if endpoint is None:
        return dlp_v2.DlpServiceClient()
    if not endpoint.startswith("http://"):
        return dlp_v2.DlpServiceClient(client_options={"api_endpoint": endpoint})
    import grpc
    from google.cloud.dlp_v2.services.dlp_service.transports import DlpServiceGrpcTransport

    unlimited = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
    channel = grpc.insecure_channel(endpoint.removeprefix("http://"), options=unlimited)
    return dlp_v2.DlpServiceClient(transport=DlpServiceGrpcTransport(channel=channel))


def _refused_fields(error: Any) -> str:
    """The fields that the service names; its message could quote a word of a dictionary."""
    named = [v.field for detail in error.details for v in getattr(detail, "field_violations", ())]
    return f"the inspect config ({', '.join(named)})" if named else "the inspect config"
