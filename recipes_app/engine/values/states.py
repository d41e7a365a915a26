"""What shops say of what can be had, and of what cannot."""

HAD = ("in stock", "available", "auf lager", "lieferbar", "en stock", "disponible", "disponibile")
NOT_HAD = (
    "out of stock",
    "not in stock",
    "sold out",
    "unavailable",
    "not available",
    "nicht lieferbar",
    "ausverkauft",
    "rupture de stock",
    "épuisé",
    "agotado",
    "no disponible",
    "esaurito",
)
