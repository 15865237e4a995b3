"""Judge a corpus again whose conversations are no longer those of one run: some were added, or erased."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tacenda.pipelines.config.job_settings import RiskSettings
from tacenda.pipelines.output.circumstances import facts_of, problems_of_rows, problems_of_scores
from tacenda.pipelines.output.manifest_facts import languages_summary
from tacenda.pipelines.output.next_steps import next_steps
from tacenda.pipelines.output.output_folder import WRITTEN_WHILE_READ
from tacenda.transforms.releasing.judging import judge, with_next_steps
from tacenda.transforms.releasing.manifest import rows_entry, totals_entry
from tacenda.transforms.releasing.recounting import COLUMNS, Recount, recount
from tacenda.transforms.releasing.report import render
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.scoring.sampling import sampling_statistics
from tacenda.transforms.scoring.statistics import RiskSketch
from tacenda.transforms.scoring.swap_figures import swap_statistics
from tacenda.transforms.storage.tables import read_columns


class Rejudged(NamedTuple):
    """Manifest and statistics of a corpus as they have to be written, and what a report needs beside them."""

    state: State
    manifest: dict[str, Any]
    figures: dict[str, Any]

    def report_of(self, manifest: Mapping[str, Any]) -> str:
        """The report; ``manifest`` is this one with its entries on tables and corpus."""
        return render(manifest, self.figures)


def recounted(urls: Sequence[str]) -> Recount:
    """The totals of some files of risk records."""
    return recount(read_columns(url, list(COLUMNS)) for url in urls)


def unread(sketch: RiskSketch, figures: Mapping[str, Any], without: Sequence[str] = ()) -> None:
    """Count the conversations that have no score, which no record tells, as ``statistics.json`` has them."""
    for source, told in figures["sources"].items():
        for context, group in told["contexts"].items() if source not in without else ():
            sketch.add_unreviewed(source, context, group["unreviewed"])


def rejudged(
    manifest: Mapping[str, Any],
    totals: Totals,
    counted: Recount,
    release_anyway: str | None,
) -> Rejudged:
    """The verdict on a corpus, and everything that tells of it.

    Args:
        manifest: that of the corpus, but for rows, totals and verdict; its last verdict tells what only the run
            could see.
        totals: of the whole corpus.
        counted: the risk records of the whole corpus, with those of a review that is bound, and conversations
            without a score.
        release_anyway: the reason to release against the criterion.
    """
    risk = RiskSettings(**manifest["config"]["risk"])
    review, sketch = manifest.get("review"), counted.sketch
    bound, populations = (None, None) if review is None else (review["source"], review["populations"])
    statistics = sketch.compute(risk.threshold, populations={bound: populations or {}} if bound else None)
    told = manifest["verdict"]
    gate = replace(risk.gate(release_anyway), because=risk.because if bound is None else told.get("because"))
    manifest = {
        # Styles were compared in the corpus as it was.
        **{entry: told for entry, told in manifest.items() if entry != "linkability"},
        "rows": rows_entry(totals),
        "totals": totals_entry(totals),
        "identifiability": counted.remains.figures(),
    }
    problems = [
        *(reason for reason in told["problems"] if reason.startswith(WRITTEN_WHILE_READ)),
        *problems_of_rows(manifest, totals),
        *problems_of_scores(manifest, statistics),
    ]
    judgement = judge(statistics, gate, facts_of(manifest, totals, gate, statistics), problems)
    if bound is None:
        judgement = with_next_steps(judgement, next_steps(judgement, "anonymize"))
    manifest["verdict"] = judgement.to_json()
    figures = {
        **statistics.to_json(),
        "skipping": sampling_statistics(totals.sampling),
        "languages": languages_summary(manifest, totals),
        "identifiability": manifest["identifiability"],
    }
    if (swapped := swap_statistics(totals.swapped)) is not None:
        figures["swap_test"] = swapped
    return Rejudged(judgement.state, manifest, figures)
