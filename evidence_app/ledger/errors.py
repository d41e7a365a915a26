"""What can be wrong with a ledger, branched by what the caller can do about it.

LedgerError
├── BadProof        a proof does not lead to the root it was given for
├── BadSignature    a tree head is not signed by the key that was expected, or is no tree head
└── Rewritten       a ledger does not continue an earlier, signed state of itself
"""

from __future__ import annotations


class LedgerError(Exception):
    """`str()` of it is one line for a person."""


class BadProof(LedgerError):
    pass


class BadSignature(LedgerError):
    pass


class Rewritten(LedgerError):
    pass
