"""A real Chromium that tests drive by key, over the pipe of its DevTools protocol: no driver is needed."""

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

_NAMED = {
    "ArrowRight": 39, "ArrowLeft": 37, "ArrowUp": 38, "ArrowDown": 40, "Enter": 13, "Delete": 46, "Tab": 9,
}  # fmt: skip
_SHIFT, _CONTROL = 8, 2
_PATIENCE_S = 60.0


class Browser:
    """One page of a running Chromium; ``folder`` holds its profile and its downloads."""

    def __init__(self, folder: Path) -> None:
        assert CHROMIUM is not None
        self.downloads = folder / "downloads"
        self.downloads.mkdir(parents=True, exist_ok=True)
        (theirs, self._commands), (self._answers, their_answers) = os.pipe(), os.pipe()

        def attach() -> None:  # Chromium reads commands on 3 and answers on 4
            low, high = os.dup(theirs), os.dup(their_answers)
            os.dup2(low, 3)
            os.dup2(high, 4)

        words = [
            *("--headless", "--window-size=1200,800", "--no-sandbox", "--disable-gpu"),
            "--remote-debugging-pipe",
        ]
        self._process = subprocess.Popen(
            [CHROMIUM, *words, f"--user-data-dir={folder / 'profile'}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=attach,
        )
        os.close(theirs)
        os.close(their_answers)
        self._number, self._session, self._read = 0, "", b""
        pages = self.send("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in pages if one["type"] == "page")
        self._session = self.send("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self.send("Page.enable")

    def send(self, method: str, **parameters: Any) -> Any:
        """Run a command of the protocol; returns its result."""
        self._number += 1
        told = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            told["sessionId"] = self._session
        os.write(self._commands, json.dumps(told).encode() + b"\0")
        while True:
            answer = self._answer()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer)
                return answer["result"]

    def _answer(self) -> Any:
        while b"\0" not in self._read:
            ready, _, _ = select.select([self._answers], [], [], _PATIENCE_S)
            assert ready, "Chromium does not answer"
            more = os.read(self._answers, 1 << 16)
            assert more, "Chromium has ended"
            self._read += more
        told, _, self._read = self._read.partition(b"\0")
        return json.loads(told)

    def open(self, page: Path) -> None:
        self.send("Page.navigate", url=page.as_uri())
        _wait_until(
            lambda: self.evaluate("document.readyState + location.href") == "complete" + page.as_uri()
        )

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        found = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def text(self, selector: str) -> str:
        return str(self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent"))

    def press(self, *keys: str) -> None:
        """Press keys one after the other, such as ``Shift+ArrowRight``, ``a`` or ``Control+z``."""
        for key in keys:
            *held, name = key.split("+") if len(key) > 1 else [key]
            modifiers = _SHIFT * ("Shift" in held) + _CONTROL * ("Control" in held)
            told: dict[str, Any] = {"key": name, "modifiers": modifiers}
            if name in _NAMED:
                told["windowsVirtualKeyCode"] = _NAMED[name]
            elif not held:
                told["text"] = name
            self.send("Input.dispatchKeyEvent", type="keyDown", **told)
            self.send("Input.dispatchKeyEvent", type="keyUp", key=name, modifiers=modifiers)

    def write(self, text: str) -> None:
        """Insert text where the focus is."""
        self.send("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        element = f"document.querySelector({json.dumps(selector)})"
        self.evaluate(f"{element}.scrollIntoView({{block: 'center'}})")
        at = f"{element}.getBoundingClientRect()"
        place = self.evaluate(f"(r => ({{x: r.x + r.width / 2, y: r.y + r.height / 2}}))({at})")
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)

    def downloaded(self) -> Path:
        """The only downloaded file, once it is complete."""
        _wait_until(lambda: [f.suffix for f in self.downloads.iterdir() if f.stat().st_size] == [".json"])
        return next(f for f in self.downloads.iterdir() if f.suffix == ".json")

    def close(self) -> None:
        os.close(self._commands)
        self._process.terminate()
        self._process.wait()
        os.close(self._answers)


@contextmanager
def browsing(folder: Path) -> Iterator[Browser]:
    """A browser that ends with the block."""
    browser = Browser(folder)
    try:
        yield browser
    finally:
        browser.close()


def _wait_until(condition: Callable[[], bool]) -> None:
    """Return once a condition holds; a page that takes so long hangs."""
    until = time.monotonic() + _PATIENCE_S
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)
