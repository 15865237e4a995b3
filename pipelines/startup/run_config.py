"""Turn a config into the settings of a run, validated as a whole; used by jobs and by ``config check``."""

from argparse import Namespace
from dataclasses import dataclass, replace
from typing import Any

from tacenda.pipelines.chain.build import key_fingerprints
from tacenda.pipelines.config import sections
from tacenda.pipelines.config.detectors import DetectorSettings, detector_settings
from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.job_settings import ChainSettings, Command
from tacenda.pipelines.config.named_files import config_hash, dictionary_hashes, file_hashes, pin_dictionaries
from tacenda.pipelines.config.output import OutputSettings, output_settings
from tacenda.transforms.detecting.inspect_config import unheeded
from tacenda.transforms.language.coverage import LanguageSettings
from tacenda.transforms.linking.linked import WITNESS, LinkingSettings
from tacenda.transforms.linking.speakers import folded_label
from tacenda.transforms.replacing.settings import ReplacementSettings
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.writing.converting import KEEP


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Settings from a config and its options; the files that it names are not read yet.

    ``notes`` has a line for each harmless setting without effect, and ``in_vain`` one on infoTypes that the
    config names and no active detector can find. ``effective`` is the config with defaults filled in.
    """

    detecting: DetectorSettings
    risk: sections.RiskSettings
    table: ScoreTable
    notes: tuple[str, ...]
    effective: dict[str, Any]
    languages: LanguageSettings
    output: OutputSettings
    replacement: ReplacementSettings
    linking: LinkingSettings
    not_looked_for: dict[str, list[Any]]
    in_vain: tuple[str, ...]

    def chain(
        self, command: Command, spans: tuple[str, ...] = (), all_reviewed: bool = False
    ) -> ChainSettings:
        """The settings of a command's chain, for running it without a job."""
        detecting = replace(self.detecting, rules=pin_dictionaries(self.detecting.rules))
        linking = self.linking
        if command == "inspect":
            # What is looked for is found, whoever stays readable in the end.
            linking = replace(linking, reconcile="none", public_knowledge=False)
        dictionaries, reviews = dictionary_hashes(detecting.rules), file_hashes(spans)
        known: list[Any] = [command, self.effective, dictionaries, reviews, all_reviewed]
        known += [key_fingerprints(self.replacement), [file.sha256 for file in self.replacement.lists]]
        of_text: dict[str, Any] = {
            "languages": self.languages,
            "replacement": self.replacement,
            "linking": linking,
        }
        of_review = spans, all_reviewed
        return ChainSettings(command, detecting, self.risk, config_hash(known), *of_review, **of_text)

    def reading(self, given: ReadOptions) -> ReadOptions:
        """The given options, with the fields that the config keeps."""
        kept = dict.fromkeys((*self.output.kept(), *given.keep))
        return replace(given, keep=tuple(kept), opaque={**given.opaque, **self.output.opaque})


def run_config(command: Command, document: ConfigDocument, arguments: Namespace) -> RunConfig:
    """Validate a config as a whole, with the options on detectors, scores and output."""
    told = unheeded(document.section("inspect"))
    replacement, of_replacement = sections.read_replacement(document)
    notes = tuple(f"{document.name}: {note}" for note in (*told, *of_replacement))
    detecting = detector_settings(document, arguments)
    risk = sections.risk_settings(document)
    table = risk.table()
    if command == "anonymize":
        sections.refuse_unscored(document, detecting.found, table)
    known = {*detecting.found.info_types, *(one.info_type for one in detecting.found.custom)}
    sections.refuse_unknown_kept(document, replacement, known)
    languages = sections.language_settings(document, detecting.covered_languages())
    output = output_settings(document, arguments)
    kept = (folded_label(label) for label, role in output.roles.items() if role == KEEP)
    linking = replace(sections.linking_settings(document), roles=frozenset(kept))
    if linking.reconcile != "none":
        known.add(WITNESS)
    elif output.dictionary is not None:
        raise document.error(
            "entities.reconcile",
            "a dictionary of who is who (--dictionary, output.dictionary) takes clusters that are reconciled; "
            "set paper or conservative",
        )
    missing = detecting.not_looked_for(table)
    effective = {
        **sections.effective_config(document, detecting.found, risk),
        "deidentify": sections.without_keys(document.section("deidentify")),
        "detectors": detecting.to_dict(),
        "entities": linking.to_dict(),
        "languages": languages.to_dict(),
        "output": output.to_dict(),
        "replacement": sections.describe_replacement(replacement),
    }
    # What the config names and no active detector can find; it may be misspelt.
    inspect, vain = document.section("inspect"), list[str]()
    named = inspect.get("info_types") or inspect.get("infoTypes") or ()
    asked = {entry.get("name") for entry in named if isinstance(entry, dict)}
    asked.update(document.section("look_for").get("also") or ())
    if lost := [name for name in missing["in_vain"] if name in asked]:
        vain.append(
            f"{document.name}: inspect.info_types: no active detector can find {', '.join(lost)}; the report "
            "says so under what was not looked at"
        )
    transformed = dict.fromkeys(name for policy in replacement.policies for name in policy.info_types)
    if lost := [name for name in transformed if name not in known]:
        vain.append(
            f"{document.name}: deidentify: nothing looks for {', '.join(lost)}; add it to inspect.info_types, "
            "or spell it as 'tacenda config infotypes' does"
        )
    in_vain = tuple(vain)
    return RunConfig(
        detecting, risk, table, notes, effective, languages, output, replacement, linking, missing, in_vain
    )
