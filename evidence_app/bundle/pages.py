"""What of a pack people read in a browser or an editor: index.html, without a script, and how to verify."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from string import Template

from evidence_app.bundle.content import Content, one_line
from evidence_app.bundle.story import SampleStory, Shown, Story, Value

PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.25; }
section { border-top: 1px solid #8888; margin-top: 2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; overflow-wrap: anywhere; }
th { border-bottom: 1px solid #8888; }
figure { margin: 1rem 0; }
img { max-width: 100%; border: 1px solid #8888; }
tr.doubt td:last-child { color: light-dark(#a8141c, #ff9c9c); font-weight: 600; }
figcaption, .hash { font-size: .875rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) { dl { display: block; } dd { margin-bottom: .5rem; } }
</style>
</head>
<body>
<main>
<h1>$title</h1>
<p>This page is for reading. It proves nothing by itself: <a href="HOW-TO-VERIFY.txt">how to verify this pack</a>.
The same as a document: <a href="report.pdf">report.pdf</a>.</p>
<dl>
$lines</dl>
<nav><h2>Samples</h2>
<ol>
$contents</ol></nav>
$samples</main>
</body>
</html>
""")

HOW_TO = Template("""How to verify this pack
=======================

What it is: evidence that was captured from a website, and who signed it, for

    $title
    run $run

You need: this ZIP file as it came (do not unpack it and pack it again), Python 3.9 or later, and two things that you
got from somewhere else than this pack:

  1. verify.py, from the people who run Agentify or from the Agentify project. A copy lies in this pack. Whoever can
     change a pack can change that copy too, so it is there for convenience.
  2. the fingerprint of the key that signs the ledger. Ask for it on another way than this pack came to you: on paper,
     by telephone, from the address /.well-known/agentify-ledger.json of the installation. The pack says:

     $fingerprint

     That this line stands here proves nothing. Compare it.

Then:

    python3 verify.py PACK.zip --key FINGERPRINT

It needs no network, unpacks nothing, changes nothing, and says in one line each what is wrong, if anything is.

If you hold an earlier pack of the same installation, or a signed state of its ledger that you were sent, add

    --since EARLIER-PACK.zip

and it checks too that nothing that stood in the ledger then was changed or taken out since.

    --tsa FINGERPRINT   of the certificate of the authority that stamped the time, if you want to insist on one
    --json              the result for a program

Exit codes
----------
  0  good
  1  it was not used right, or there is no such file
  2  something was modified
  3  something is missing
  4  something is there that does not belong
  5  a proof does not hold: it is not in the ledger that was signed
  6  the signature is wrong, or nobody said whose it has to be
  7  history was rewritten since the earlier state that you named
  8  a time stamp is wrong
  9  somebody signed against the rules of review
 10  the pack is of a newer format than your verify.py
 11  something cannot be checked with what is here; it says what is missing

What it cannot prove
--------------------
That a website told the truth. That whoever holds the signing key and the database did not write both anew before you
held anything of theirs: against that help earlier packs, signed states that were copied elsewhere, and time stamps.
""")


def index(story: Story, came: Mapping[str, str]) -> str:
    """`came`: how captures came, by their statements' SHA-256."""
    lines = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>\n" for name, text in story.lines)
    contents = "".join(
        f'<li><a href="#s{number}">{escape(each.sample)}</a>: {escape(_state(each))}</li>\n'
        for number, each in enumerate(story.samples, start=1)
    )
    samples = "".join(_sample(number, each, came) for number, each in enumerate(story.samples, start=1))
    return PAGE.substitute(title=escape(story.title), lines=lines, contents=contents, samples=samples)


def how_to_verify(content: Content) -> str:
    title, run = (one_line(content.run.get(name, "")) for name in ("title", "id"))
    return HOW_TO.substitute(title=title, run=run, fingerprint=content.fingerprint)


def _state(each: SampleStory) -> str:
    signed = "signed" if each.is_signed else "not signed"
    again = f", {each.attempts} attempts" if each.attempts > 1 else ""
    return f"{each.status}, {signed}{again}"


def _sample(number: int, each: SampleStory, came: Mapping[str, str]) -> str:
    parts = [f'<section id="s{number}">\n<h2>{escape(each.sample)}</h2>\n<p>{escape(_state(each))}</p>\n']
    if each.conclusion:
        parts.append(f"<p><strong>Conclusion:</strong> {escape(each.conclusion)}</p>\n")
    if each.decisions:
        items = "".join(f"<li>{escape(line)}</li>\n" for line in each.decisions)
        parts.append(f"<h3>Decisions about the evidence</h3>\n<ul>\n{items}</ul>\n")
    if each.judgment:
        parts.append(f"<p><strong>The agent's own judgment:</strong> {escape(each.judgment)}</p>\n")
    if each.values:
        rows = "".join(_value(value) for value in each.values)
        parts.append(f"<table>\n{_row('Field', 'Value', 'Where it was seen', cell='th')}{rows}</table>\n")
    parts += [_figure(shown, came.get(shown.statement, "")) for shown in each.pictures]
    parts.append(f"<h3>Files</h3>\n<table>\n{''.join(_file(shown) for shown in each.files)}</table>\n</section>\n")
    return "".join(parts)


def _value(value: Value) -> str:
    row = _row(value.path, value.value, value.seen)
    return row.replace("<tr>", '<tr class="doubt">', 1) if value.is_doubted else row


def _row(*cells: str, cell: str = "td") -> str:
    return f"<tr>{''.join(f'<{cell}>{escape(each)}</{cell}>' for each in cells)}</tr>\n"


def _figure(shown: Shown, how: str) -> str:
    caption = f"{escape(shown.name)}, attempt {escape(shown.attempt)}"
    image = f'<img src="{escape(shown.path)}" alt="{caption}" loading="lazy">'
    came = f"<br>{escape(how)}" if how else ""
    said = f'{caption}, {escape(shown.kept)}{came}<br><span class="hash">SHA-256 {escape(shown.sha256)}</span>'
    return f"<figure>{image}<figcaption>{said}</figcaption></figure>\n"


def _file(shown: Shown) -> str:
    name = f'<a href="{escape(shown.path)}">{escape(shown.name)}</a>' if shown.path else escape(shown.name)
    said = f"{shown.size} bytes" + (f", {shown.said}" if shown.said else "")
    return f'<tr><td>{name}</td><td>{said}</td><td class="hash">{escape(shown.sha256)}</td></tr>\n'
