"""Texts of a page as typed values."""
