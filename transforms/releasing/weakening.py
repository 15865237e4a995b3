"""Settings that are less strict than the defaults, each as a sentence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tacenda.transforms.detecting.correcting.eponyms import EPONYM
from tacenda.transforms.detecting.correcting.lists import PROTECTED
from tacenda.transforms.detecting.exclusions import EXCLUDED
from tacenda.transforms.language.coverage import TURNS
from tacenda.transforms.language.tables import language_tables
from tacenda.transforms.linking.settings import PUBLIC_KNOWLEDGE, PUBLIC_ROLE
from tacenda.transforms.releasing.verdict import DEFAULT_GATE, Gate, Ground
from tacenda.transforms.replacing.replacement import LISTED, UNHIDDEN
from tacenda.transforms.replacing.settings import KEPT
from tacenda.transforms.replacing.standing_out import HIDDEN, SHOWN, SUSPECTED
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.tag import Unscored


def grounds_of_gate(gate: Gate) -> Iterable[Ground]:
    """Gate settings lower than the defaults."""
    if gate.threshold > DEFAULT_GATE.threshold:
        yield Ground(f"risk.threshold: {gate.threshold:g} instead of {DEFAULT_GATE.threshold:g}", True)
    if gate.direct_identifiers_at_most > DEFAULT_GATE.direct_identifiers_at_most:
        yield Ground(
            f"release.direct_identifiers_at_most: {gate.direct_identifiers_at_most:g} instead of "
            f"{DEFAULT_GATE.direct_identifiers_at_most:g}",
            True,
        )
    if gate.release_on == "no_review":
        yield Ground("risk.release_on: nobody has to read it", True)
    if gate.least_conversations < DEFAULT_GATE.least_conversations:
        yield Ground(
            f"risk.least_conversations: {gate.least_conversations} of a context instead of "
            f"{DEFAULT_GATE.least_conversations}",
            True,
        )
    if gate.largest_quarantined_share > DEFAULT_GATE.largest_quarantined_share:
        yield Ground(
            f"risk.largest_quarantined_share: {gate.largest_quarantined_share:g} instead of "
            f"{DEFAULT_GATE.largest_quarantined_share:g}",
            True,
        )


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
    if same := {
        key.partition("/")[2]: n for key, n in sorted(readable.items()) if key.startswith(f"{UNHIDDEN}/")
    }:
        yield Ground(
            f"a fixed value says what it replaces, or a part of that: {sum(same.values()):,} findings "
            f"({', '.join(same)})",
            True,
        )
    if listed := sum(n for key, n in readable.items() if key.startswith(f"{LISTED}/")):
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
            count = sum(number for key, number in readable.items() if key.partition("/")[0] == why)
            yield Ground(f"{what}: {count:,} findings are readable and not scored", True)


def grounds_of_exclusions(rules: int, counts: Mapping[str, int], by_gold: bool) -> Iterable[Ground]:
    """Exclusion rules, and what they rejected (``detecting.exclusions``), which stays readable."""
    rejected = {key.partition("/")[2]: n for key, n in counts.items() if key.startswith(f"{EXCLUDED}/") and n}
    if rules:
        told = ", ".join(f"{name} {count:,}" for name, count in sorted(rejected.items())) or "nothing"
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
        count = sum(n for key, n in readable.items() if key.partition("/")[0] == PUBLIC_KNOWLEDGE)
        yield Ground(
            f"public knowledge stays (look_for.presets: assistant): {count:,} findings are readable and not "
            "scored",
            True,
        )
    if (rules := told.get("reconcile", "none")) != "none":
        left = {
            key.partition("/")[2]: count
            for key, count in sorted(readable.items())
            if key.partition("/")[0] == PUBLIC_ROLE
        }
        roles = f" ({', '.join(f'{role} {count:,}' for role, count in left.items())})" if left else ""
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
