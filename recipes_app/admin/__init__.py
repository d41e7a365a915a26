"""Django admin: one module per noun."""
