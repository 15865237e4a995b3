"""What a verdict rests on besides its figures, as sentences: weaker settings, what is kept, doubtful gold.

Everything follows from the manifest, so that a later judgement, to verify the run or by a review, says the
same.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tacenda.transforms.detecting.correcting.eponyms import EPONYM
from tacenda.transforms.detecting.correcting.marks import PROTECTED
from tacenda.transforms.detecting.user_rules import EXCLUDED
from tacenda.transforms.language.coverage import TURNS, undecided
from tacenda.transforms.language.identifying import language_tables
from tacenda.transforms.linking.linked import PUBLIC_KNOWLEDGE, PUBLIC_ROLE
from tacenda.transforms.releasing.criterion import DEFAULT_GATE, Ground, sentence
from tacenda.transforms.releasing.manifest import CHANGES
from tacenda.transforms.releasing.run import Run
from tacenda.transforms.replacing.replacement import LISTED, UNHIDDEN
from tacenda.transforms.replacing.settings import KEPT
from tacenda.transforms.replacing.standing_out import HIDDEN, SHOWN, SUSPECTED
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.scoring.detector_checks import PLACES
from tacenda.transforms.scoring.score_table import ScoreTable, Unscored

_MANY_WORDLESS = 0.05
"""Share of conversations without a word from which on they make the figures look better."""

_OUTSIDE_GOLD, _SAME_AS_GOLD, _CUT_SPANS, _FEW_SPANS = 1 / 3, 0.99, 0.05, 20
"""Shares from which on gold is doubtful: of findings that it lacks, of places equal to findings, and of spans
that cut words or are readable without points; the latter from so many spans on."""

_MANY_TURNS = 200
"""Turns in which a model finds something, if it works."""

Grounds = Iterator[Ground]


def grounds_of(run: Run) -> Grounds:
    """What the settings and counts of a run, and a review of it, say for and against it."""
    anonymizing = (_of_detectors, _of_replacement, _of_entities, _of_names_that_stand_out)
    for part in (
        *(_of_gate, _of_scores, *(anonymizing if run.manifest["command"] == "anonymize" else ())),
        *(_of_conversations, _of_what_was_not_looked_for, _of_gold, _of_reasons, _of_changes, _of_review),
    ):
        yield from part(run)


def _ground(key: str, weakens: bool = False, /, **values: Any) -> Ground:
    return Ground(sentence(key, **values), weakens)


def _of_gate(run: Run) -> Grounds:
    """Gate settings lower than the defaults."""
    if run.gate.release_on == "no_review":
        yield _ground("gate_unread", True, key="risk.release_on")
    for key, of, sign in (
        ("risk.threshold", "", 1),
        ("release.direct_identifiers_at_most", "", 1),
        ("risk.least_conversations", " of a context", -1),
        ("risk.largest_quarantined_share", "", 1),
    ):
        asked, default = (getattr(gate, key.partition(".")[2]) for gate in (run.gate, DEFAULT_GATE))
        if sign * asked > sign * default:
            yield _ground("gate_lowered", True, key=key, asked=asked, of=of, default=default)


def _of_scores(run: Run) -> Grounds:
    """Tags and labels that score less than in the shipped table."""
    risk, shipped = run.manifest["config"]["risk"], ScoreTable.load()
    table = ScoreTable.load(risk["preset"], risk["overrides"], risk["labels"])
    for name, row in table.rows.items():
        before = shipped.rows[name]
        if row.score < before.score:
            yield _ground("score", True, name=name, score=row.score, before=before.score)
        elif (score := row.partial_score) < before.partial_score:
            yield _ground("partial_score", True, name=name, score=score, before=before.partial_score)
        if before.direct and not row.direct:
            yield _ground("not_direct", True, name=name)
    for label, meaning in table.labels.items():
        was = shipped.labels.get(label)
        if isinstance(was, Unscored):
            continue
        if isinstance(meaning, Unscored):
            yield _ground("unscored", True, name=label)
        elif was is None:
            yield _ground("scores_by_config", name=label, tag=meaning.name)
        elif meaning != was and (
            shipped.weigh(meaning).score < shipped.weigh(was).score
            or table.is_direct(label) < shipped.is_direct(label)
        ):
            yield _ground("scores_as", True, name=label, tag=meaning.name)
    if risk["variant_clustering"]:
        yield _ground("sound_alike", True)


def _of_detectors(run: Run) -> Grounds:
    """Text in languages that count as covered because the user says so, thresholds of the config, and what
    exclusion rules rejected (``detecting.user_rules``), which stays readable.
    """
    detectors, counts = run.manifest["config"]["detectors"], run.totals.languages
    names = language_tables().names
    for code in detectors.get("claimed", ()):
        if turns := counts.get(f"{TURNS}/{code}", 0):
            yield _ground("claimed_language", True, name=names.get(code, code), n=turns)
    if models := detectors.get("decided_by_config", ()):
        yield _ground("decided_by_config", names=", ".join(models))
    if rules := run.manifest.get("exclusion_rules", 0):
        rejected = {name: n for name, n in _by_why(run.totals.sampling, EXCLUDED).items() if n}
        by_gold = set(run.totals.annotations) == {"gold"}
        told = _named(rejected) or "nothing"
        yield _ground("exclusions", bool(rejected) and not by_gold, rules=rules, rejected=told)


def _of_replacement(run: Run) -> Grounds:
    """What replacement values still reveal, and what was left readable by request."""
    told, readable = run.manifest["config"]["replacement"], run.totals.readable
    if invented := told.get("drawn"):
        yield _ground("invented", what=", ".join(invented))
    if told.get("scope") == "corpus":
        yield _ground("one_number", True)
    for policy in told["policies"]:
        if policy.get("readable"):
            names = ", ".join(policy["info_types"]) or "all other infoTypes"
            state = "pseudonymised, not anonymised: " if policy["pseudonymised"] else ""
            left = {"what": policy["what"], "readable": policy["readable"]}
            yield _ground("policy", True, names=names, state=state, **left)
    if same := _by_why(readable, UNHIDDEN):
        yield _ground("unhidden", True, n=sum(same.values()), names=", ".join(same))
    if listed := sum(_by_why(readable, LISTED).values()):
        yield _ground("listed", True, n=listed)
    for info_type, reason in sorted(told["keep"].items()):
        yield _ground("kept", True, name=info_type, n=readable.get(f"{KEPT}/{info_type}", 0), reason=reason)
    if told["lists"]:
        yield _ground("protected", True, n=sum(_by_why(readable, PROTECTED).values()))
    if told["eponyms"]:
        yield _ground("eponyms", True, n=sum(_by_why(readable, EPONYM).values()))


def _of_entities(run: Run) -> Grounds:
    """Who stays readable by the rules of linking."""
    told, readable = run.manifest["config"].get("entities", {}), run.totals.readable
    if told.get("public_knowledge"):
        yield _ground("public_knowledge", True, n=sum(_by_why(readable, PUBLIC_KNOWLEDGE).values()))
    if (rules := told.get("reconcile", "none")) != "none":
        left = _by_why(readable, PUBLIC_ROLE)
        roles = f" ({_named(left)})" if left else ""
        yield _ground("public_roles", True, rules=rules, n=sum(left.values()), roles=roles)


def _of_names_that_stand_out(run: Run) -> Grounds:
    """Names that stand out among surrogates (``replacing.standing_out``), and models that find nothing.

    A name that was found in one place and can be told in another undoes the hiding; a word that only may be a
    name is for people to look at.
    """
    told, totals = run.manifest.get("hidden_in_plain_sight", {}), run.totals
    for key, name in ((SHOWN, "shown"), (SUSPECTED, "suspected")):
        if count := told.get(key, 0):
            yield _ground(name, name == "shown", n=count, of=told[HIDDEN])
    ran, found = (totals.sampling.get(f"{PLACES}/{what}", 0) for what in ("all", "findings"))
    if ran and totals.turns >= _MANY_TURNS and not found:
        yield _ground("idle_models", n=totals.turns)
    if totals.rows_not_read:
        yield _ground("limited", n=totals.rows_in - totals.rows_not_read, rows=counted(totals.rows_in, "row"))


def _of_conversations(run: Run) -> Grounds:
    totals, told = run.totals, run.manifest["run"]
    if totals.wordless:
        many = totals.wordless > _MANY_WORDLESS * totals.conversations
        yield _ground("wordless", many, n=totals.wordless, of=totals.conversations)
    if totals.unsigned and told["reviewer"] is None:
        yield _ground("unsigned", True, n=totals.unsigned)
    if named := told["fields"].get("context"):
        yield _ground("context_field", name=named)
    too_short = undecided(totals.languages)
    if 2 * too_short > totals.conversations:
        yield _ground("too_short", n=counted(too_short, "conversation"))


def _of_what_was_not_looked_for(run: Run) -> Grounds:
    told = run.manifest.get("not_looked_for", {})
    direct, other = _direct_kinds(run), [kind["tag"] for kind in told.get("kinds", ()) if not kind["direct"]]
    rules = {name: told.get(name) for name in ("weakly", "by_config")}
    for name, tags in {"direct_kinds": direct, **rules, "other_kinds": other}.items():
        if tags:
            yield _ground(name, tags=", ".join(tags))


def _direct_kinds(run: Run) -> list[str]:
    kinds = run.manifest.get("not_looked_for", {}).get("kinds", ())
    return [kind["tag"] for kind in kinds if kind["direct"]]


def _of_gold(run: Run) -> Grounds:
    """What speaks against gold; if people read the corpus as well, the verdict does not rest on it."""
    totals, unread = run.totals, "human" not in run.people
    found, spans, outside, beside, same, cut, joined = (
        totals.of_gold.get(name, 0)
        for name in ("findings", "spans", "outside", "beside", "same", "cut", "joined")
    )
    if outside > _OUTSIDE_GOLD * found:
        yield _ground("gold_lacks", unread, n=outside, of=found)
    if beside:
        yield _ground("gold_beside", unread, n=beside)
    if found >= _FEW_SPANS and same >= _SAME_AS_GOLD * max(found, spans):
        yield _ground("gold_same", unread, n=same, of=max(found, spans))
    if cut > _CUT_SPANS * spans:
        yield _ground("gold_cuts", unread, n=cut, of=spans)
    if joined:
        yield _ground("gold_joins", unread, n=counted(joined, "conversation"))
    labels = {n: c for n, c in sorted(totals.unscored.items()) if "DATE" not in n and "TIME" not in n}
    if spans and labels:
        many = sum(labels.values()) > _CUT_SPANS * spans
        yield _ground("gold_unscored", unread and many, named=_named(labels))
    direct = _direct_kinds(run)
    if direct and set(totals.annotations) == {"gold"} and totals.of_gold.get("spans") == 0:
        yield _ground("gold_empty", True, tags=", ".join(direct))


def _of_reasons(run: Run) -> Grounds:
    """Reasons that users gave."""
    for name, reason in sorted(run.manifest["config"]["languages"]["accepted"].items()):
        yield _ground("accepted_language", name=name, reason=reason)
    for name, reason in sorted(run.manifest["fields"].get("opaque", {}).items()):
        yield _ground("opaque", name=name, reason=reason)
    if run.gate.because is not None:
        yield _ground("because", reason=run.gate.because)


def _of_changes(run: Run) -> Grounds:
    """Whoever erases what scores high gets a better verdict, without a ``--drop-over`` that would tell it;
    whoever adds what scores low lowers the mean.
    """
    entries = run.manifest.get(CHANGES, ())
    erasures = [entry for entry in entries if entry["change"] == "erased"]
    if erased := sum(entry["conversations"] for entry in erasures):
        failed = not all(entry["criterion_met_before"] for entry in erasures)
        before = ", before which the criterion was not met" if failed else ""
        yield _ground("erased", failed, were=_were(erased), before=before)
    additions = [entry for entry in entries if entry["change"] == "added"]
    if failing := [entry["conversations"] for entry in additions if not entry["criterion_met_before"]]:
        yield _ground("added", were=_were(sum(failing)))


def _of_review(run: Run) -> Grounds:
    """What weakens a verdict from a review: other text was read, or may have been."""
    review = run.manifest.get("review", {})
    if lowered := review.get("lowered", 0):
        yield _ground("lowered", True, n=lowered)
    if unused := review.get("samples_unused", 0):
        yield _ground("samples_unused", True, n=counted(unused, "sample was", "samples were"))
    if hidden := review.get("not_shown", 0):
        yield _ground("not_shown", True, n=counted(hidden, "conversation"))


def _were(number: int) -> str:
    return counted(number, "conversation was", "conversations were")


def _by_why(counts: Mapping[str, int], why: str) -> dict[str, int]:
    """The counts under ``why/name``, by name."""
    return {key.partition("/")[2]: n for key, n in sorted(counts.items()) if key.partition("/")[0] == why}


def _named(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())
