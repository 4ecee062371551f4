"""The story of a run can be read on a terminal of 80 columns, whatever happened and whatever the page said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from sopbench.events.types import (
    AlternativeTaken,
    ApprovalDecided,
    DecisionMade,
    IterationFinished,
    LoadTrouble,
    LoopEntered,
    ModelAsked,
    ModelFailed,
    PageSeen,
    TextGenerated,
    VariableSet,
)
from sopbench.reporting.story import story
from sopbench.reporting.terminal import text_lines
from sopbench.trials.causes import Attribution, Evidence
from sopbench.trials.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from sopbench.trials.record import TrialRecord
    from tests.reporting.conftest import Log


def told(log: Log, record: TrialRecord | None = None, *, width: int = 100, brief: bool = False) -> list[str]:
    return text_lines(story(log.events, record, brief=brief), width, colour=False)


def test_a_run_is_told_step_by_step(finished_run: Log, judged: Callable[..., TrialRecord]) -> None:
    lines = told(finished_run, judged(finished_run))

    assert lines[:4] == [
        "Investor mail reaches the CRM  gmail_airtable 1.0.0",
        "  gmail_airtable · ordinary_day · clean · trial 17 · seed 1017 · mock site · replay · light",
        "  passed (recovered, timing)" + "7.5 s".rjust(72),
        "  6 steps · 1 retry · 1 model call (0 live, 826 tokens) · $0.00088",
    ]
    assert lines[-1] == "completed"
    body = [line.rsplit("  ", 1)[0].rstrip() for line in lines]
    assert "  1 ✓ Open the inbox  task" in body
    assert "      ✓ go to https://mail.google.com/mail/u/0/#inbox" in body
    assert "      – click button 'Got it'  skipped: {{ tour_shown }} does not hold" in lines
    assert "      · item 2 of 2  sender = 'jane@northwind.vc', subject = 'Series A'" in lines
    assert "     5 ✓ Save the record  task, retried, 2 attempts" in body
    assert "         → yes  a check decided: subject contains 'Series A'" in lines
    assert "           replayed · claude-haiku-5-5 · 812 tokens in, 14 out · $0.00088" in lines


def test_a_failed_attempt_says_why_and_whether_it_may_have_had_an_effect(finished_run: Log) -> None:
    shown = " ".join(" ".join(told(finished_run)).split())

    assert "ExpectationFailed: row 'Northwind' was not seen within 5 s" in shown
    assert "(its effect may have taken place)" in shown


def test_brief_is_one_line_per_step(finished_run: Log, failed_run: Log) -> None:
    lines = told(finished_run, brief=True)

    assert [line.split("  ")[0].strip() for line in lines if " ✓ " in line] != []
    assert sum(" ✓ " in line for line in lines) == 6
    assert not any("https://" in line for line in lines)
    assert any("Is the mail from an investor?  decision → yes" in line for line in lines)


def test_an_error_is_told_once(failed_run: Log, judged: Callable[..., TrialRecord]) -> None:
    lines = told(failed_run, judged(failed_run))

    assert sum("TargetNotFound" in line for line in lines) == 1
    assert sum("TargetNotFound" in line for line in told(failed_run, brief=True)) == 1
    assert lines[-1] == "failed at 'open_inbox' (target): no link named 'Inbox'"


def test_a_log_without_its_end_is_told_as_such(investor_run: Log) -> None:
    del investor_run.events[-9:]

    lines = told(investor_run)

    assert lines[-1] == "the log ends here: the run was killed"
    assert "  killed (not judged)" in lines
    assert any("begun, never finished; its effect may have taken place" in line for line in lines)


def test_a_run_that_lied_shows_what_the_oracle_found(finished_run: Log, judged: Callable[..., TrialRecord]) -> None:
    record = judged(finished_run, Outcome(wrong=("'Acme' is there twice",), missing=("'Northwind' has no Amount",)))

    lines = told(finished_run, record)

    assert lines[-4:] == [
        "completed",
        "failed_silent: what the oracle found",
        "  wrong    'Acme' is there twice",
        "  missing  'Northwind' has no Amount",
    ]


def test_an_item_that_was_given_up_says_why(log: Log) -> None:
    log.start()
    loop = log.begin("each", "loop", "For each mail")
    log.add(LoopEntered(step=loop, node="each", items=1))
    log.iterate("each", 0, "Hello")
    log.begin("open", "task", "Open it", "each[0]")
    log.add(IterationFinished(step=loop, node="each", index=0, failed=True, reason="the mail is gone"))

    assert "      ✗ given up: the mail is gone" in told(log)


def test_what_was_approved_and_what_was_not_is_told_with_its_rule(log: Log) -> None:
    log.start()
    step = log.begin("T1", "task", "Clean up")
    rule, says = "rule 2 of the document", "click button 'Delete'"
    log.add(ApprovalDecided(step=step, action=0, says=says, rule=rule, why="old ones", decision="approve", by="rule"))
    log.add(ApprovalDecided(step=step, action=1, says="click 'Pay'", rule="no rule", decision="reject", by="rule"))

    story_told = "\n".join(told(log))

    assert "approved: click button 'Delete'  rule 2 of the document, by rule: old ones" in story_told
    assert "rejected: click 'Pay'  no rule, by rule" in story_told


def test_a_skill_taken_in_place_of_another_is_told_with_what_was_forgotten(log: Log) -> None:
    log.start()
    step = log.begin("T1", "task", "Save it")
    log.add(
        AlternativeTaken(step=step, skill="rest", method="api", instead_of="page", why="gone", dropped=("half", "row"))
    )
    log.end("T1", 1, tier="alternative")

    story_told = told(log)

    assert "      by another skill: rest (api) instead of page; forgotten: half, row" in story_told
    assert any(line.startswith("  1 ✓ Save it  task, alternative") for line in story_told)


def test_a_decision_is_told_with_what_it_quotes_and_how_sure_it_is(log: Log) -> None:
    log.start()
    log.begin("decide", "decision", "Is it?")
    log.add(
        DecisionMade(step=1, branch="yes", by="model", evidence="wants_in: “join your round” [2] (high confidence)")
    )

    assert "      → yes  the model decided: wants_in: “join your round” [2] (high confidence)" in told(log)


def test_a_model_that_failed_is_told_with_its_question(log: Log) -> None:
    log.start()
    log.begin("decide", "decision", "Is it?")
    log.add(ModelAsked(step=1, purpose="decide", question="Is it?", about=""))
    log.add(ModelFailed(step=1, error="CassetteMiss", message="nothing recorded", duration_s=0.2))

    assert "        CassetteMiss: nothing recorded" in told(log)


@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_no_line_is_wider_than_the_terminal_or_than_120(width: int, log: Log) -> None:
    log.start(notes="long " * 200)
    log.begin("open", "task", "Label " * 60)
    log.act("click " * 80, 1.0, expected=("seen " * 80,))
    log.miss("click 日本語" * 30, 5.0, "TargetNotFound", "no such button " * 60)
    log.ask("Which? " * 60, "About " * 100, {"why": "because " * 100})
    log.finish("failed", "no such button " * 60)

    lines = told(log, width=width)

    assert all(cell_len(line) <= min(width, 120) for line in lines)
    assert max(cell_len(line) for line in lines) > min(width, 120) - 12


def test_what_a_page_says_cannot_steer_the_terminal(log: Log) -> None:
    log.start()
    log.begin("read", "task", "Read [bold]it[/bold]")
    log.add(VariableSet(step=1, name="subject", value="\x1b[2Jgone\r\nnext\u202egpj.exe", source="page"))

    shown = "\n".join(told(log))

    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "= subject = '[2Jgone next gpj.exe'" in shown
    assert "Read [bold]it[/bold]" in shown


def test_a_text_is_told_with_what_speaks_against_it(log: Log) -> None:
    log.start()
    log.begin("write", "generate", "Write it")
    objections = ("number '7' is not in the inputs (character 3)",)
    log.add(TextGenerated(step=1, purpose="Write it", by="model", attempt=1, chars=40, objections=objections))
    log.add(TextGenerated(step=1, purpose="Write it", by="model", attempt=2, chars=41))

    lines = [line.strip() for line in told(log)]

    assert "✎ text of 40 characters  by model: 1 objection" in lines
    assert objections[0] in lines
    assert "✎ text of 41 characters  by model, attempt 2: nothing against it" in lines


def test_why_it_did_not_pass_clean_is_told_with_the_events_that_bear_it_out(
    finished_run: Log, judged: Callable[..., TrialRecord]
) -> None:
    evidence = (Evidence(seq=276, says="Sign in to\x1b[2J Airtable", picture="screenshots/0030.jpg"),)
    found = Attribution(cause="session", rule="r", because="a page for signing in stands there", evidence=evidence)

    lines = told(finished_run, judged(finished_run).model_copy(update={"attribution": found}))

    assert lines[-2:] == [
        "why: session: a page for signing in stands there",
        "     event 276: Sign in to [2J Airtable (screenshots/0030.jpg)",
    ]


def test_what_the_page_was_like_when_something_failed_is_told(finished_run: Log) -> None:
    trouble = LoadTrouble(method="GET", url="https://shop.test/api", outcome="answered 503", status=503, took_s=1)
    seen = PageSeen(
        step=5, action=0, url="https://shop.test/", title="Orders", notices=("Try again",), troubles=(trouble,)
    )
    events = [*finished_run.events]
    events.insert(-2, seen.model_copy(update={"step": finished_run.step}))

    shown = " ".join(" ".join(text_lines(story(events), 100, colour=False)).split())

    assert "the page then: Orders · https://shop.test/ · Try again · GET https://shop.test/api: answered 503" in shown
