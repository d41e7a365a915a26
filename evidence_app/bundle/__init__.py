"""Packs: what leaves the house, and the one file of Python that checks it anywhere."""
