"""The page of ``tacenda preview`` in a real browser: hostile text stays text, in both colour schemes."""

import json
import shutil
import struct
import subprocess
import zlib

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tests.end_to_end.test_preview import Page

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [pytest.mark.slow, pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")]
SCRIPT = "</script></style></title><script>document.title='owned'</script>"
IMAGE = "\"'><img src=x onerror=\"document.title='owned'\">"
MAIL = "ann.smith@example.com"
TALKS = [
    {
        "conversation_id": SCRIPT,
        "context": IMAGE,
        "turns": [
            {"speaker": IMAGE, "text": f"{SCRIPT} {MAIL} {{{{ 7*7 }}}} ${{x}} ]]> <!-- &amp;"},
            {"speaker": SCRIPT, "text": f'\u202e{MAIL}\u202c <a href="javascript:alert(1)">x</a>'},
        ],
    },
    {"conversation_id": "c2", "turns": [{"speaker": None, "text": f"مرحبا {MAIL}"}]},
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page of the hostile conversations."""
    folder = tmp_path_factory.mktemp("preview")
    talks, page = folder / "talks.jsonl", folder / "page.html"
    talks.write_text("".join(json.dumps(talk) + "\n" for talk in TALKS), "utf-8")
    words = ["preview", "--input", talks, "--html", page, "--detector", "rules"]
    assert cli_main(cli.run, list(map(str, words))) == 0
    return page


def _browse(page, *words):
    assert BROWSER is not None
    command = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={page.parent / 'profile'}",
    ]
    run = subprocess.run(
        [*command, *words, page.as_uri()], capture_output=True, text=True, check=True, timeout=300
    )
    return run.stdout


def test_hostile_text_is_text_in_every_field(page):
    seen = Page(_browse(page, "--dump-dom"))
    tags = {tag for tag, _ in seen.elements}
    assert not tags & {"script", "img", "iframe", "object", "link"}
    assert not [name for _, attributes in seen.elements for name in attributes if name.startswith("on")]
    assert seen.attributes("href", "a") == ["#talk-1", "#talk-2"]
    assert "{{ 7*7 }} ${x} ]]>" in seen.text
    assert SCRIPT in seen.text
    assert IMAGE in seen.text
    assert seen.text.count("owned") >= 4
    # Characters that turn text around are shown, and turn nothing.
    assert "\u202e" not in seen.text
    assert "\\u202e" in seen.text
    said = [attributes["dir"] for _, attributes in seen.elements if attributes.get("class") == "said"]
    assert said[-2:] == ["rtl", "rtl"]


@pytest.mark.parametrize(("scheme", "dark"), [("0", True), ("1", False)])
def test_both_colour_schemes_are_drawn(page, tmp_path, scheme, dark):
    picture = tmp_path / "page.png"
    _browse(
        page,
        f"--screenshot={picture}",
        "--window-size=900,600",
        f"--blink-settings=preferredColorScheme={scheme}",
    )
    brightness = sum(_first_pixel(picture.read_bytes())) / 3
    assert brightness < 80 if dark else brightness > 200


def _first_pixel(png):
    """Red, green and blue of the first pixel: no filter of PNG changes that one."""
    position, data = 8, b""
    while position < len(png):
        size, kind = struct.unpack_from(">I4s", png, position)
        if kind == b"IDAT":
            data += png[position + 8 : position + 8 + size]
        position += size + 12
    row = zlib.decompressobj().decompress(data, 4)
    return row[1], row[2], row[3]
