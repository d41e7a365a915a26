"""report.pdf: the same bytes for the same pack. Pictures are shrunk for print; the originals lie beside it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

import reportlab
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from evidence_app.bundle.content import Files
from evidence_app.bundle.printing import Marked, Printed, reader
from evidence_app.bundle.story import SampleStory, Shown, Story
from evidence_app.store.blobs import StoreError
from evidence_app.store.images import NoPicture, printed

FONT, BOLD = "AgentifyText", "AgentifyBold"
MARGIN = 18 * mm
WIDTH = A4[0] - 2 * MARGIN - 12  # a frame keeps 6 points free on each side
PRINT_WIDTH, PRINT_HEIGHT = 1000, 3900  # pixels of a picture, on three pages or so
MAX_PICTURES = 300  # beyond that a report names them only; all of them are in the pack

TEXT = ParagraphStyle("text", fontName=FONT, fontSize=9, leading=12.5)
SMALL = ParagraphStyle("small", parent=TEXT, fontSize=7, leading=9)
TITLE = ParagraphStyle("title", parent=TEXT, fontName=BOLD, fontSize=18, leading=22, spaceAfter=8)
HEADING = ParagraphStyle("heading", parent=TEXT, fontName=BOLD, fontSize=13, leading=17, spaceBefore=10, spaceAfter=4)
DOUBT = ParagraphStyle("doubt", parent=TEXT, fontName=BOLD, textColor=colors.HexColor("#a8141c"))
LABEL = ParagraphStyle("label", parent=TEXT, fontName=BOLD)


def pdf(story: Story, files: Files, came: Mapping[str, str], foot: str) -> bytes:
    """`came`: how captures came, by their statements' SHA-256. `foot` stands on every page: the key's fingerprint."""
    _fonts()
    target = io.BytesIO()
    document = SimpleDocTemplate(
        target, pagesize=A4, leftMargin=MARGIN, rightMargin=MARGIN, topMargin=MARGIN, bottomMargin=MARGIN,
        title=story.title, author="Agentify", invariant=1,
    )  # fmt: skip

    def paged(canvas: Canvas, _document: SimpleDocTemplate) -> None:
        canvas.setFont(FONT, 6.5)
        canvas.drawString(MARGIN, 10 * mm, shown(foot))
        canvas.drawRightString(A4[0] - MARGIN, 10 * mm, str(canvas.getPageNumber()))

    document.build(list(_flow(story, files, came)), onFirstPage=paged, onLaterPages=paged)
    return target.getvalue()


def shown(text: str) -> str:
    """Letters that the font lacks as their numbers, so that none is silently left out."""
    glyphs = pdfmetrics.getFont(FONT).face.charToGlyph
    return "".join(letter if ord(letter) in glyphs else f"\\u{ord(letter):04x}" for letter in " ".join(text.split()))


@cache
def _fonts() -> None:
    folder = Path(reportlab.__file__).parent / "fonts"
    pdfmetrics.registerFont(TTFont(FONT, str(folder / "Vera.ttf")))
    pdfmetrics.registerFont(TTFont(BOLD, str(folder / "VeraBd.ttf")))


def _flow(story: Story, files: Files, came: Mapping[str, str]) -> Iterator[Flowable]:
    yield _said(story.title, TITLE)
    yield _table([[_said(name, LABEL), _said(text)] for name, text in story.lines], (38 * mm, WIDTH - 38 * mm))
    yield Spacer(1, 4 * mm)
    yield _said("This report is for reading. The ZIP it lies in proves it: see HOW-TO-VERIFY.txt there.", SMALL)
    left = MAX_PICTURES
    for each in story.samples:
        yield from _sample(each)
        for picture in each.pictures:
            how = came.get(picture.statement, "")
            yield from _picture(picture, each, files, how) if left > 0 else [_caption(picture, "is in the pack", how)]
            left -= 1


def _sample(each: SampleStory) -> Iterator[Flowable]:
    signed = "signed" if each.is_signed else "not signed"
    attempts = f", {each.attempts} attempts" if each.attempts > 1 else ""
    yield KeepTogether([_said(each.sample, HEADING), _said(f"{each.status}, {signed}{attempts}")])
    named = [("Conclusion", each.conclusion), *(("Decision", line) for line in each.decisions)]
    named.append(("The agent's judgment", each.judgment))
    rows = [[_said(name, LABEL), _said(text)] for name, text in named if text]
    if rows:
        yield _table(rows, (38 * mm, WIDTH - 38 * mm))
    if each.values:
        head = [_said(text, LABEL) for text in ("Field", "Value", "Where it was seen")]
        rows = [
            [_said(value.path), _said(value.value), _said(value.seen, DOUBT if value.is_doubted else TEXT)]
            for value in each.values
        ]
        yield _table([head, *rows], (45 * mm, WIDTH - 90 * mm, 45 * mm), heads=1)
    for file in each.files:
        if not (file.is_picture and file.path):
            yield _caption(file, file.said)


def _picture(picture: Shown, sample: SampleStory, files: Files, how: str) -> Iterator[Flowable]:
    """With its values boxed. A very long page is not printed to its end."""
    try:
        with files.open(picture.sha256) as file:
            made = printed(file, PRINT_WIDTH, PRINT_HEIGHT)
    except (NoPicture, StoreError) as error:
        yield _caption(picture, f"cannot be printed: {error}", how)
        return
    points = min(WIDTH / PRINT_WIDTH, WIDTH / made.width)
    on_it = [(value.path, value.box) for value in sample.values if value.box and value.picture == picture.sha256]
    marks = [Marked(shown(path), box) for path, box in on_it if box[1] * made.scale < made.height]
    yield Spacer(1, 2 * mm)
    size = (made.width * points, made.height * points)
    yield Printed(reader(made.data), size, marks, made.scale * points, FONT)
    below = f"; {len(on_it) - len(marks)} values stand further down" if len(marks) < len(on_it) else ""
    yield _caption(picture, "" if made.is_whole else f"goes on in the pack, where it is whole{below}", how)


def _caption(file: Shown, more: str, how: str = "") -> Flowable:
    said = f" ({more})" if more else ""
    came = f"; {how}" if how else ""
    return _said(f"{file.name}{said}, attempt {file.attempt}, {file.kept}{came}, SHA-256 {file.sha256}", SMALL)


def _said(text: str, style: ParagraphStyle = TEXT) -> Paragraph:
    return Paragraph(escape(shown(text)), style)


def _table(rows: list[list[Paragraph]], widths: tuple[float, ...], *, heads: int = 0) -> Table:
    """`heads` rows stand again at the top of each page it goes on to."""
    every = ((0, 0), (-1, -1))
    style = [("VALIGN", *every, "TOP"), ("LINEBELOW", *every, 0.25, colors.lightgrey), ("LEFTPADDING", *every, 0)]
    return Table(rows, colWidths=widths, style=TableStyle(style), hAlign="LEFT", repeatRows=heads)
