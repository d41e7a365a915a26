"""Product pictures: one simple drawing per category on a tinted ground."""

from __future__ import annotations

from zlib import crc32

from examples.practice.state import DATA, Product

GROUNDS = ("#e7efe9", "#f5e8d8", "#e6ebf3", "#f3e6e4", "#efeadb", "#e9e6f0")


def picture(product: Product) -> str:
    drawing = (DATA / "art" / f"{product.category.lower()}.svg").read_text(encoding="utf-8")
    return drawing.replace("GROUND", GROUNDS[crc32(product.slug.encode()) % len(GROUNDS)])
