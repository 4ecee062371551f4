"""Tables of an Airtable base, read through the public API by its own client library."""

from __future__ import annotations

from typing import Any


class AirtableTables:
    """Reads one base, real or mock: the mock answers the same client at another address."""

    def __init__(self, token: str, base_id: str, *, endpoint_url: str = "https://api.airtable.com") -> None:
        import pyairtable  # noqa: PLC0415 - takes half a second, and most commands read no base

        self._api = pyairtable.Api(token, endpoint_url=endpoint_url, retry_strategy=pyairtable.retry_strategy())
        self._base_id = base_id

    def rows(self, table: str) -> list[dict[str, Any]]:
        """All records of a table, by its name: column name → value; empty cells are absent.

        Raises: requests.HTTPError and the like when the API does not answer.
        """
        return [dict(record["fields"]) for record in self._api.table(self._base_id, table).all()]
