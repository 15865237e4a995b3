"""What a verdict rests on besides its figures, as sentences: weaker settings, what is kept, doubtful gold.

Everything follows from the manifest, so that a later judgement, to verify the run or by a review, says the
same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tacenda.transforms.detecting.correcting.eponyms import EPONYM
from tacenda.transforms.detecting.correcting.lists import PROTECTED
from tacenda.transforms.detecting.user_rules import EXCLUDED
from tacenda.transforms.language.coverage import TURNS, undecided
from tacenda.transforms.language.tables import language_tables
from tacenda.transforms.linking.settings import PUBLIC_KNOWLEDGE, PUBLIC_ROLE
from tacenda.transforms.releasing.manifest import CHANGES
from tacenda.transforms.releasing.verdict import DEFAULT_GATE, Gate, Ground
from tacenda.transforms.replacing.replacement import LISTED, UNHIDDEN
from tacenda.transforms.replacing.settings import KEPT
from tacenda.transforms.replacing.standing_out import HIDDEN, SHOWN, SUSPECTED
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.scoring.sampling import PLACES
from tacenda.transforms.scoring.score_table import ScoreTable, Unscored
from tacenda.transforms.scoring.statistics import Statistics

_MANY_WORDLESS = 0.05
"""Share of conversations without a word from which on they make the figures look better."""

_OUTSIDE_GOLD, _SAME_AS_GOLD, _CUT_SPANS, _FEW_SPANS = 1 / 3, 0.99, 0.05, 20
"""Shares from which on gold is doubtful: of findings that it lacks, of places equal to findings, and of spans
that cut words or are readable without points; the latter from so many spans on."""

_MANY_TURNS = 200
"""Turns in which a model finds something, if it works."""


def grounds_of_run(
    manifest: Mapping[str, Any], totals: Totals, gate: Gate, statistics: Statistics
) -> Iterator[Ground]:
    """What the settings and counts of a run say for and against it."""
    risk = manifest["config"]["risk"]
    yield from grounds_of_gate(gate)
    table = ScoreTable.load(risk["preset"], risk["overrides"], risk["labels"])
    yield from grounds_of_scores(table, risk["variant_clustering"])
    if manifest["command"] == "anonymize":
        detectors = manifest["config"]["detectors"]
        yield from grounds_of_languages(detectors.get("claimed", ()), totals.languages)
        yield from grounds_of_decisions(detectors.get("decided_by_config", ()))
        yield from grounds_of_exclusions(
            manifest.get("exclusion_rules", 0), totals.sampling, set(totals.annotations) == {"gold"}
        )
        yield from grounds_of_replacement(manifest["config"]["replacement"], totals.readable)
        yield from grounds_of_entities(manifest["config"].get("entities", {}), totals.readable)
        yield from grounds_of_hiding(manifest.get("hidden_in_plain_sight", {}))
        yield from _of_idle_models(totals)
        if totals.rows_not_read:
            yield Ground(
                f"{totals.rows_in - totals.rows_not_read:,} of {counted(totals.rows_in, 'row')}: the rest was "
                "not read, by request (--limit)"
            )
    if totals.wordless:
        yield Ground(
            f"conversations without a word, which score 0: {totals.wordless:,} of {totals.conversations:,}",
            totals.wordless > _MANY_WORDLESS * totals.conversations,
        )
    if totals.unsigned and manifest["run"]["reviewer"] is None:
        yield Ground(
            "conversations without a mark whose reader nobody names (--reviewer, reviewed_by): "
            f"{totals.unsigned:,}",
            True,
        )
    if named := manifest["run"]["fields"].get("context"):
        yield Ground(f"contexts are taken from the field {named}")
    too_short = undecided(totals.languages)
    if 2 * too_short > totals.conversations:
        yield Ground(
            f"text too short to identify its language, in {counted(too_short, 'conversation')}: most of them"
        )
    yield from _of_what_was_not_looked_for(manifest)
    people = statistics.sources.get("human")
    yield from _of_gold(totals, people is not None and people.total.count > 0)
    direct = [kind["tag"] for kind in _kinds(manifest) if kind["direct"]]
    if direct and set(totals.annotations) == {"gold"} and totals.of_gold.get("spans") == 0:
        yield Ground(
            "gold without a single annotation, of text in which no detector looked for direct identifiers "
            f"({', '.join(direct)})",
            True,
        )
    for name, reason in sorted(manifest["config"]["languages"]["accepted"].items()):
        yield Ground(f"text in {name} is released by request: {reason}")
    for name, reason in sorted(manifest["fields"].get("opaque", {}).items()):
        yield Ground(f"nothing inspected the field {name}: {reason}")
    if gate.because is not None:
        yield Ground(f"the reason given for the settings: {gate.because}")
    yield from _of_erasures(manifest)
    yield from _of_additions(manifest)


def _of_gold(totals: Totals, read: bool) -> Iterator[Ground]:
    """What speaks against gold; if people ``read`` the corpus as well, the verdict does not rest on it."""
    count = totals.of_gold.get
    found, spans, outside = count("findings", 0), count("spans", 0), count("outside", 0)
    if outside > _OUTSIDE_GOLD * found:
        yield Ground(
            f"gold that is declared complete but lacks {outside:,} of the {found:,} places that were replaced",
            not read,
        )
    if beside := count("beside", 0):
        yield Ground(
            f"gold of turns alone, which does not cover the texts of kept fields: {beside:,}", not read
        )
    if found >= _FEW_SPANS and count("same", 0) >= _SAME_AS_GOLD * max(found, spans):
        yield Ground(
            f"gold that is nearly what the detectors found ({count('same', 0):,} of {max(found, spans):,} "
            "places alike): "
            "if they made it, it shows nothing",
            not read,
        )
    if (cut := count("cut", 0)) > _CUT_SPANS * spans:
        yield Ground(
            f"gold of which {cut:,} of {spans:,} spans cut a word: are its offsets characters?", not read
        )
    if joined := count("joined", 0):
        yield Ground(
            "gold in which one entity id stands for people with different names: "
            f"{counted(joined, 'conversation')}",
            not read,
        )
    labels = {
        name: places for name, places in totals.unscored.items() if "DATE" not in name and "TIME" not in name
    }
    if spans and labels:
        yield Ground(
            f"readable places of gold under labels without points: {_named(dict(sorted(labels.items())))}",
            not read and sum(labels.values()) > _CUT_SPANS * spans,
        )


def _of_idle_models(totals: Totals) -> Iterator[Ground]:
    ran = totals.sampling.get(f"{PLACES}/all", 0)
    if ran and totals.turns >= _MANY_TURNS and not totals.sampling.get(f"{PLACES}/findings", 0):
        yield Ground(f"no model found anything in {totals.turns:,} turns, so nothing shows that it works")


def _of_erasures(manifest: Mapping[str, Any]) -> Iterator[Ground]:
    """Whoever erases what scores high gets a better verdict, without a ``--drop-over`` that would tell it."""
    erasures = [entry for entry in manifest.get(CHANGES, ()) if entry["change"] == "erased"]
    # Entries of earlier versions do not say it, nor do their verdicts.
    met = [entry["criterion_met_before"] for entry in erasures if "criterion_met_before" in entry]
    erased = sum(entry["conversations"] for entry in erasures)
    if met and erased:
        failed = not all(met)
        before = ", before which the criterion was not met" if failed else ""
        were = counted(erased, "conversation was", "conversations were")
        yield Ground(f"{were} erased after the run{before}", failed)


def _of_additions(manifest: Mapping[str, Any]) -> Iterator[Ground]:
    """Whoever adds what scores low lowers the mean."""
    added = [
        entry["conversations"]
        for entry in manifest.get(CHANGES, ())
        if entry["change"] == "added" and not entry.get("criterion_met_before", True)
    ]
    if added:
        were = counted(sum(added), "conversation was", "conversations were")
        yield Ground(f"{were} added to a corpus that did not meet the criterion")


def grounds_of_review(review: Mapping[str, Any]) -> Iterator[Ground]:
    """Grounds that weaken a verdict from a review: other text was read, or may have been."""
    if lowered := review["lowered"]:
        yield Ground(f"conversations that scored higher in an earlier review: {lowered:,}", True)
    if hidden := review.get("not_shown", 0):
        yield Ground(
            "what is written beside the text was not shown to the readers of "
            f"{counted(hidden, 'conversation')}",
            True,
        )


def _of_what_was_not_looked_for(manifest: Mapping[str, Any]) -> Iterator[Ground]:
    kinds = _kinds(manifest)
    if direct := [kind["tag"] for kind in kinds if kind["direct"]]:
        yield Ground(f"direct identifiers that no detector looked for: {', '.join(direct)}")
    if weakly := manifest.get("not_looked_for", {}).get("weakly"):
        yield Ground(f"only rules looked for {', '.join(weakly)}, and they find few of them")
    if by_config := manifest.get("not_looked_for", {}).get("by_config"):
        yield Ground(f"only infoTypes of the config looked for {', '.join(by_config)}")
    if other := [kind["tag"] for kind in kinds if not kind["direct"]]:
        yield Ground(f"scored kinds that no detector looked for: {', '.join(other)}")


def _by_why(counts: Mapping[str, int], why: str) -> dict[str, int]:
    """The counts under ``why/name``, by name."""
    return {key.partition("/")[2]: n for key, n in sorted(counts.items()) if key.partition("/")[0] == why}


def _named(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _kinds(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    kinds: list[dict[str, Any]] = list(manifest.get("not_looked_for", {}).get("kinds", ()))
    return kinds


def grounds_of_gate(gate: Gate) -> Iterable[Ground]:
    """Gate settings lower than the defaults."""
    for name, key, of in (
        ("threshold", "risk.threshold", ""),
        ("direct_identifiers_at_most", "release.direct_identifiers_at_most", ""),
        ("release_on", "risk.release_on", ""),
        ("least_conversations", "risk.least_conversations", " of a context"),
        ("largest_quarantined_share", "risk.largest_quarantined_share", ""),
    ):
        asked, default = getattr(gate, name), getattr(DEFAULT_GATE, name)
        if name == "release_on":
            if asked == "no_review":
                yield Ground(f"{key}: nobody has to read it", True)
        elif asked < default if name == "least_conversations" else asked > default:
            yield Ground(f"{key}: {asked:g}{of} instead of {default:g}", True)


def grounds_of_replacement(told: Mapping[str, Any], readable: Mapping[str, int]) -> Iterable[Ground]:
    """What replacement values still reveal, and what was left readable by request.

    Args:
        told: the manifest's entry on replacement.
        readable: counts of findings left readable, by ``why/infoType``.
    """
    if invented := told.get("drawn"):
        yield Ground(
            f"values in the corpus are invented ({', '.join(invented)}), and a name that was missed "
            "looks like them; pseudonymised, not anonymised, as long as the secret exists"
        )
    if told.get("scope") == "corpus":
        yield Ground(
            "tokens: pseudonymised, not anonymised: an entity has one number in all conversations, by a secret "
            "(entities.scope)",
            True,
        )
    for policy in told["policies"]:
        if policy.get("readable"):
            of = ", ".join(policy["info_types"]) or "all other infoTypes"
            state = "pseudonymised, not anonymised: " if policy["pseudonymised"] else ""
            yield Ground(f"{of}: {state}{policy['what']}; {policy['readable']}", True)
    if same := _by_why(readable, UNHIDDEN):
        yield Ground(
            f"a fixed value says what it replaces, or a part of that: {sum(same.values()):,} findings "
            f"({', '.join(same)})",
            True,
        )
    if listed := sum(_by_why(readable, LISTED).values()):
        yield Ground(
            f"a dictionary to replace with (replace_dictionary_config) holds {listed:,} of the findings "
            "that it replaces: are its words those of real people?",
            True,
        )
    for info_type, reason in sorted(told["keep"].items()):
        count = readable.get(f"{KEPT}/{info_type}", 0)
        yield Ground(f"{info_type} is kept: {count:,} findings stay readable ({reason})", True)
    for asked, why, what in (
        (told["lists"], PROTECTED, "lists of words and places that stay"),
        (told["eponyms"], EPONYM, "names in medical terms stay (replacement.eponyms)"),
    ):
        if asked:
            count = sum(_by_why(readable, why).values())
            yield Ground(f"{what}: {count:,} findings are readable and not scored", True)


def grounds_of_exclusions(rules: int, counts: Mapping[str, int], by_gold: bool) -> Iterable[Ground]:
    """Exclusion rules, and what they rejected (``detecting.user_rules``), which stays readable."""
    rejected = {name: count for name, count in _by_why(counts, EXCLUDED).items() if count}
    if rules:
        told = _named(rejected) or "nothing"
        yield Ground(
            f"exclusion rules (inspect.rule_set): {rules}; what they reject is readable: {told}",
            bool(rejected) and not by_gold,
        )


def grounds_of_languages(claimed: Iterable[str], counts: Mapping[str, int]) -> Iterable[Ground]:
    """Text in languages that count as covered because the user says so; what is not in the text is not told.

    Args:
        claimed: the codes of such languages.
        counts: counts by language (``language.coverage``).
    """
    names = language_tables().names
    for code in claimed:
        if turns := counts.get(f"{TURNS}/{code}", 0):
            yield Ground(
                f"{names.get(code, code)} ({turns:,} turns) counts as covered by a model by a claim alone "
                "(models[].languages, or a package without figures): nothing measured it",
                True,
            )


def grounds_of_decisions(models: Sequence[str]) -> Iterable[Ground]:
    """Models whose thresholds differ from the evaluated ones."""
    if models:
        yield Ground(
            f"thresholds or labels of the config (models[].decision, models[].label_map) for "
            f"{', '.join(models)}: nothing was measured with them"
        )


def grounds_of_hiding(told: Mapping[str, Any]) -> Iterable[Ground]:
    """What the look for names that stand out among surrogates found (``replacing.hiding.checking``).

    A name that was found in one place and can be told in another undoes the hiding; a word that only may be a
    name is for people to look at.

    Args:
        told: the manifest's entry on hiding.
    """
    if shown := told.get(SHOWN, 0):
        yield Ground(
            f"a name that was replaced elsewhere stands out among surrogates in {shown:,} of "
            f"{told[HIDDEN]:,} conversations: it repeats more often than they do, or most of all",
            True,
        )
    if suspected := told.get(SUSPECTED, 0):
        yield Ground(
            f"words that may be names repeat more often than surrogates do, in {suspected:,} of "
            f"{told[HIDDEN]:,} conversations"
        )


def grounds_of_entities(told: Mapping[str, Any], readable: Mapping[str, int]) -> Iterable[Ground]:
    """Who stays readable by the rules of linking, and what was not looked for again; arguments as above."""
    if not told.get("propagate", True):
        yield Ground("entities.propagate: what was found once was not looked for again in its conversation")
    if told.get("public_knowledge"):
        count = sum(_by_why(readable, PUBLIC_KNOWLEDGE).values())
        yield Ground(
            f"public knowledge stays (look_for.presets: assistant): {count:,} findings are readable and not "
            "scored",
            True,
        )
    if (rules := told.get("reconcile", "none")) != "none":
        left = _by_why(readable, PUBLIC_ROLE)
        roles = f" ({_named(left)})" if left else ""
        yield Ground(
            f"people with a public role stay (entities.reconcile: {rules}): {sum(left.values()):,} findings "
            f"are readable and not scored{roles}",
            True,
        )


def grounds_of_scores(table: ScoreTable, variant_clustering: bool) -> Iterable[Ground]:
    """Tags and labels that score less than in the shipped table."""
    shipped = ScoreTable.load()
    for name, row in table.rows.items():
        before = shipped.rows[name]
        if row.score < before.score:
            yield Ground(f"{name} scores {row.score} instead of {before.score}", True)
        elif row.partial_score < before.partial_score:
            yield Ground(f"{name} in part scores {row.partial_score} instead of {before.partial_score}", True)
        if before.direct and not row.direct:
            yield Ground(f"{name} is not a direct identifier", True)
    for label, meaning in table.labels.items():
        was = shipped.labels.get(label)
        if isinstance(was, Unscored):
            continue
        if isinstance(meaning, Unscored):
            yield Ground(f"{label} is not scored", True)
        elif was is None:
            yield Ground(f"{label} scores as {meaning.name}, as the config says")
        elif meaning != was and (
            shipped.score(meaning) < shipped.score(was) or (table.is_direct(label) < shipped.is_direct(label))
        ):
            yield Ground(f"{label} scores as {meaning.name}", True)
    if variant_clustering:
        yield Ground("names that sound alike count as one (risk.variant_clustering)", True)
