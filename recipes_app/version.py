"""Which Agentify this is, as statements and packs name it."""

VERSION = "0.1.0"
