"""Downloads, uploads and the files the pages themselves need."""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path

from examples.practice.forms import Form, submit
from examples.practice.html import h
from examples.practice.pages.notices import not_found_page
from examples.practice.redesign import rename_stylesheet
from examples.practice.state import Product, StoredFile
from examples.practice.web import Page, Request, Response, Route

STATIC = Path(__file__).parent.parent / "static"
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


def static_file(request: Request) -> Page | Response:
    path = STATIC / request.params["name"]
    if path.parent != STATIC or path.suffix not in TYPES or not path.is_file():
        return not_found_page()
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".css" and request.query.get("skin") == "1":
        text = rename_stylesheet(text)
    return Response(body=text.encode(), content_type=TYPES[path.suffix])


def downloads_page(_request: Request) -> Page:
    links = [
        h.li(h.a("Price list (CSV)", href="/downloads/price-list.csv")),
        h.li(h.a("Leaflet (PDF)", href="/downloads/leaflet.pdf")),
    ]
    return Page("Downloads", [h.h1("Downloads"), h.ul(links, class_="plain")])


def price_list(request: Request) -> Response:
    return Response(
        body=_price_list_csv(request.state.products).encode(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="price-list.csv"'},
    )


def _price_list_csv(products: list[Product]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["item", "name", "category", "price_eur", "stock"])
    for product in products:
        price = f"{product.cents / 100:.2f}"
        writer.writerow([product.specs["Item number"], product.name, product.category, price, product.stock])
    return out.getvalue()


def leaflet(_request: Request) -> Response:
    return Response(body=leaflet_pdf("Inkwell & Oak: good tools for quiet work"), content_type="application/pdf")


def leaflet_pdf(text: str) -> bytes:
    """One page with one line in Helvetica; `text` must be ASCII without brackets or backslashes."""
    drawing = f"BT /F1 24 Tf 60 760 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Font << /F1 5 0 R >> >>",
    ]
    return _pdf_file(objects)


def _pdf_file(objects: list[bytes]) -> bytes:
    pdf = b"%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(pdf))
        pdf += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return pdf + (
        b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
        + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(pdf))
    )


def upload_page(_request: Request) -> Page:
    return _upload(Form())


def _upload(form: Form, status: int = 200) -> Page:
    body = h.form(
        form.input("file", "File *", "file", required=True),
        form.input("description", "Description"),
        submit("Upload"),
        method="post",
        action="/upload",
        enctype="multipart/form-data",
        class_="panel narrow stacked",
    )
    lead = h.p("Drawings for engraving, logos, letters that need an answer.", class_="lead")
    return Page("Upload", [h.h1("Upload a file"), lead, body], status=status)


def store_upload(request: Request) -> Page:
    upload = request.files.get("file")
    if upload is None:
        return _upload(Form(values=request.form, errors={"file": "Please choose a file."}), status=400)
    stored = StoredFile(
        filename=upload.filename,
        size=len(upload.content),
        sha256=hashlib.sha256(upload.content).hexdigest(),
        description=request.form.get("description"),
    )
    request.state.files.append(stored)
    text = f"Stored {stored.filename}, {stored.size} bytes, sha256 {stored.sha256}"
    again = h.p(h.a("Upload another file", href="/upload"))
    return Page("Stored", [h.h1("Thank you"), h.p(text, role="status", class_="flash"), again])


ROUTES = [
    Route("GET", "/static/<name>", static_file),
    Route("GET", "/downloads", downloads_page),
    Route("GET", "/downloads/price-list.csv", price_list),
    Route("GET", "/downloads/leaflet.pdf", leaflet),
    Route("GET", "/upload", upload_page),
    Route("POST", "/upload", store_upload),
]
