"""Prices are whole cents inside and "€ 24.90" on pages."""


def euros(cents: int) -> str:
    return f"€ {cents / 100:,.2f}"
