"""How big a document and what is made from it may be. Documents are data from strangers."""

from __future__ import annotations

MAX_BYTES = 20_000_000
"""Of a document."""
MAX_DEPTH = 64
"""Of nesting of objects and arrays in a document."""
MAX_NODES = 5_000
MAX_CONTAINER_DEPTH = 32
"""Of nodes within nodes."""
MAX_PROBLEMS = 100
"""Reported at once."""
MAX_TEMPLATE_CHARS = 200_000
MAX_CHARS = 1_000_000
"""Of a rendered template, and of every value made on the way."""
MAX_REGEX_CHARS = 500
MAX_SEARCHED_CHARS = 50_000
"""Of a text that a regular expression is tried on."""
