"""The page of ``tacenda preview`` in a real browser: hostile text stays text, in both colour schemes."""

import base64
import struct
import zlib

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tests.end_to_end.test_preview import Page
from tests.talks import write_lines

pytestmark = pytest.mark.slow
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


@pytest.fixture
def page(chromium, tmp_path):
    """The page of the hostile conversations, in the browser."""
    talks, page = write_lines(tmp_path / "talks.jsonl", TALKS), tmp_path / "page.html"
    words = ["preview", "--input", talks, "--html", page, "--detector", "rules"]
    assert cli_main(cli.run, list(map(str, words))) == 0
    chromium.open(page)
    return chromium


def test_hostile_text_is_text_in_every_field(page):
    seen = Page(page.evaluate("document.documentElement.outerHTML"))
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


@pytest.mark.parametrize(("scheme", "dark"), [("dark", True), ("light", False)])
def test_both_colour_schemes_are_drawn(page, scheme, dark):
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    picture = base64.b64decode(page.send("Page.captureScreenshot")["data"])
    brightness = sum(_first_pixel(picture)) / 3
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
