"""Batches, offsets, retries and refusals, against a local server with the real protocol."""

import json
import pickle
from itertools import pairwise
from types import SimpleNamespace

import grpc
import pytest
from google.api_core.retry import retry_base, retry_unary
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.models.cloud_dlp.detector import (
    MAX_REQUEST_BYTES,
    CloudDlpDetector,
    CloudDlpSettings,
    _refused_fields,
    check_endpoint,
    packed,
    windows,
)
from tacenda.models.unavailable import DetectorUnavailableError
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tests.cases import tabled

CONFIG = {
    "infoTypes": [{"name": "EMAIL_ADDRESS"}, {"name": "PERSON_NAME"}, {"name": "LOCATION"}],
    "minLikelihood": "POSSIBLE",
}

PARENT = "projects/p/locations/global"


def detector(dlp, least=None, **changes):
    settings = {"first_wait_s": 0.01, "total_timeout_s": 60, "request_timeout_s": 60, **changes}
    config = settings.pop("config", CONFIG)
    return CloudDlpDetector(CloudDlpSettings(PARENT, json.dumps(config), dlp.endpoint, **settings), least)


def found(detector, texts):
    findings = detector.find(TextColumn(texts, [0, len(texts)]))
    return [[text[f.start : f.end] for f in cell] for text, cell in zip(texts, findings, strict=True)]


def test_offsets_are_code_points_whatever_stands_before(dlp):
    text = "👩‍🦰 señora Zoë: zoë@example.org"
    assert detector(dlp).find(TextColumn(["Pam", text], [0, 2])) == [
        [Finding(0, 3, "PERSON_NAME", Likelihood.LIKELY, "cloud_dlp")],
        [
            Finding(11, 14, "PERSON_NAME", Likelihood.LIKELY, "cloud_dlp"),
            Finding(16, 31, "EMAIL_ADDRESS", Likelihood.LIKELY, "cloud_dlp"),
        ],
    ]


def test_findings_come_in_the_order_of_cells_over_several_requests(dlp):
    texts = [f"{'word ' * 2_000}{i} Pam" if i % 3 else f"{'word ' * 2_000}{i} Zoë" for i in range(40)]
    expected = [["Pam"] if i % 3 else ["Zoë"] for i in range(40)]
    assert found(detector(dlp, content_bytes=50_000), texts) == expected
    assert len(dlp.requests) > 5


def test_a_request_holds_at_most_fifty_thousand_values(dlp):
    texts = [f"{i:x}" for i in range(50_001)]
    detector(dlp, content_bytes=MAX_REQUEST_BYTES * 3).find(TextColumn(texts, [0, len(texts)]))
    assert max(map(len, dlp.rows())) <= 50_000
    assert sorted(row for rows in dlp.rows() for row in rows) == sorted(texts)


def test_empty_texts_are_not_sent_and_equal_ones_once(dlp):
    texts = ["", "Pam", " \n", "yes", "Pam", "yes"]
    assert found(detector(dlp), texts) == [[], ["Pam"], [], [], ["Pam"], []]
    assert dlp.rows() == [["Pam", "yes"]]


@pytest.mark.parametrize("code", ["RESOURCE_EXHAUSTED", "UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL"])
def test_a_busy_service_is_asked_again(dlp, code):
    dlp.failures = [grpc.StatusCode[code]] * 3
    assert found(detector(dlp), ["Pam"]) == [["Pam"]]
    assert len(dlp.requests) == 4


class WaitingAlone:
    """A clock that only waits advance: requests in between take no time on any machine."""

    def __init__(self):
        self._now = 0.0

    def monotonic(self):
        return self._now

    def sleep(self, seconds):
        self._now += seconds


def test_a_service_that_stays_busy_stops_the_run(dlp, monkeypatch):
    clock = WaitingAlone()
    for module in (retry_base, retry_unary):
        monkeypatch.setattr(module, "time", clock)
    dlp.failures = [grpc.StatusCode.RESOURCE_EXHAUSTED] * 1_000
    with pytest.raises(DetectorUnavailableError, match=r"^cloud_dlp: ResourceExhausted$"):
        detector(dlp, total_timeout_s=0.2).find(TextColumn(["Pam"]))
    assert len(dlp.requests) > 1


@tabled("code", "kind")
def test_a_refusal_is_not_asked_again_and_quotes_nothing(dlp, code, kind):
    dlp.failures = [grpc.StatusCode[code]]
    with pytest.raises(DetectorUnavailableError) as raised:
        detector(dlp).find(TextColumn(["Pam"]))
    assert str(raised.value) == f"cloud_dlp: {kind}"
    assert len(dlp.requests) == 1
    assert raised.value.__context__ is None
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_truncated_responses_are_requested_again_in_parts(dlp):
    dlp.most = 3
    texts = [f"{i} Pam" for i in range(20)]
    assert found(detector(dlp), texts) == [["Pam"]] * 20
    whole = [rows for rows in dlp.rows() if len(rows) <= 3]
    assert sorted(row for rows in whole for row in rows) == sorted(texts)


def test_a_long_cell_with_too_many_findings_is_asked_in_windows(dlp):
    dlp.most = 150
    text = " ".join(f"{'word ' * 60}Pam{'' if i % 7 else ' pam@example.org'}" for i in range(300))
    (cell,) = detector(dlp).find(TextColumn([text]))
    assert [text[f.start : f.end] for f in cell] == [
        found for i in range(300) for found in (["Pam"] if i % 7 else ["Pam", "pam@example.org"])
    ]


def test_a_short_cell_with_too_many_findings_is_a_bad_record(dlp):
    dlp.most = 3
    with pytest.raises(RecordError, match="TooManyFindings"):
        detector(dlp).find(TextColumn(["Pam " * 4]))


def test_a_cell_above_the_request_limit_is_found_in_as_a_whole(dlp):
    sentence = f"é Zoë 👋 {'wörd ' * 50}José Núñez, "
    text = "".join(f"{sentence}z{i}@example.org. " for i in range(2_000))
    assert len(text.encode()) > MAX_REQUEST_BYTES
    dlp.most = 100_000
    (cell,) = detector(dlp, content_bytes=60_000).find(TextColumn([text]))
    assert max(dlp.sizes) <= MAX_REQUEST_BYTES
    places = [(f.start, f.end) for f in cell]
    assert places == sorted(set(places))
    assert [text[start:end] for start, end in places] == [
        what for i in range(2_000) for what in ("Zoë", "José Núñez", f"z{i}@example.org")
    ]


@pytest.mark.parametrize("surer", [0, 1])
def test_the_likelier_of_two_findings_in_overlapping_windows_is_kept(dlp, surer):
    text = f"{'word ' * 40}Pam " * 200
    seen: list[int] = []

    def vary(result):
        for finding in result.findings:
            finding.likelihood = 5 if len(seen) == surer else 3
        seen.append(len(result.findings))

    dlp.edit = vary
    (cell,) = detector(dlp, requests_at_once=1, content_bytes=30_000).find(TextColumn([text]))
    assert len(seen) == 2
    assert len(cell) == 200 < sum(seen)
    assert [f.likelihood for f in cell].count(Likelihood.VERY_LIKELY) == seen[surer]


def test_tokens_are_never_found(dlp):
    dlp.patterns = {"PERSON_NAME": (r"Mr \[PERSON_NAME_1\] Jones|\[[A-Z_]+\d\]", 5)}
    (cell,) = detector(dlp).find(TextColumn(["to Mr [PERSON_NAME_1] Jones of [ORGANIZATION_NAME_2]"]))
    assert [(f.start, f.end) for f in cell] == [(3, 6), (21, 27)]


@pytest.mark.parametrize(
    ("value", "likelihood"),
    [(0, Likelihood.POSSIBLE), (5, Likelihood.VERY_LIKELY), (9, Likelihood.VERY_UNLIKELY)],
)
def test_likelihoods_that_we_do_not_know_never_lose_a_finding(dlp, value, likelihood):
    dlp.edit = lambda result: setattr(result.findings[0], "likelihood", value)
    assert detector(dlp).find(TextColumn(["Pam"]))[0][0].likelihood is likelihood


def _table(place):
    return place.content_locations[0].record_location.table_location


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (lambda place: place.ClearField("content_locations"), "FindingWithoutRow"),
        (lambda place: setattr(_table(place), "row_index", 7), "FindingWithoutRow"),
        (lambda place: place.ClearField("codepoint_range"), "FindingOutsideText"),
        (lambda place: setattr(place.codepoint_range, "end", 99), "FindingOutsideText"),
    ],
)
def test_a_finding_that_cannot_be_placed_is_a_bad_record(dlp, edit, error):
    dlp.edit = lambda result: edit(result.findings[0].location)
    with pytest.raises(RecordError, match=error):
        detector(dlp).find(TextColumn(["Pam"]))


def test_half_a_surrogate_pair_is_a_bad_record(dlp):
    with pytest.raises(RecordError, match="UnpairedSurrogate") as raised:
        detector(dlp).find(TextColumn(["Pam \ud83d"]))
    assert raised.value.__context__ is None


def test_pickles_as_its_settings(dlp):
    first = detector(dlp, Likelihood.VERY_UNLIKELY)
    assert found(first, ["Scranton"]) == [["Scranton"]]
    second = pickle.loads(pickle.dumps(first))
    assert found(second, ["Scranton"]) == [["Scranton"]]


def test_a_config_that_leaves_no_room_is_refused(dlp):
    with pytest.raises(ValueError, match="too little room"):
        detector(dlp, content_bytes=1_000)


def test_check_reports_missing_permissions(dlp):
    dlp.failures = [grpc.StatusCode.PERMISSION_DENIED]
    with pytest.raises(UserError, match="PermissionDenied; check the project"):
        detector(dlp).check()


@given(st.lists(st.integers(0, 12)), st.integers(1, 12), st.integers(1, 5))
def test_packs_contain_every_text_once_and_are_full(sizes, max_size, max_items):
    packs = list(packed(range(len(sizes)), sizes, max_size, max_items))
    assert [item for pack in packs for item in pack] == list(range(len(sizes)))
    for pack in packs:
        assert len(pack) <= max_items
        assert sum(sizes[item] for item in pack) <= max_size or len(pack) == 1
    for pack, following in pairwise(packs):
        weight = sum(sizes[item] for item in pack)
        assert len(pack) == max_items or weight + sizes[following[0]] > max_size


OVERLAP = 10

SMALLEST = 10 * (OVERLAP + 1_000)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(["a", "é", "漢", "👩‍🦰", " ", "\n", "\u3000", "x" * 700]), min_size=1, max_size=30
    ),
    st.integers(1, 400),
    st.integers(SMALLEST, 3 * SMALLEST),
    st.integers(1, OVERLAP),
)
def test_windows_cover_a_text_and_overlap(parts, times, size, overlap):
    text = ("".join(parts) * times)[:60_000]
    end = 0
    for i, (start, window) in enumerate(windows(text, size, overlap)):
        assert text[start : start + len(window)] == window
        assert len(window.encode()) <= size
        assert start <= end - overlap if i else start == 0
        assert start + len(window) > end or not text
        end = start + len(window)
    assert end == len(text)


@tabled("endpoint")
def test_hosts_and_test_servers_are_endpoints(endpoint):
    check_endpoint(endpoint)


@tabled("endpoint")
def test_personal_data_never_leaves_this_machine_in_the_clear(endpoint):
    with pytest.raises(UserError, match=r"--dlp-endpoint .*: write HOST"):
        check_endpoint(endpoint)


def test_errors_name_the_fields_of_a_config_but_no_values():
    from google.api_core.exceptions import InvalidArgument
    from google.rpc.error_details_pb2 import BadRequest, ErrorInfo

    violation = BadRequest.FieldViolation(field="inspect_config.limits", description="Pam is no number")
    details = [ErrorInfo(reason="Pam"), BadRequest(field_violations=[violation])]
    error = InvalidArgument("Pam", details=details)
    assert _refused_fields(error) == "the inspect config (inspect_config.limits)"
    assert _refused_fields(InvalidArgument("Pam")) == "the inspect config"


def test_cuts_fall_on_white_space():
    text = "word\n" * 10_000
    windowed = [window for _, window in windows(text, SMALLEST, OVERLAP)]
    assert all(window.startswith("word") and window.endswith("word\n") for window in windowed)


def test_check_gives_up_without_an_answer():
    nobody = SimpleNamespace(endpoint="http://localhost:9")
    with pytest.raises(UserError, match="ServiceUnavailable"):
        detector(nobody, total_timeout_s=0.3).check()
