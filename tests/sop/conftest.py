"""A small good procedure, and a way to write it to a file with something changed in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sopbench.sop.document import Sop

Json = dict[str, Any]
Writer = Callable[[Json], Path]


def _good() -> Json:
    return {
        "meta": {"id": "mails", "title": "Mails", "version": "1.2.0", "goal": "Save what matters.", "schema": "1.0"},
        "public": {
            "nodes": [
                {"id": "open_inbox", "type": "task", "label": "Open https://mail.example.com"},
                {
                    "id": "each_mail", "type": "loop", "label": "Each mail", "items": "mails", "as": "mail",
                    "children": ["read_mail", "is_relevant", "save_mail"],
                },
                {
                    "id": "read_mail", "type": "task", "label": "Read the mail", "parentId": "each_mail",
                    "variables_out": {"subject": "string"},
                },
                {
                    "id": "is_relevant", "type": "decision", "label": "Relevant?", "parentId": "each_mail",
                    "criteria": {
                        "checks": [{"if": {"that": "'Invoice' in subject"}, "then": "yes"}],
                        "question": {
                            "ask": "Is it about money?", "about": "{{ subject }}",
                            "choices": {"yes": {"means": "it is", "then": "yes"}, "no": {"means": "no", "then": "no"}},
                        },
                    },
                },
                {"id": "save_mail", "type": "task", "label": "Save the mail", "parentId": "each_mail"},
                {"id": "done", "type": "end", "label": "Done"},
            ],
            "edges": [
                {"source": "open_inbox", "target": "each_mail"},
                {"source": "read_mail", "target": "is_relevant"},
                {"source": "is_relevant", "target": "save_mail", "condition": "yes"},
                {"source": "is_relevant", "target": "each_mail", "condition": "no"},
                {"source": "each_mail", "target": "done", "condition": "all_processed"},
            ],
            "variables": {"mails": ["a", "b"], "folder": "Money", "password": {"secret": True, "from_env": "MAIL_PW"}},
        },
        "private": {
            "skills": [
                {
                    "id": "read", "app": "mail",
                    "actions": [
                        {"do": "extract", "into": "subject", "target": {"role": "heading", "name": "{{ mail }}"}}
                    ],
                },
                {
                    "id": "save", "app": "mail",
                    "actions": [
                        {
                            "do": "fill", "target": {"label": "Folder"}, "value": "{{ folder }}",
                            "expect": [{"value": "{{ folder }}", "of": {"label": "Folder"}}],
                        },
                        {
                            "do": "click", "target": {"role": "button", "name": "Save"},
                            "expect": [{"text": "Saved", "in": {"role": "status"}}],
                        },
                    ],
                },
            ],
            "steps": [
                {"node_id": "read_mail", "primary_skill": "read"},
                {"node_id": "save_mail", "primary_skill": "save"},
            ],
        },
    }  # fmt: skip


@pytest.fixture
def good() -> Json:
    """A document without a problem, to be changed."""
    return _good()


@pytest.fixture
def sop(good: Json) -> Sop:
    return Sop.model_validate(good)


@pytest.fixture
def write(tmp_path: Path) -> Writer:
    """Write a document with one key a line."""

    def to_file(document: Json) -> Path:
        path = tmp_path / "mails.sop.json"
        path.write_text(json.dumps(document, indent=2), encoding="utf-8")
        return path

    return to_file
