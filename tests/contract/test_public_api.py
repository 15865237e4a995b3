"""The public API of ``import tacenda``: pinned names, quick import, documentation with running examples."""

import doctest
import inspect
import subprocess
import sys

import apache_beam
import pyarrow
import pytest

import tacenda
import tacenda.beam
from tests.public_names import GOLDEN, listing, public_names

NAMES = list(public_names())
HEAVY = ("apache_beam", "google", "numpy", "onnxruntime", "pyarrow", "yaml")


def test_names_and_signatures_are_the_golden_ones():
    assert listing() == GOLDEN.read_text(encoding="utf-8"), "python -m tests.public_names writes them anew"


def _imported(code, names=HEAVY):
    # Some packages of Google put their namespace into every interpreter at its start, by a .pth file.
    print_new = f"print(*{{*{names!r}}} & sys.modules.keys() - at_start)"
    code = f"import sys; at_start = {{*sys.modules}}; {code}; {print_new}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


def test_importing_is_light_until_something_is_used():
    assert _imported("import tacenda") == set()
    assert (
        _imported("from tacenda import Anonymizer, Config, ReadOptions, Result, UserError; Config()") == set()
    )
    assert "pyarrow" in _imported(
        "import tacenda; tacenda.Anonymizer(tacenda.Config.load(detectors=['rules']))"
    )


def test_beam_is_imported_by_its_own_module_alone():
    use = "import tacenda; a = tacenda.Anonymizer(tacenda.Config.load(detectors=['rules'])); a.anonymize('x')"
    assert _imported(use, ("apache_beam",)) == set()
    # Beam's inference package would bring torch along, where it is installed.
    assert _imported("import tacenda.beam", ("apache_beam", "torch")) == {"apache_beam"}


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'anonymise'"):
        tacenda.anonymise  # noqa: B018


@pytest.mark.parametrize(("name", "value"), NAMES, ids=[name for name, _ in NAMES])
def test_every_public_name_says_what_it_is(name, value):
    assert value.__doc__, name
    for own, member in vars(value).items():
        if not own.startswith("_") and own != "expand" and callable(member):
            assert inspect.getdoc(member), f"{name}.{own}"


WITH_EXAMPLES = [*NAMES, ("tacenda.beam", tacenda.beam)]


@pytest.mark.parametrize(("name", "value"), WITH_EXAMPLES, ids=[name for name, _ in WITH_EXAMPLES])
def test_examples_of_public_names_run(name, value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    globs = {full.rpartition(".")[2]: thing for full, thing in NAMES} | {"beam": apache_beam, "pa": pyarrow}
    # Found by its class, which says its module, and not by the module that hands it out.
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    said = []
    home = sys.modules[getattr(value, "__module__", name)]
    # Those of a module are what it says itself; its names have their own turn.
    found = finder.find(value, name, module=home, globs={**globs})
    for test in found if isinstance(value, type) else found[:1]:
        runner.run(test, out=said.append)
    assert not runner.summarize(verbose=False).failed, "".join(said)


def test_what_does_something_has_an_example():
    without = [
        name
        for name, value in NAMES
        if name.startswith("tacenda.beam.") and ">>>" not in (value.__doc__ or "") and isinstance(value, type)
    ]
    assert without == []
