"""The words by which a person tells what a page or a driver is saying. All vocabulary of the causes is here."""

from __future__ import annotations

import re

SIGN_IN = re.compile(
    r"\b(sign(ed)?[ -](in|out)|log(ged)?[ -]?(in|out|on)|session (has )?(expired|ended|timed out)|"
    r"expired session|authenticat\w+|unauthori[sz]ed)\b",
    re.IGNORECASE,
)
"""A page that wants to know who is there."""
CHALLENGE = re.compile(
    r"\b(choose an account|which account|pick an account|verify (it'?s|it’s|that it is) you|verify your identity|"
    r"2-step|two-step|two-factor|second factor|verification code|enter (the|a|your) code|one-time (code|password)|"
    r"not a (ro)?bot|are (you )?(a )?human|press and hold|captcha|security check|unusual (activity|traffic)|"
    r"no access with this account|access denied)\b",
    re.IGNORECASE,
)
"""A page that stands between somebody and what they came for, although they know their password."""
ABOUT_SIGNING_IN = re.compile(
    r"\b(sign[ -]?in|log[ -]?in|log[ -]?on|password|user ?name|e-?mail address|e-?mail or phone|credentials)\b",
    re.IGNORECASE,
)
"""A step that deals with signing in itself: a page for that is where it should be."""
ADDRESS_OF_SIGN_IN = re.compile(r"/(sign-?in|log-?in|auth\w*|session/new|accounts?/login|challenge)\b", re.IGNORECASE)
NO_NETWORK = re.compile(
    r"\b(no (internet|network|connection)|you('|’)?(re| are) offline|connection (lost|refused|reset)|"
    r"can('|’)?t (be reached|connect|reach)|could(n't| not) (load|connect)|failed to (fetch|load)|"
    r"unable to (connect|load|reach)|network ?error|service unavailable|too many requests|bad gateway|"
    r"gateway time-?out|internal server error|try again later|something went wrong|"
    r"(could(n't| not)|cannot|can('|’)t) be (loaded|shown|displayed))\b",
    re.IGNORECASE,
)
"""What pages say when what they asked for did not come."""
CUT_OFF = re.compile(
    r"(unexpected end of (json )?(input|data)|unterminated string in json|end of data|"
    r"expected .{1,40} (in|after) json|is not valid json|failed to fetch|networkerror|load failed)",
    re.IGNORECASE,
)
"""What a page's scripts complain of when an answer did not come whole."""
COVERED = re.compile(r"intercepts pointer events", re.IGNORECASE)
NOT_READY = re.compile(
    r"(was not ready|not stable|is not (enabled|editable)|is (moving|disabled|read-only)|not visible|"
    r"none to be seen|detached|outside of the viewport)",
    re.IGNORECASE,
)
"""What stands in the way of an element that is there."""
SEVERAL = re.compile(r"^(\d+) elements fit")
NONE_FITS = re.compile(r"^no element fits")
ADDRESS_EXPECTED = re.compile(r"expected: address is ")
GONE_BROWSER = re.compile(r"\b(browser|page|tab|target)\b.*\b(crashed|is gone|was killed|closed)", re.IGNORECASE)
NOT_LISTED = re.compile(r"is not listed any more", re.IGNORECASE)
"""What the run says of an item that failed, and is gone when it looks again."""
REQUIRED = re.compile(
    r"\b((is|are) (required|mandatory)|required field|must be filled|please (fill|provide|complete)|"
    r"(can('|’)?t|cannot|must not|should not) be (blank|empty))\b",
    re.IGNORECASE,
)
"""What a form says of a field that it wants filled."""
READ_IN_TWO_WAYS = re.compile(r"^(?!(\d{1,2})[./-]\1\b)(0?[1-9]|1[0-2])[./-](0?[1-9]|1[0-2])[./-](\d{4}|\d{2})\b")
"""A date in figures whose day and month can be taken for each other."""
