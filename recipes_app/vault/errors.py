"""What a vault refuses, in one line for a person that never holds a secret.

VaultError
├── BadReference   it is not written as vault:PATH#FIELD
├── NoSuchSecret   the vault answers, and holds nothing under that name
├── Denied         the vault does not let us read, or no key of ours opens it
├── Unreachable    the vault does not answer, or not in the way it should
└── ReadOnly       secrets are not put there by Agentify
"""


class VaultError(Exception):
    pass


class BadReference(VaultError):
    pass


class NoSuchSecret(VaultError):
    pass


class Denied(VaultError):
    pass


class Unreachable(VaultError):
    pass


class ReadOnly(VaultError):
    pass
