"""The built and installed package: one import package that no folder of the user can replace."""

import gzip
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
HOSTILE = "raise SystemExit('a folder of the user was imported')\n"
TURNS = '[{"speaker": "agent", "text": "Hello Alice Johnson, your number is 212-555-0172."}]'
RECORD = f'{{"conversation_id": "a", "turns": {TURNS}}}\n'


def _build(what, source, into):
    script = f"import sys; from setuptools.build_meta import build_{what} as build; print(build(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", script, into], cwd=source, capture_output=True, check=True)
    (built,) = into.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel built from the sdist of git's files here, as Beam stages it and an index serves it."""
    folder = tmp_path_factory.mktemp("built")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.split():
        if (ROOT / name).exists():
            (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / "source" / name)
    for made in ("sdist", "wheel"):
        (folder / made).mkdir()
    with tarfile.open(_build("sdist", folder / "source", folder / "sdist")) as sdist:
        sdist.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    return _build("wheel", unpacked, folder / "wheel")


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """A separate environment with the wheel; dependencies are borrowed from the one that runs the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    install = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", "--quiet"]
    subprocess.run([*install, "--no-index", "--no-deps", wheel], check=True)
    # As plain paths: what an editable install hooks in would find this checkout.
    lent = [path for path in sys.path if path.endswith("-packages")]
    (packages / "lent.pth").write_text("\n".join(lent), encoding="utf-8")
    return folder / "bin" / "python"


def _run(program, *words, here, **more):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [program, *map(str, words)],
        cwd=here,
        env={**environment, **more},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def hostile(tmp_path):
    for name in ("pipelines", "models", "transforms"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(HOSTILE, encoding="utf-8")
    (tmp_path / "in.jsonl").write_text(RECORD, encoding="utf-8")
    return tmp_path


def test_the_wheel_holds_one_import_package_whole(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"tacenda"}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    folders = ("pipelines/", "models/", "transforms/")
    ours = {f"tacenda/{name}" for name in listed.split() if name.startswith(folders)}
    ours |= {name for name in listed.split() if name.startswith("tacenda/")}
    ours = {
        name for name in ours if (ROOT / name.removeprefix("tacenda/")).exists() or (ROOT / name).exists()
    }
    assert ours - {*names} == set()


@pytest.mark.parametrize("workers", [1, 2])
def test_packages_in_the_users_folder_are_not_imported(python, hostile, workers):
    words = ("anonymize", "--input", "in.jsonl", "--output", "out", "--workers", workers)
    run = _run(python, "-m", "tacenda", *words, here=hostile, PYTHONPATH=".")
    assert run.returncode in (0, 3), run.stderr
    assert "Alice" not in "".join(
        path.read_bytes().decode("latin-1") for path in (hostile / "out").rglob("*.jsonl*")
    )
    imported = _run(python, "-c", "import tacenda.models as m; print(m.__file__)", here=hostile)
    assert Path(imported.stdout.strip()).is_relative_to(python.parent.parent)


def test_the_installed_command_says_its_version_and_anonymises(python, hostile):
    command = python.with_name("tacenda")
    version = _run(command, "--version", here=hostile)
    assert (version.returncode, version.stderr) == (0, "")
    assert version.stdout.startswith("tacenda ")
    words = ("--input", "in.jsonl", "--output", "out", "--detector", "rules", "--workers", 1, "--quiet")
    run = _run(command, "anonymize", *words, here=hostile, PYTHONPATH=".")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    with gzip.open(next((hostile / "out").glob("corpus*/*.jsonl.gz")), "rt") as corpus:
        assert "your number is [PHONE_NUMBER_1]" in corpus.read()


def test_running_a_module_of_a_checkout_uses_the_package(tmp_path):
    script = (
        "import runpy, sys; sys.argv = ['x', '--help']\n"
        "try: runpy.run_module('pipelines.anonymize', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "print(sorted(n for n in sys.modules if n.split('.')[0] in ('pipelines', 'models', 'transforms')))"
    )
    run = _run(Path(sys.executable), "-c", script, here=ROOT)
    assert "tacenda anonymize" in run.stdout, run.stderr
    assert run.stdout.splitlines()[-1] == "['pipelines']", run.stdout
