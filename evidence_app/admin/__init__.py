"""Django admin of evidence."""
