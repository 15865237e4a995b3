"""The ``models`` section becomes settings, or a one-line error."""

import json
import shutil
from pathlib import Path

import pytest

from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.token_classifier.package import CURVE
from tacenda.pipelines.config.document import ConfigDocument, load_config
from tacenda.pipelines.config.sections import model_settings
from tacenda.transforms.schema.errors import UserError
from tests.cases import tabled

TINY = str(Path(__file__).parents[3] / "golden" / "tiny_model")
MASKED = str(Path(__file__).parents[3] / "golden" / "tiny_masked_lm")
PACKAGES = {"{tiny}": TINY, "{masked}": MASKED}


def document(*models):
    return ConfigDocument("config", {"models": list(models)})


def test_the_package_decides_unless_the_config_does():
    plain, own = model_settings(
        document({"path": TINY}, {"path": TINY, "decision": {"threshold": 0.5}, "threads": 2})
    )
    assert plain.decision == Decision(Rule.SUM, 0.2)
    assert plain.fingerprint == own.fingerprint
    assert (own.decision.threshold, own.threads) == (0.5, 2)
    assert plain.to_dict() != own.to_dict()


def test_the_command_line_wins():
    (settings,) = model_settings(document({"path": "/nowhere"}), [TINY])
    assert settings.path == TINY


@tabled("entry", "wrong")
def test_invalid_settings_are_refused(entry, wrong):
    if isinstance(entry, dict) and entry.get("path") in PACKAGES:
        entry = {**entry, "path": PACKAGES[entry["path"]]}
    with pytest.raises(UserError) as raised:
        model_settings(document(entry))
    assert str(raised.value).startswith("config: ")
    assert wrong in str(raised.value)


def test_a_mistake_is_reported_with_its_line(tmp_path):
    path = tmp_path / "c.yaml"
    path.write_text("inspect: {}\nmodels:\n  - path: /no/where\n")
    with pytest.raises(UserError, match=r"c\.yaml:3: models\[0\]: model /no/where: no file"):
        model_settings(load_config(str(path)))
    path.write_text("models: {path: x}\n")
    with pytest.raises(UserError, match=r"c\.yaml:1: models: must be a list"):
        model_settings(load_config(str(path)))


def test_languages_without_figures_are_claims(tmp_path):
    package = shutil.copytree(TINY, tmp_path / "package")
    (package / CURVE).write_text('{"figures": {"support": 20}}')
    of_the_package, of_the_config, unmeasured = model_settings(
        document(
            {"path": str(package)}, {"path": str(package), "languages": ["de", "en", "no"]}, {"path": TINY}
        )
    )
    assert (of_the_package.languages, of_the_package.claimed) == (("en",), ())
    assert "claimed" not in of_the_package.to_dict()
    assert of_the_config.claimed == ("de", "nb")
    assert of_the_config.to_dict()["claimed"] == ["de", "nb"]
    assert unmeasured.claimed == ("en",)


@tabled("curve", "own", "claimed")
def test_figures_of_a_package_are_evidence_for_their_own_languages(tmp_path, curve, own, claimed):
    package = shutil.copytree(TINY, tmp_path / "package")
    (package / CURVE).write_text(json.dumps(curve))
    described = json.loads((package / "package.json").read_text())
    (package / "package.json").write_text(json.dumps({**described, "languages": own}))
    (settings,) = model_settings(document({"path": str(package), "languages": ["en", "no", "fi", "de"]}))
    assert list(settings.claimed) == claimed


def test_the_shipped_model_was_measured_in_all_its_languages():
    (settings,) = model_settings(ConfigDocument("c.yaml"))
    assert (settings.languages, settings.claimed) == (("da", "en", "es", "fi", "nb", "sv"), ())


def test_figures_in_a_language_that_the_package_does_not_name_are_no_evidence():
    (settings,) = model_settings(ConfigDocument("c.yaml", {"models": [{"languages": ["en", "fr", "de"]}]}))
    assert settings.claimed == ("fr", "de")


def test_a_masked_model_covers_no_language_in_which_it_finds_nothing():
    decision = {"rule": "binary", "threshold": 0, "by_language": {"en": 0.001, "es": 0}}
    (settings,) = model_settings(
        document({"path": MASKED, "decision": decision, "languages": ["en", "es", "de"]})
    )
    assert settings.languages == ("en",)


def test_an_empty_path_is_no_model():
    with pytest.raises(UserError, match="--model: the path is empty"):
        model_settings(ConfigDocument("c.yaml"), [""])
