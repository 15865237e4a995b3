"""A run with a small manifest, to be judged by tests."""

from tacenda.transforms.releasing.manifest import counts_entries
from tacenda.transforms.releasing.recount import Recount
from tacenda.transforms.releasing.run import Run
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.scoring.statistics import RiskSketch

RISK = {"preset": "appendix", "overrides": {}, "labels": {}, "variant_clustering": False}
REPLACEMENT = {"policies": [], "keep": {}, "lists": [], "eponyms": False}


def scored(source="gold", count=100, score=0, contexts=("sales",), direct=0):
    """Scores of conversations, some of them with a direct identifier."""
    sketch = RiskSketch()
    for context in contexts:
        sketch.add(source, context, score, times=count - direct)
        if direct:
            sketch.add(source, context, 5, True, True, times=direct)
    return sketch


def a_run(sketch, gate=None, config=None, entries=None, command="anonymize", **totals):
    """A run of a hundred rows, whose manifest has these entries and whose config says these of its sections."""
    rows = {"rows_in": 100, **totals}
    rows = {"rows_out": rows["rows_in"] - rows.get("rows_quarantined", 0), **rows}
    languages = {"covered": [], "accepted": {}, "uncovered": "hold"}
    sections = {
        "risk": {**RISK, **(gate or {})},
        "detectors": {},
        "replacement": REPLACEMENT,
        "languages": languages,
    }
    manifest = {
        "command": command,
        "config": sections | {name: sections.get(name, {}) | own for name, own in (config or {}).items()},
        "run": {"reviewer": None, "fields": {}, "drop_over": 5, "reviews_given": 0},
        "fields": {},
        **counts_entries(Totals(**rows)),
        **(entries or {}),
    }
    return Run(manifest, Recount(sketch))


def review_of(read, direct=0, populations=None, **more):
    """The manifest's entry on a review of some of ten thousand conversations."""
    populations = populations or {"sales": 10_000}
    reading = {"source": "human", "population": sum(populations.values()), "drawn": read, "read": read}
    reading |= {"direct": direct, "named": direct}
    told = {"source": "human", "populations": populations, "readers": {"Pam Beesly": read}, "lowered": 0}
    return {"review": {**told, "reading": {**reading, **more}}}
