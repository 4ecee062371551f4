"""What Playwright codegen writes in Python as actions."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from sopbench.sop.document import Sop
from sopbench.sop.recordings import playwright_codegen
from sopbench.sop.recordings.recorded_document import Written, written

Json = dict[str, Any]

SAVE = 'page.get_by_role("button", name="Save")'
SAVE_TARGET = {"role": "button", "name": "Save"}
NAME = 'page.get_by_label("Name")'


def imported(*lines: str, before: str = "", variables: bool = False) -> Written:
    body = textwrap.indent("\n".join(lines), "    ")
    source = f"import os\nimport re\n{before}\ndef test_example(page: Page) -> None:\n{body}\n"
    recording = playwright_codegen.read(source, file="r.py", name="r")
    made = written(recording, name="r", file="r.py", variables=variables)
    Sop.model_validate(made.document)
    return made


def actions(*lines: str, before: str = "", variables: bool = False) -> list[Json]:
    """Of all tasks, without what is kept for later."""
    skills = imported(*lines, before=before, variables=variables).document["private"]["skills"]
    return [{k: v for k, v in action.items() if k != "x-recorded"} for skill in skills for action in skill["actions"]]


def lost(made: Written) -> list[str]:
    return [str(each) for each in made.caveats if each.lost]


@pytest.mark.parametrize(
    ("locator", "target"),
    [
        ('get_by_role("button", name="Save")', {"role": "button", "name": "Save"}),
        ('get_by_role("button", name="Save", exact=True)', {"role": "button", "name": "Save", "exact": True}),
        ('get_by_role("button", name=re.compile(r"^Save$"))', {"role": "button", "name": "Save", "exact": True}),
        ('get_by_role("button", name=re.compile(r"save", re.I))', {"role": "button", "name": "save"}),
        ('get_by_role("button", name=re.compile(r"^Save/\\d+"))',
         {"role": "button", "css": r"role=button[name=/^Save\/\d+/]"}),
        ('get_by_role("heading", level=2)', {"role": "heading", "css": "role=heading[level=2]"}),
        ('get_by_role("checkbox", name="All", checked=True)',
         {"role": "checkbox", "name": "All", "css": "role=checkbox[checked=true]"}),
        ('get_by_label("E-mail")', {"label": "E-mail"}),
        ('get_by_placeholder("Search", exact=True)', {"placeholder": "Search", "exact": True}),
        ('get_by_placeholder(re.compile("Search"))', {"css": '[placeholder*="Search"]'}),
        ('get_by_text("Welcome")', {"text": "Welcome"}),
        ('get_by_text(re.compile(r"\\d+ items"))', {"css": r"text=/\d+ items/"}),
        ('get_by_test_id("row-1")', {"test_id": "row-1"}),
        ('get_by_title("Close")', {"css": '[title*="Close" i]'}),
        ('get_by_title("Close", exact=True)', {"css": '[title="Close"]'}),
        ('get_by_alt_text("A \\"logo\\"")', {"css": '[alt*="A \\"logo\\"" i]'}),
        ('locator("css=#price")', {"css": "#price"}),
        ('locator("xpath=//div[2]")', {"css": "xpath=//div[2]"}),
        ('locator("#list").get_by_role("link")', {"role": "link", "within": {"css": "#list"}}),
        ('get_by_role("row", name="A").get_by_label("Select").first',
         {"label": "Select", "within": {"role": "row", "name": "A"}, "nth": 0}),
        ('locator("tr").nth(2).locator("td").last', {"css": "td", "within": {"css": "tr", "nth": 2}, "nth": -1}),
        ('locator("a").locator("b").locator("c")', {"css": "c", "within": {"css": "b", "within": {"css": "a"}}}),
        ('get_by_text("Name").locator("..")', {"css": "..", "within": {"text": "Name"}}),
        ('locator("div").filter(has_text=re.compile(r"^Laptop$")).nth(1)',
         {"css": "div", "text": "Laptop", "exact": True, "nth": 1}),
        ('get_by_role("listitem").filter(has_text="Milk").get_by_role("button")',
         {"role": "button", "within": {"role": "listitem", "text": "Milk"}}),
        ('get_by_role("row", name="A", exact=True).filter(has_text="B")',
         {"role": "row", "name": "A", "exact": True, "css": ':has-text("B")'}),
        ('get_by_role("row", name="A").filter(has_text=re.compile("^B$"))',
         {"role": "row", "css": 'role=row[name*="A" i]', "text": "B", "exact": True}),
        ('locator("li").filter(has_not_text="Sold")', {"css": 'li:not(:has-text("Sold"))'}),
        ('locator("li").filter(has=page.locator("b.new"))', {"css": "li:has(b.new)"}),
        ('locator("li", has=page.get_by_text("Milk"))', {"css": 'li:is(:text("Milk"), :has(:text("Milk")))'}),
        ('locator("ul > li", has_text="Milk")', {"css": "ul > li", "text": "Milk"}),
        ('get_by_label("Name").and_(page.locator("input"))', {"label": "Name", "css": "input"}),
        ('get_by_role("button", name="Go").or_(page.get_by_role("link", name="Go"))',
         {"role": ["button", "link"], "name": "Go"}),
        ('locator("li").filter(visible=True).first', {"css": "li:visible", "nth": 0}),
        ('locator("#f").content_frame.get_by_text("Hi")', {"text": "Hi", "frame": "#f"}),
        ('frame_locator("#f").locator("b").get_by_text("Hi")', {"text": "Hi", "within": {"css": "b"}, "frame": "#f"}),
        ('get_by_title("Editor").content_frame.locator("body")', {"css": "body", "frame": '[title*="Editor" i]'}),
        ('locator("#a").content_frame.locator("iframe").nth(1).content_frame.locator("p")',
         {"css": "p", "frame": ["#a", "iframe >> nth=1"]}),
        ('get_by_text("{{ x }}")', {"text": "{{ '{' }}{ x }}"}),
    ],
)  # fmt: skip
def test_a_locator_becomes_a_target(locator: str, target: Json) -> None:
    made = actions(f"page.{locator}.hover()")

    assert made == [{"do": "hover", "target": target}]


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ('page.goto("https://x.example/a")', {"do": "navigate", "url": "https://x.example/a"}),
        (f"{SAVE}.click()", {"do": "click", "target": SAVE_TARGET, "effect": "irreversible"}),
        (f"{SAVE}.dblclick()", {"do": "click", "target": SAVE_TARGET, "double": True, "effect": "irreversible"}),
        (f"{SAVE}.click(click_count=2)",
         {"do": "click", "target": SAVE_TARGET, "double": True, "effect": "irreversible"}),
        (f'{SAVE}.click(button="right", modifiers=["Shift"], position={{"x": 1, "y": 2}}, timeout=500)',
         {"do": "click", "target": SAVE_TARGET, "button": "right", "modifiers": ["Shift"], "at": {"x": 1, "y": 2},
          "effect": "irreversible", "timeout_s": 0.5}),
        (f'{NAME}.fill("A")', {"do": "fill", "target": {"label": "Name"}, "value": "A",
                               "expect": [{"value": "A", "of": {"label": "Name"}}]}),
        (f'{NAME}.fill(f"{{1}}" "b" + "c")', {"do": "fill", "target": {"label": "Name"}, "value": "1bc",
                                              "expect": [{"value": "1bc", "of": {"label": "Name"}}]}),
        (f"{NAME}.clear()", {"do": "clear", "target": {"label": "Name"},
                             "expect": [{"value": "", "of": {"label": "Name"}}]}),
        (f'{NAME}.press_sequentially("ab", delay=100)', {"do": "type", "target": {"label": "Name"}, "text": "ab"}),
        (f'{NAME}.press("ControlOrMeta+a")', {"do": "press", "key": "ControlOrMeta+a", "target": {"label": "Name"},
                                              "effect": "read"}),
        (f"{NAME}.check()", {"do": "set_checked", "target": {"label": "Name"},
                             "expect": [{"checked": {"label": "Name"}}]}),
        (f"{NAME}.set_checked(False)", {"do": "set_checked", "target": {"label": "Name"}, "checked": False,
                                        "expect": [{"checked": {"label": "Name"}, "is": False}]}),
        (f'{NAME}.select_option("lead")', {"do": "select", "target": {"label": "Name"}, "value": "lead",
                                           "expect": [{"value": "lead", "of": {"label": "Name"}}]}),
        (f'{NAME}.select_option(label=["A", "B"])',
         {"do": "select", "target": {"label": "Name"}, "option": ["A", "B"]}),
        (f"{NAME}.select_option(index=2)", {"do": "select", "target": {"label": "Name"}, "index": 2}),
        (f'{NAME}.set_input_files(["a.png", "b.png"])', {"do": "upload", "target": {"label": "Name"},
                                                         "files": ["a.png", "b.png"]}),
        (f'{SAVE}.drag_to(page.locator("#bin"), target_position={{"x": 3, "y": 4}})',
         {"do": "drag", "target": SAVE_TARGET, "to": {"css": "#bin"}, "to_at": {"x": 3, "y": 4}}),
        (f"{SAVE}.select_text()", {"do": "select_text", "target": SAVE_TARGET}),
        (f"{SAVE}.scroll_into_view_if_needed()", {"do": "scroll", "target": SAVE_TARGET}),
        (f'{SAVE}.wait_for(state="hidden", timeout=2000)',
         {"do": "wait_for", "expect": [{"hidden": SAVE_TARGET}], "timeout_s": 2.0}),
        ("page.go_back()", {"do": "back"}),
        ("page.reload()", {"do": "reload"}),
        ('page.keyboard.press("Escape")', {"do": "press", "key": "Escape", "effect": "read"}),
        ("page.mouse.wheel(0, 300)", {"do": "scroll", "by": {"y": 300}}),
        ("page.wait_for_timeout(1500)", {"do": "wait_for", "seconds": 1.5}),
        ('page.wait_for_load_state("networkidle")', {"do": "wait_for", "network": "idle"}),
        ('page.wait_for_selector("#done")', {"do": "wait_for", "expect": [{"visible": {"css": "#done"}}]}),
        ('page.screenshot(path="out/the end.png", full_page=True)',
         {"do": "screenshot", "name": "the_end", "full_page": True}),
        ('page.fill("#name", "A")', {"do": "fill", "target": {"css": "#name"}, "value": "A",
                                     "expect": [{"value": "A", "of": {"css": "#name"}}]}),
        ('page.click("text=Save")', {"do": "click", "target": {"css": "text=Save"}, "effect": "irreversible"}),
    ],
)  # fmt: skip
def test_a_call_becomes_an_action(line: str, action: Json) -> None:
    made = actions(line)

    timeout = made[0].pop("timeout_s", None)
    assert made[0] | ({} if timeout is None else {"timeout_s": timeout}) == action


@pytest.mark.parametrize(
    ("assertion", "expected"),
    [
        ('expect(page.get_by_text("Saved")).to_be_visible()', {"visible": {"text": "Saved"}}),
        ('expect(page.get_by_text("Saved")).not_to_be_visible()', {"hidden": {"text": "Saved"}}),
        ('expect(page.locator("#n")).to_contain_text("7")', {"text": "7", "in": {"css": "#n"}}),
        ('expect(page.locator("#n")).to_contain_text(re.compile("^7$"))',
         {"visible": {"css": "#n", "text": "7", "exact": True}}),
        ('expect(page.locator("#n")).to_have_text("7 of 7")',
         {"visible": {"css": "#n", "text": "7 of 7", "exact": True}}),
        ('expect(page.get_by_text("Sum")).to_have_text("Sum: 7")', {"text": "Sum: 7", "in": {"text": "Sum"}}),
        ('expect(page.get_by_label("N")).to_have_value("7")', {"value": "7", "of": {"label": "N"}}),
        ('expect(page.get_by_label("N")).to_be_empty()', {"value": "", "of": {"label": "N"}}),
        ('expect(page.get_by_label("N")).to_be_checked(timeout=900)', {"checked": {"label": "N"}, "timeout_s": 0.9}),
        ('expect(page.get_by_label("N")).not_to_be_checked()', {"checked": {"label": "N"}, "is": False}),
        ('expect(page.get_by_role("row")).to_have_count(3)', {"count": {"role": "row"}, "is": 3}),
        ('expect(page.get_by_role("row")).to_have_count(0)', {"hidden": {"role": "row"}}),
        ('expect(page.locator("#n")).to_have_attribute("data-on", "yes")', {"visible": {"css": '#n[data-on="yes"]'}}),
        ('expect(page).to_have_url("https://x.example/orders/4711")', {"url": "https://x.example/orders/*"}),
        ('expect(page).to_have_url(re.compile(r"^https://x\\.example/o/.*$"))', {"url": "https://x.example/o/*"}),
        ('expect(page).to_have_url(re.compile("orders"))', {"url": "*orders*"}),
        ('page.wait_for_url("**/done")', {"url": "*/done"}),
    ],
)  # fmt: skip
def test_an_assertion_is_expected_of_the_action_before(assertion: str, expected: Json) -> None:
    made = actions(f"{SAVE}.click()", assertion)

    assert [each["do"] for each in made] == ["click"]
    assert {"timeout_s": 0.9} | made[0]["expect"][0] == {"timeout_s": 0.9} | expected


def test_an_assertion_before_any_action_is_waited_for() -> None:
    made = actions('expect(page.get_by_text("Ready")).to_be_visible()', f"{SAVE}.hover()")

    assert made[0] == {"do": "wait_for", "expect": [{"visible": {"text": "Ready"}}]}


def test_a_dialog_is_answered_by_the_next_click() -> None:
    made = imported('page.once("dialog", lambda dialog: dialog.accept("42"))', f"{SAVE}.click()", f"{NAME}.hover()")

    first, *_ = made.document["private"]["skills"][0]["actions"]
    assert first["dialog"] == {"text": "42"}
    assert made.caveats == ()


def test_a_dismissed_dialog_is_pointed_out_for_codegen_always_writes_that() -> None:
    made = imported('page.once("dialog", lambda dialog: dialog.dismiss())', f"{SAVE}.click()", f"{NAME}.hover()")

    assert made.document["private"]["skills"][0]["actions"][0]["dialog"] == {"answer": "dismiss"}
    assert [str(each).partition(";")[0] for each in made.caveats] == ["r.py:5: the dialog is dismissed"]


def test_a_popup_gets_the_name_of_its_variable_and_the_run_goes_on_in_it() -> None:
    made = actions(
        'page.goto("https://x.example/")',
        "with page.expect_popup() as page1_info:",
        '    page.get_by_role("link", name="Docs").click()',
        "page1 = page1_info.value",
        'page1.get_by_role("tab", name="API").click()',
        'page.get_by_role("tab", name="Home").click()',
        'page1.get_by_role("tab", name="Guide").click()',
        "page1.close()",
    )

    assert [(each["do"], each.get("tab") or each.get("opens")) for each in made] == [
        ("switch_tab", "main"), ("click", "page1"), ("click", None), ("switch_tab", "main"), ("click", None),
        ("switch_tab", "page1"), ("click", None),
    ]  # fmt: skip


def test_a_page_of_its_own_is_opened_in_a_tab_of_its_own() -> None:
    made = actions(
        'page.goto("https://x.example/")',
        "page1 = context.new_page()",
        'page1.goto("https://y.example/")',
        'page1.get_by_text("Hi").hover()',
    )

    assert [(each["do"], each.get("tab"), each.get("url")) for each in made] == [
        ("switch_tab", "main", "https://x.example/"), ("switch_tab", "page1", "https://y.example/"),
        ("hover", None, None),
    ]  # fmt: skip


def test_a_click_that_brings_a_file_is_a_download() -> None:
    made = actions(
        "with page.expect_download() as download_info:", f"    {SAVE}.click()", "download = download_info.value"
    )

    assert made == [{"do": "download", "target": SAVE_TARGET}]


@pytest.mark.parametrize(
    ("lines", "done"),
    [
        ([f"{NAME}.click()", f'{NAME}.fill("a")', f'{NAME}.press("Tab")'], ["fill"]),
        ([f'{NAME}.press("p")', f'{NAME}.select_option("paused")'], ["select"]),
        ([f'{NAME}.press("CapsLock")', f'{NAME}.fill("a")'], ["fill"]),
        (['page.locator("#x label").click()', 'page.get_by_label("Agree").check()'], ["set_checked"]),
        (['page.get_by_text("Agree").click()', 'page.get_by_label("Agree").check()'], ["set_checked"]),
        (['page.get_by_text("Other").click()', 'page.get_by_label("Agree").check()'], ["click", "set_checked"]),
        ([f'{NAME}.select_option(["a", "b"])'], ["select", "select"]),
    ],
)
def test_what_a_person_does_on_the_way_is_left_out(lines: list[str], done: list[str]) -> None:
    made = actions(*lines)

    assert [each["do"] for each in made] == done


def test_names_that_stand_for_texts_and_locators_are_followed() -> None:
    made = actions(
        "save = page.get_by_role('button', name=TITLE)",
        "box = save.locator('..')",
        "page.goto(URL + '/new')",
        "box.hover()",
        "expect(save).to_be_visible()",
        before="URL = 'https://x.example'\nTITLE = 'Save'\n",
    )

    assert made[0]["url"] == "https://x.example/new"
    assert made[1]["target"] == {"css": "..", "within": SAVE_TARGET}
    assert made[1]["expect"] == [{"visible": SAVE_TARGET}]


def test_the_size_of_the_page_is_kept_and_other_settings_are_said() -> None:
    made = imported(
        f"{SAVE}.hover()",
        before=textwrap.dedent("""
            @pytest.fixture(scope="session")
            def browser_context_args(browser_context_args, playwright):
                return {"viewport": {"width": 800, "height": 600}, "storage_state": "auth.json"}
        """),
    )

    assert made.document["private"]["skills"][0]["viewport"] == "800 x 600"
    assert len(lost(made)) == 1
    assert "the context's storage_state was not carried over: sign in with 'sopbench login'" in lost(made)[0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("for row in rows: row.click()", "only what codegen writes is read"),
        ("if page.url: page.reload()", "only what codegen writes is read"),
        ("helper(page)", "'helper(page)' was not carried over"),
        ("page.evaluate('1')", "evaluate() was not carried over"),
        ("page.route('**/*', handler)", "there is no verb for it"),
        (f"{SAVE}.dispatch_event('x')", "dispatch_event() was not carried over"),
        (f"{NAME}.fill(value)", "value was not carried over: only what stands in the script can be read"),
        (f"{NAME}.fill(secret())", "it is never run"),
        (f"{SAVE}.click(force=True)", "force=True was not carried over"),
        (f"{SAVE}.click(click_count=3)", "click_count=3 was not carried over"),
        (f"{SAVE}.fill()", "a value that is no text was not carried over"),
        ("page.get_by_role().click()", "it is not called as Playwright's methods are"),
        ('page.get_by_label(re.compile("^N.me")).click()', "the pattern '^N.me' was not carried over"),
        ('page.locator("li").filter(has=page.get_by_role("b", name="x")).click()', "this locator as a part of another"),
        ('page.locator("li").first.filter(has_text="x").click()', "narrow first, then count"),
        ('page.get_by_text("a").or_(page.get_by_label("b")).click()', "or_(…) was not carried over"),
        ('page.get_by_role("b", description="x").click()', "description=… was not carried over"),
        ('expect(page).to_have_title("x")', "expect(page).to_have_title was not carried over"),
        ('expect(page.locator("a")).to_match_aria_snapshot("- a")', "to_match_aria_snapshot was not carried over"),
        ("expect(1 + 1).to_be(2)", "was not carried over"),
        ('page.on("dialog", answer)', "say with 'dialog' how a dialog is answered"),
        ('page.on("request", lambda r: r.url)', "page.on('request', …) was not carried over"),
        (f'with page.expect_response("**/x"): {SAVE}.hover()', "expect_response was not carried over"),
        (f"with page.expect_popup(): {SAVE}.hover()", "there is no click in it"),
    ],
)
def test_what_cannot_be_carried_over_is_said_with_its_line(line: str, said: str) -> None:
    made = imported(f"{NAME}.hover()", line, f"{NAME}.hover()")

    assert len(lost(made)) == 1
    assert lost(made)[0].startswith("r.py:6: ")
    assert said in lost(made)[0]


@pytest.mark.parametrize(
    "line",
    ["# a comment", '"""a text"""', "page.pause()", "context.close()", "browser.close()",
     'page.wait_for_load_state("load")', "page.set_default_timeout(5000)", 'context.storage_state(path="x.json")',
     "import time", "pass",
     "download.save_as('x')"],
)  # fmt: skip
def test_what_is_no_part_of_a_procedure_is_left_out_without_a_word(line: str) -> None:
    made = imported(f"{NAME}.hover()", line)

    assert lost(made) == []
    assert made.actions == 1


def test_a_second_test_in_the_file_is_said_to_be_left_out() -> None:
    made = imported(
        f"{NAME}.hover()", "", before="def test_other(page: Page) -> None:\n    page.goto('https://x.example')\n"
    )

    assert lost(made) == ["r.py:6: 'test_example' was not carried over: one file is one procedure: import it by itself"]


def test_an_address_without_a_host_becomes_a_variable() -> None:
    made = imported('page.goto("/orders")', f"{NAME}.hover()")

    assert made.document["private"]["skills"][0]["actions"][0]["url"] == "{{ address }}/orders"
    assert "default" not in made.document["public"]["variables"]["address"]


def test_a_script_without_a_function_is_read_from_top_to_bottom() -> None:
    source = textwrap.dedent("""
        from playwright.sync_api import sync_playwright
        USER = "ann"
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch()
            page = browser.new_page()
            page.goto("https://x.example/")
            page.get_by_label("User").fill(USER)
            browser.close()
    """)

    recording = playwright_codegen.read(source, file="r.py", name="r")

    assert [each.action.do for each in recording.actions] == ["navigate", "fill"]
    assert recording.caveats == ()


def test_the_script_is_never_run(tmp_path: Any) -> None:
    mark = tmp_path / "ran"

    imported(f"{NAME}.hover()", before=f"open({str(mark)!r}, 'w').close()\n")

    assert not mark.exists()
