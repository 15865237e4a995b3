import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise

import pytest

from tacenda.transforms.releasing.number_format import decimal, percent, whole
from tacenda.transforms.releasing.report import (
    Failure,
    InPopulation,
    Linkability,
    Masked,
    Prediction,
    TagCounts,
    Verdict,
    render,
)

VOID = {"meta", "link", "br", "hr", "img", "input", "rect", "line", "circle", "path"}
CASES = (
    *("released", "held", "by_hand", "unreviewed", "nothing_scored"),
    *("with_people", "hostile", "many_contexts"),
)


class Page(HTMLParser):
    """The elements, attributes and text of a page; fails on tags that do not nest."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.attributes, self.pieces = [], [], [], []
        self.feed(html)
        self.close()
        assert self.open == []
        self.text = " ".join("".join(self.pieces).split())

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.attributes.extend((tag, *attribute) for attribute in attrs)
        if tag == "br":
            self.pieces.append(" ")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append(tag)
        self.attributes.extend((tag, *attribute) for attribute in attrs)

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag
        if tag in ("td", "th", "dt", "dd", "li", "p", "h1"):
            self.pieces.append(" ")

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.pieces.append(data)

    def values(self, name):
        return [value for _, attribute, value in self.attributes if attribute == name]


@pytest.fixture(params=CASES)
def page(request):
    return Page(render(request.getfixturevalue(request.param)))


@pytest.fixture
def read():
    return lambda report: Page(render(report)).text


def test_the_page_loads_nothing(page):
    assert not {"script", "link", "img", "iframe", "object", "embed", "form", "base", "image", "use"} & set(
        page.elements
    )
    names = {name for _, name, _ in page.attributes}
    assert not {"src", "srcset", "action", "data", "poster", "xlink:href"} & names
    assert not [name for name in names if name.startswith("on")]
    assert all(value.startswith("#") for value in page.values("href"))


def test_the_style_loads_nothing(released):
    style = re.search(r"<style>(.*)</style>", render(released), re.DOTALL).group(1)
    assert "@import" not in style
    assert "@font-face" not in style
    assert re.findall(r"url\(([^)]*)\)", style) == ["#hatch"]
    assert "default-src 'none'" in render(released)


def test_ids_are_unique_and_every_reference_has_its_target(page):
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    wanted = {value[1:] for value in page.values("href")}
    wanted |= {target for value in page.values("aria-labelledby") for target in value.split()}
    assert wanted <= set(ids)


def test_every_header_cell_has_a_scope_and_every_drawing_a_name_or_none(page):
    headers = page.elements.count("th")
    assert sum(tag == "th" and name == "scope" for tag, name, _ in page.attributes) == headers
    named = sum(tag == "svg" and name == "role" for tag, name, _ in page.attributes)
    hidden = sum(tag == "svg" and name == "aria-hidden" for tag, name, _ in page.attributes)
    assert named + hidden == page.elements.count("svg")
    assert page.elements.count("desc") == named


def test_bytes_are_the_same_again(released, many_contexts):
    assert render(released) == render(released)
    turned = replace(
        released,
        sources=released.sources[::-1],
        tags=released.tags[::-1],
        unscored_labels=released.unscored_labels[::-1],
    )
    assert render(turned) == render(released)
    assert render(many_contexts).isascii() is False
    assert render(many_contexts).encode("utf-8")


def test_released(released, read):
    text = read(released)
    assert "Released The criterion μ + σ < 5 is met in every context, as measured on 497" in text
    assert "on 497 conversations that people reviewed. This says" in text
    assert "It does not say that no personal data is left." in text
    assert "not met" not in text


def test_held_names_the_context_and_its_figure(held, read):
    text = read(held)
    assert "Held The criterion μ + σ < 5 is not met, as measured on 497" in text
    assert f"Meetings: μ + σ is {held.verdict.failures[0].mu_plus_sigma:.2f}, which is not below 5" in text
    assert "Released" not in text


def test_released_by_hand_gives_the_reason_and_the_failure(by_hand, read):
    text = read(by_hand)
    assert "Released by hand The criterion μ + σ < 5 is not met, as measured on 497" in text
    assert by_hand.verdict.override_reason in text
    assert "Meetings: μ + σ is" in text


def test_nothing_scored_is_held(nothing_scored, read):
    assert "Held No conversation was scored, so the criterion μ + σ < 5 cannot be met." in read(
        nothing_scored
    )


def test_a_context_without_scores_is_reported_as_such(held, read):
    verdict = replace(held.verdict, failures=(Failure("", None),))
    assert "(none): no conversation was scored" in read(replace(held, verdict=verdict))


@pytest.mark.parametrize("reason", [None, "", "  ", "-", "\u200b"])
def test_a_release_over_failures_needs_a_reason(reason):
    with pytest.raises(ValueError, match="needs a reason"):
        Verdict(True, 5.0, "human", (Failure("Meetings", 6.0),), reason)


def between(interval, shown):
    """An interval as below its figure."""
    low, high = interval
    return f"{shown(low)} to {shown(high)}"


def shares_between(interval):
    """The same of shares, with one sign for both ends."""
    low, high = interval
    return f"{percent(low)[:-2] if low else 0} to {percent(high)}"


@pytest.mark.parametrize("name", CASES)
def test_every_figure_is_present(name, request, read):
    report = request.getfixturevalue(name)
    text = read(report)
    for source in report.sources:
        for row in (*source.rows, source.total) if source.total.count else ():
            figures = [whole(row.count), *([whole(row.unreviewed)] if row.unreviewed else ())]
            figures += [
                decimal(row.mean) + between(row.mean_interval, decimal),
                decimal(row.std) + between(row.std_interval, decimal),
                decimal(row.p95) + ("1 or more" if row.count < 72 else "1 to 9"),
                f"{row.max:g}",
                decimal(row.mu_plus_sigma, 5.0)
                + between(row.mu_plus_sigma_interval, lambda end: decimal(end, 5.0)),
                decimal(row.mu_plus_2sigma, 5.0) + ("†" if row.mu_plus_2sigma >= 5 else ""),
                percent(row.share_at_or_over) + shares_between(row.share_interval),
                whole(row.direct_identifiers) + shares_between(row.direct_interval),
            ]
            met = "met by self-check" if source.source == "model" else "met"
            cells = " ".join([*figures, met if row.passed else "not met"])
            assert " ".join(cells.split()) in text
            for score, count in row.histogram.items():
                assert " ".join(f"{score}: {whole(count)}".split()) in text
    for row in report.tags:
        figures = [row.findings, row.entities, row.missed, row.missed_partial]
        assert (
            " ".join(
                " ".join([*map(whole, figures), whole(row.score), "/", whole(row.score_partial)]).split()
            )
            in text
        )
    for entry in report.rows.quarantine:
        assert f"{entry.stage} {entry.error} {entry.rows}" in text
    for entry in report.unscored_labels:
        assert f"{entry.label} {entry.places} {entry.reason}" in text
    size, versions = report.corpus, report.versions
    for figure in (size.work_units, size.conversations, size.turns, size.characters):
        assert " ".join(whole(figure).split()) in text
    for value in (size.shape, versions.tacenda, versions.config_hash, versions.score_table_version):
        assert value in text


def test_the_config_is_shown_as_it_is(released):
    shown = re.search(r"<pre[^>]*>\n(.*)</pre>", render(released), re.DOTALL).group(1)
    assert shown.replace("&#34;", '"') == released.config_yaml


def test_hostile_text_stays_text(hostile):
    html = render(hostile)
    page = Page(html)
    assert "<script>alert(1)</script>" in page.text
    assert '"><img src=x onerror=y>' in page.text
    assert "because <script>alert(1)</script>" in page.text
    assert "abc\\u202etxt" in page.text
    assert "\u202e" not in html
    assert "\\ud800" in page.text
    assert html.encode("utf-8")


def first_screen(report):
    """The text before what is left, which is the first page in print."""
    return Page(render(report)).text.partition("What is left")[0]


def test_the_first_screen_says_what_a_decision_needs(released):
    text = first_screen(released)
    total = released.sources[1].total
    for told in (
        "Released The criterion μ + σ < 5 is met",
        "as measured on 497 conversations that people reviewed",
        f"Still name somebody {total.naming_somebody}of 497 conversations (14.9 %): a person’s name,",
        f"Direct identifier {total.direct_identifiers}",
        "Highest μ + σ 4.35Meetings; 95 % interval 3.72 to 5.30",
        "Scored 5 or more 5.2 %of 497 conversations; 95 % interval 3.4 % to 7.6 %",
        "Scores by context, with 95 % intervals below the figures.",
        "Input s3://calls/2024/q1/*.parquet, s3://calls/2024/q2/*.parquet24 files, 61 443 201 bytes",
        "Date 2024-03-21 Operator Pam Beesly, data engineering",
        f"Corpus hash {released.run.corpus_hash}",
        "Sign-off For the corpus with the hash above",
        "Name, function",
        "Signature",
    ):
        assert " ".join(told.split()) in text, told


def test_the_parts_come_in_the_order_in_which_counsel_reads_them(with_people):
    html = render(with_people)
    parts = ("verdict", "risk", "sign-off", "left", "tags", "worst", "not-looked-at", "rows", "distribution")
    places = [html.index(f' id="{name}"') for name in (*parts, "estimate", "red-team", "method", "again")]
    assert places == sorted(places)


def test_headings_skip_no_level(page):
    levels = [int(tag[1]) for tag in page.elements if tag in ("h1", "h2", "h3", "h4", "h5", "h6")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_worst_conversations_are_named_and_long_names_cut(released, nothing_scored, read):
    text = read(released)
    assert "call-2024-04711 Meetings 20 yes call-2024-01207 Meetings 17 yes" in text
    one = released.worst[0]._replace(conversation_id="x" * 5_000)
    assert len(read(replace(released, worst=(one,) * 20))) < len(text) + 20 * 200
    assert "No conversation scored above 0." in read(nothing_scored)


def test_what_was_not_looked_at_is_told(released, read):
    told = "What was not looked at 13 of 7,510 rows are in quarantine and not in the corpus."
    assert told in read(released)


def test_the_tail_is_counted_from_the_threshold(held, read):
    total = held.sources[0].total
    over = sum(count for score, count in total.histogram.items() if score >= 5)
    interval = between(total.share_interval, percent)
    row = f"5 or more {over} {percent(total.share_at_or_over)} {interval}"
    assert " ".join(row.split()) in read(held)


def test_languages_and_fields_of_the_input_are_reported(released, nothing_scored, read):
    text = read(released)
    for told in (
        "English 180 000 94.1 % 7 300 covered",
        "Hindi 900 0.5 % 40 not covered",
        "Finnish 60 < 0.1 % 3 not covered, accepted: read by hand",
        "(none) 10 000 5.2 % 5 000 no language",
        "Kept, and anonymised like text summary",
        "Kept as it is audio_hash: a digest",
        "Dropped raw, agent_notes and 2 more",
    ):
        assert " ".join(told.split()) in text, told
    assert "Nothing but what its shape knows" not in text
    assert "Nothing but what its shape knows" in read(replace(released, fields=nothing_scored.fields))


def test_what_nobody_said_is_reported_as_such(released, nothing_scored):
    text = first_screen(replace(released, run=replace(released.run, date=None, operator=None)))
    assert "Date not given (--date) Operator not given (--operator)" in text
    text = first_screen(nothing_scored)
    assert "Still name somebody –" in text
    assert "Corpus hash no corpus was written" in text


def test_the_first_screen_is_the_first_page(released):
    style = files("tacenda.transforms.releasing").joinpath("report.css.j2").read_text("utf-8")
    printed = style[style.index("@media print {\n  html") :]
    assert "header { break-after: page; }" in printed
    html = render(released)
    assert html.index('id="sign-off"') < html.index("</header>") < html.index('id="left"')


def test_rows_that_do_not_add_up_are_an_alarm(released, read):
    alarm = "The rows do not add up."
    assert alarm not in read(released)
    assert alarm in read(replace(released, rows=replace(released.rows, rows_out=7_000)))
    assert "≠" in read(replace(released, rows=replace(released.rows, rows_out=7_000)))
    assert alarm in read(replace(released, rows=replace(released.rows, quarantine=())))


def test_the_self_check_says_who_looked_and_that_it_bounds_nothing(released, read):
    detectors = ("rules", "lists of names and places", "model kb-ner 3")
    text = read(replace(released, versions=replace(released.versions, detectors=detectors)))
    assert "lowest likelihood: rules, lists of names and places and model kb-ner 3. Nobody read" in text
    assert "These figures are a self-check, and no bound of the risk:" in text
    assert "floor" not in text
    assert "Detectors rules, lists of names and places and model kb-ner 3" in text


def test_only_human_review_or_gold_shows_the_green_mark(released):
    html = render(released)
    human, model = html.partition('id="distribution"')[0].split('<h3 id="model">')
    assert human.count('class="met"') == 6
    assert 'class="met"' not in model
    assert model.count('class="self-check"') == 6


def test_what_is_for_information_is_not_on_the_first_page(released):
    assert "Self-check of the detectors" not in first_screen(released)
    assert (
        "Scores for information Self-check of the detectors – for information" in Page(render(released)).text
    )


def test_the_source_that_decides_comes_first(released, read):
    text = read(released)
    assert text.index("Reviewed by people – decides") < text.index(
        "Self-check of the detectors – for information"
    )


def test_every_source_that_scored_decides_unless_reported_otherwise(released, read):
    text = read(replace(released, verdict=replace(released.verdict, deciding=None)))
    assert (
        "as measured on 497 conversations that people reviewed and by a self-check of "
        "5 000 conversations. This" in text
    )
    assert "Reviewed by people – decides" in text
    assert "Self-check of the detectors – decides" in text
    assert "take no part in the verdict" not in text
    assert "take no part in the verdict" in read(released)


def test_a_failure_over_all_contexts_names_its_source(released, read):
    failure = Failure(None, 5.25, "model")
    verdict = replace(released.verdict, released=False, failures=(failure,), deciding=None)
    expected = "All contexts together (self-check of the detectors): μ + σ is 5.25, which is not below 5"
    assert expected in read(replace(released, verdict=verdict))


def test_a_self_check_that_meets_the_criterion_is_no_release(unreviewed, read):
    text = read(unreviewed)
    assert "Criterion met, unreviewed The scores meet the criterion μ + σ < 5 in every context" in text
    assert "The corpus is not released: nobody reviewed it" in text
    assert "What this verdict rests on Weakens the gate: URL scores 0 instead of 2 a self-check of" in text
    assert "What to do next draw conversations for people to read" in text
    assert "nobody read the conversations" in text
    html = render(unreviewed)
    assert 'class="verdict unreviewed"' in html
    assert "M9 16.5l5 5" not in html, "the tick belongs to people and gold"


def test_a_release_on_a_self_check_is_called_one(unreviewed, released):
    verdict = replace(unreviewed.verdict, released=True, evidence="self_check", lacks=())
    html = render(replace(unreviewed, verdict=verdict))
    assert "Released on a self-check The criterion μ + σ < 5 is met" in Page(html).text
    assert 'class="verdict on-self-check"' in html
    assert "M9 16.5l5 5" not in html
    assert "M9 16.5l5 5" in render(released)


def test_an_upper_bound_that_is_too_high_is_reported_as_one(held, read):
    failure = Failure("Meetings", 4.5, "human", 5.62)
    verdict = replace(held.verdict, failures=(failure,), criterion="upper_bound")
    text = read(replace(held, verdict=verdict))
    assert "The criterion upper bound of μ + σ < 5 is not met" in text
    assert "Meetings: the upper bound of μ + σ is 5.62, which is not below 5" in text


def test_many_reasons_are_reported_by_a_few(unreviewed, read):
    lacks = tuple(f"reason {i}" for i in range(20))
    text = read(replace(unreviewed, verdict=replace(unreviewed.verdict, lacks=lacks)))
    assert "reason 4 and 15 more, in _UNREVIEWED" in text


def test_problems_of_the_run_are_reported_and_cannot_be_overridden(released, read):
    problem = "2 conversations are reviewed in the spans files, 1 of them is in the input"
    verdict = replace(released.verdict, released=False, problems=(problem,))
    text = read(replace(released, verdict=verdict))
    assert "The scores meet the criterion μ + σ < 5" in text
    assert "but the run did not end as it should. " + problem in text
    with pytest.raises(ValueError, match="nobody can release"):
        replace(verdict, released=True, override_reason="because")


def test_a_release_without_scores_needs_a_reason(nothing_scored, read):
    released = replace(nothing_scored.verdict, released=True)
    with pytest.raises(ValueError, match="needs a reason"):
        replace(nothing_scored, verdict=released)
    text = read(replace(nothing_scored, verdict=replace(released, override_reason="an empty drill")))
    assert "Released by hand No conversation was scored. A person released" in text


def test_the_divisor_of_the_deviation_is_reported(released, read):
    assert "σ divides by n, the number of conversations." in read(released)
    assert "σ divides by n − 1." in read(replace(released, ddof=1))


def test_shares_carry_their_interval(held, read):
    row = held.sources[0].rows[2]
    low, high = (percent(bound) for bound in row.share_interval)
    assert " ".join(
        f"99 conversations 16 scored 5 or more: 16.2 % (interval {low} to {high})".split()
    ) in read(held)


def test_tags_that_add_most_points_come_first(released, read):
    rows = (
        TagCounts("AGE", (Masked("AGE", 900, 900),), 0, 0, 1, 1),
        TagCounts("PRODUCT", (), 99, 0, 0, 0),
        TagCounts("URL", (Masked("URL", 1, 1),), 0, 2, 2, 1),
    )
    text = read(replace(released, tags=rows))
    assert text.index("URL 1 1") < text.index("PRODUCT – – 99") < text.index("AGE 900 900")


def test_a_tag_has_one_row_with_all_its_infotypes(released, read):
    text = read(released)
    assert text.count("SSN direct") == 1
    row = "SSN directSWEDEN_NATIONAL_ID_NUMBER 640, US_SOCIAL_SECURITY_NUMBER 131 771 731 2 0 5 / 3"
    assert row in text
    assert "PHONE directPHONE_NUMBER 9 871 6 402 2 7" in text


def test_more_contexts_than_can_be_read_are_reported_by_the_worst(held):
    row = held.sources[0].rows[0]
    rows = tuple(replace(row, context=f"k{i}", mu_plus_sigma=i / 100) for i in range(5_000))
    failures = tuple(Failure(row.context, row.mu_plus_sigma) for row in rows[500:])
    verdict = replace(held.verdict, failures=failures)
    html = render(replace(held, verdict=verdict, sources=(replace(held.sources[0], rows=rows),)))
    text = Page(html).text
    assert "There are 5 000 contexts; the 100 with the highest μ + σ stand here," in text
    assert html.count('<th scope="row"><bdi>k4999</bdi>') == 2
    assert "k4899" not in text
    assert "and 4 495 more, which statistics.json names" in text
    assert len(html) < 500_000


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_text_and_ground_differ_enough_to_read(theme):
    css = files("tacenda.transforms.releasing").joinpath("report.css.j2").read_text("utf-8")
    light, dark, printed = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block))
        for block in re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    )
    colours = {"light": light, "dark": light | dark, "print": light | printed}[theme]
    pairs = [
        (text, ground) for text in ("ink", "quiet", "link", "over", "held") for ground in ("paper", "panel")
    ]
    pairs += [(tone, f"{tone}-ground") for tone in ("released", "held", "by-hand", "self-check")]
    pairs += [("ink", f"{tone}-ground") for tone in ("released", "held", "by-hand", "self-check")] + [
        ("released", "paper"),
        ("self-check", "paper"),
    ]
    for text, ground in pairs:
        assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for mark in ("bar", "over"):
        assert contrast(colours[mark], colours["paper"]) >= 3, mark


def contrast(one, other):
    """The contrast ratio of WCAG 2.2, 1.4.3."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    channels = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_an_estimate_and_a_red_team_say_that_they_decide_nothing(with_people, released, read):
    text = " ".join(read(with_people).split())
    assert "This is an estimate, and takes no part in the verdict." in text
    figures = [whole(1000), "60", decimal(1.25), f"{decimal(0.5)} to {decimal(2.0)}", "110", "700", "45", "2"]
    assert " ".join(" ".join(["Total", *figures, percent(0.133)]).split()) in text
    assert "They identified nobody, which is no proof" in text
    assert "Somebody identified 0" in text
    assert "Red team" not in read(released)
    assert "Estimate" not in read(released)


def test_standards_have_their_figures_and_no_claim(released, read):
    text = read(released)
    for told in (
        "This section claims no compliance with any of them:",
        "Singling out conversations with a direct identifier that is entirely readable 9 1.8 % 0.8 % to 3.4 %",
        "with a combination of indirect identifiers that no other has 31 6.2 % 4.3 % to 8.8 %",
        "occur in two conversations or more, of 14; the commonest in 3 2",
        "Tokens are numbered anew in each conversation and link none.",
        "1 1.00 31 31 2 0.50 6 12 11 or more 0.09 or less 1 17",
        "Initial 0.93 or more conversations with a direct identifier before: 7 001 of 7 497",
        "Threshold 0.09 a class of 11",
        "Residual, average 0.10 mean of 1 with a direct identifier, else 1/k: not below .09",
        "Residual, highest 1.00 a direct identifier is left: not below .09",
        "(A) names yes PERSON_NAME 41 208 12 118 (P) biometric identifiers no – – – –",
        "What for? (context) An assistant for service.",
        "Unanswered. What harm? (context, harm)",
    ):
        assert " ".join(told.split()) in " ".join(text.split()), told
    low = released.identifiability._replace(average_risk=0.0899, tokens_link=True, combinations_exact=False)
    text = read(replace(released, identifiability=low, context=()))
    assert "else 1/k: below .09" in text
    assert "Tokens are the same in all conversations, as the config asks" in text
    assert "Classes by size, from a sample of the combinations." in text
    assert "Unique in the population" not in text


def test_an_estimate_tells_what_both_looks_miss(with_people, read):
    text = " ".join(read(with_people).split())
    for told in (
        "and their upper ends contain what both looks miss. They are wide",
        "Meetings 400 0.50 0.10 to 2.25 0.50 0.10 to 2.25 3 1 to 8 2.0 % 0 % to 8.1 %",
        "The upper ends above have as many more as neither saw at the greatest odds ratio",
        "PERSON_NAME 410.50 38.20 2.40 0.88 0.10 to 9.50 3.10 to 10.50 2.34 × 3.22",
    ):
        assert told in text, told
    refused = read(replace(with_people, prediction=Prediction(refused="nothing is calibrated")))
    assert "There is none: nothing is calibrated." in refused


def test_what_style_joins_is_a_row_of_the_tests(released, read):
    style = Linkability("customer", ("<b>Caller</b>",), 200, 410, 31, 0.155, (0.108, 0.213), 0.0024, True)
    text = " ".join(read(replace(released, linkability=style)).split())
    assert (
        "people with two conversations that style joins, by customer, of the turns of <b>Caller</b>" in text
    )
    assert "of 200, a sample, among 410 texts; by chance 0.2 % 31 15.5 % 10.8 % to 21.3 %" in text
    assert "Whoever has better methods may join more by style" in text
    halves = read(replace(released, linkability=style._replace(by=None, speakers=None, is_sample=False)))
    assert "joins one half with the other: of 200, among 410 texts" in " ".join(halves.split())


def test_what_is_left_stands_beside_a_population(released, read):
    found = InPopulation(10_500_000, 488, 44, 2.5, 7, (0.0058, 0.0293), 0.0231)
    known = released.identifiability._replace(population=found)
    text = " ".join(read(replace(released, identifiability=known)).split())
    for told in (
        "The config has shares of values among 10 500 000 people.",
        "with a value that the shares cover 44 9.0 % –",
        "of somebody whom nobody else is like, as expected 2.50 0.5 % –",
        "with values that fewer than 11 people are expected to share 7 1.4 % 0.6 % to 2.9 %",
        "Residual, average in the population 0.02 mean of 1 with a direct identifier, else the chance to pick",
    ):
        assert " ".join(told.split()) in text, told


def test_without_scores_the_standards_have_no_figures(nothing_scored, read):
    text = read(nothing_scored)
    assert "WP216" not in text
    assert "Nothing was searched in this run, so no infoType stands behind any identifier." in text


def test_the_page_does_not_grow_with_the_conversations(released):
    scores = released.sources[1]
    grown = replace(
        scores,
        rows=tuple(
            replace(
                row, count=row.count * 10_000, histogram={k: n * 10_000 for k, n in row.histogram.items()}
            )
            for row in scores.rows
        ),
        total=replace(
            scores.total,
            count=scores.total.count * 10_000,
            histogram={k: n * 10_000 for k, n in scores.total.histogram.items()},
        ),
    )
    small, large = (render(replace(released, sources=(one,))) for one in (scores, grown))
    assert grown.total.count > 4_000_000
    assert len(large) < 1.1 * len(small)
