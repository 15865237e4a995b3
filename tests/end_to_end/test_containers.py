"""The steps of the workers' image in a new environment: install, compile ahead, run by another user."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTAINERS = ROOT / "infra" / "containers"
DOCKERFILE = (CONTAINERS / "Dockerfile").read_text("utf-8")
NOBODY = 65534


def test_every_step_of_the_image_is_one_of_the_scripts_and_no_worker_is_root():
    steps = re.findall(r"^RUN (.*)$", DOCKERFILE, flags=re.M)
    assert [step for step in steps if not step.startswith(("/tmp/image/", "useradd "))] == []
    for target in DOCKERFILE.split("\nFROM ")[3:]:
        assert target.index("USER worker") < target.index("warm.sh")


def test_a_worker_starts_in_the_environment_of_the_image():
    """Else Beam's boot makes one beside itself, where no user but root may write, and no worker starts."""
    base = DOCKERFILE.split("\nFROM ")[2]
    assert "\nENV RUN_PYTHON_SDK_IN_DEFAULT_ENVIRONMENT=1\n" in base


def test_the_image_has_the_beam_of_this_package_and_extras_that_exist():
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    beam = re.search(r"^ARG BEAM=(\d+\.\d+)\.", DOCKERFILE, flags=re.M)
    assert beam is not None
    assert f'"apache-beam>={beam[1]},' in project
    for extras in re.findall(r"^RUN /tmp/image/install\.sh (\S+) ", DOCKERFILE, flags=re.M):
        assert all(f"\n{extra} = [" in project for extra in extras.split(","))


def test_a_missing_wheel_is_reported_in_one_line(tmp_path):
    words = ["sh", str(CONTAINERS / "install.sh"), "s3", str(tmp_path / "none.whl")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def _other_user(python, folder):
    """A user without rights, if we may become one and it can run the interpreter; otherwise None."""
    if os.getuid():
        return None
    for one in (folder, *folder.parents):
        if one.name.startswith("pytest-") or one.parent.name.startswith("pytest-"):
            one.chmod(0o755)
    try:
        subprocess.run([str(python), "-c", "pass"], user=NOBODY, cwd=folder, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return NOBODY


@pytest.mark.slow
def test_the_steps_make_workers_that_compile_nothing(tmp_path):
    source, wheels, venv, cache = (tmp_path / name for name in ("source", "dist", "venv", "cache"))
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, tracked.decode().split("\0")):
        if (ROOT / name).is_file() and not name.startswith(("tests/", "docs/")):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    build = "import sys; from setuptools.build_meta import build_wheel as b; print(b(sys.argv[1]))"
    wheels.mkdir()
    subprocess.run([sys.executable, "-c", build, str(wheels)], cwd=source, check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True, capture_output=True)
    environment = {
        "PATH": f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "TACENDA_CACHE": str(cache),
        "PYTHONSAFEPATH": "1",
        **{name: value for name, value in os.environ.items() if name.startswith("PIP_")},
    }

    def run(*words, user=None):
        return subprocess.run(
            words, env=environment, cwd=tmp_path, user=user, capture_output=True, text=True, check=False
        )

    done = run("sh", str(CONTAINERS / "install.sh"), "", str(next(wheels.glob("*.whl"))))
    assert done.returncode == 0, done.stderr
    user = _other_user(venv / "bin" / "python", tmp_path)
    if user is not None:
        cache.mkdir()
        os.chown(cache, user, user)
        work = tmp_path / "work"
        work.mkdir()
        os.chown(work, user, user)
        environment["TMPDIR"] = str(work)
    done = run("sh", str(CONTAINERS / "warm.sh"), user=user)
    assert done.returncode == 0, done.stderr
    kept = {path: path.stat().st_ino for path in cache.rglob("*.kept")}
    assert len(kept) >= 3
    assert all(path.stat().st_mtime > 4e9 for path in kept)
    out = str((tmp_path / "work" if user else tmp_path) / "out")
    sample = run(
        "python", "-m", "tacenda", "sample", "--conversations", "5", "--output", f"{out}-in", user=user
    )
    assert sample.returncode == 0, sample.stderr
    words = ["anonymize", "--input", f"{out}-in/conversations", "--output", out]
    done = run("python", "-m", "tacenda", *words, user=user)
    assert done.returncode in (0, 3), done.stderr
    assert {path: path.stat().st_ino for path in cache.rglob("*.kept")} == kept
