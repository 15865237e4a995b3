"""What patterns find in replaced text, they found before: the second result is kept with the first."""

import random
import re

import pytest

from tacenda.pipelines.chain.build import build_detectors
from tacenda.pipelines.chain.chain import Chain
from tacenda.pipelines.config.detectors import RULES, DetectorSettings
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.spoken import SpokenDetector
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.text.column import TextColumn

_PIECES = (
    *("my number is 415 220 9112", "four one five, oh, five five five two six seven one"),
    *("ref 06fe1234e17c and ab12cd", "born 4 May 1980", "john.smith@example.org", "user pam_b@dancom"),
    *("card 4111 1111 1111 1111", "order 99182 in Texas", "that is M as in Mary A for apple R K"),
    *("12 Main Street, apartment 4", "thanks, bye", "x99 pin 4821"),
)


def _batch(seed, conversations=12):
    draw = random.Random(seed)
    talks = [range(draw.randint(1, 6)) for _ in range(conversations)]
    return ConversationBatch.of_turns(
        [[(None, ". ".join(draw.choices(_PIECES, k=draw.randint(1, 4)))) for _ in talk] for talk in talks]
    )


def _chain(settings):
    asked = DetectorSettings((RULES,), settings, settings)
    detectors = build_detectors(asked)
    second = build_detectors(asked, Likelihood.VERY_UNLIKELY)
    return Chain(detectors, ranks(), ScoreTable.load(), second, detectors)


def _again(settings, texts, first_cell):
    """The words in which the detectors find anything; no finding crosses a token."""
    walled = [TOKEN.sub(lambda token: "|" * len(token[0]), text) for text in texts]
    lowest = Likelihood.VERY_UNLIKELY
    written = RulesDetector(settings, lowest)
    looks = [d.find(TextColumn(walled, first_cell)) for d in (written, SpokenDetector(settings, lowest))]
    return [
        [word for look in looks for f in look[cell] for word in re.findall(r"\w+", text[f.start : f.end])]
        for cell, text in enumerate(walled)
    ]


@pytest.mark.parametrize("least", ["POSSIBLE", "LIKELY", "VERY_LIKELY"])
@pytest.mark.parametrize("seed", range(6))
def test_residuals_include_all_findings_of_a_second_search(seed, least):
    settings = parse_inspect_config({"min_likelihood": least})
    chain, batch = _chain(settings), _batch(seed)
    work = chain.work(batch)
    again = _again(settings, work.outcome.texts, batch.first_cell)
    for i in range(len(batch)):
        left = " ".join(residual.value for residual in work.residuals[i])
        words = [word for cell in batch.cells(i) for word in again[cell]]
        assert not [word for word in words if word not in left], i


def test_excluded_findings_count_if_the_hotword_is_replaced():
    settings = parse_inspect_config(
        {
            "info_types": [{"name": "EMAIL_ADDRESS"}],
            "custom_info_types": [{"info_type": {"name": "GENERIC_ID"}, "regex": {"pattern": "zeta[0-9]+"}}],
            "rule_set": [
                {
                    "info_types": [{"name": "GENERIC_ID"}],
                    "rules": [
                        {
                            "exclusion_rule": {
                                "exclude_by_hotword": {
                                    "hotword_regex": {"pattern": "example"},
                                    "proximity": {"window_before": 30},
                                },
                                "matching_type": "MATCHING_TYPE_FULL_MATCH",
                            }
                        }
                    ],
                }
            ],
        }
    )
    chain, batch = _chain(settings), _batch(0, conversations=1)
    batch.texts = ["pam@example.org or zeta7"] * len(batch.texts)
    work = chain.work(batch)
    assert work.outcome.texts[0] == "[EMAIL_ADDRESS_1] or zeta7"
    assert [(r.label, r.value) for r in work.residuals[0]] == [("GENERIC_ID", "zeta7")] * len(batch.texts)
