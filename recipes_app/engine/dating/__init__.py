"""Setting dates and times in whatever control a page has for them."""
