"""What the base and its API answer when they do not do what was asked, in the words of the real API."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """A request that is not carried out: an HTTP status, Airtable's error type, and a message."""

    def __init__(self, status: int, kind: str, message: str = "") -> None:
        super().__init__(message or kind)
        self.status = status
        self.kind = kind
        self.message = message

    def body(self) -> dict[str, Any]:
        """``{"error": {"type", "message"}}``, or ``{"error": type}`` where the real API gives no message."""
        if not self.message:
            return {"error": self.kind}
        return {"error": {"type": self.kind, "message": self.message}}


def not_authenticated(given: bool) -> Refused:
    """No token, or (``given``) one that is not accepted."""
    if given:
        return Refused(401, "UNAUTHORIZED", "Invalid authentication token")
    return Refused(401, "AUTHENTICATION_REQUIRED", "Authentication required")


def model_not_found() -> Refused:
    """A base or a table that is not there, or not for this token: the real API does not tell which."""
    return Refused(
        403,
        "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND",
        "Invalid permissions, or the requested model was not found. Check that both your user and your token have the "
        "required permissions, and that the model names and/or ids are correct.",
    )


def row_missing(record_id: str) -> Refused:
    """A record named in the body of a request that is not in the table."""
    return Refused(422, "ROW_DOES_NOT_EXIST", f"Record ID {record_id} does not exist in this table")


def unknown_field(name: str) -> Refused:
    """A field that the table does not have."""
    return Refused(422, "UNKNOWN_FIELD_NAME", f'Unknown field name: "{name}"')


def bad_value(name: str) -> Refused:
    """A value of the wrong type for its field."""
    return Refused(422, "INVALID_VALUE_FOR_COLUMN", f'Field "{name}" cannot accept the provided value')


def bad_request(message: str = "Invalid request: parameter validation failed. Check your request data.") -> Refused:
    """A request whose shape is wrong."""
    return Refused(422, "INVALID_REQUEST_UNKNOWN", message)
