"""Whether a pack is what was entered in the ledger: its files, its entries, their proofs, and who signed."""

from __future__ import annotations

import hashlib
from typing import Any

from evidence_app.bundle.offline.archive import Archive, Broken, Member
from evidence_app.bundle.offline.findings import Report
from evidence_app.bundle.offline.heads import Head, Key, NoHead, NotSigned, read_head, read_key, signer_of
from evidence_app.bundle.offline.reading import (
    ENTRIES,
    FORMAT,
    HEAD,
    HEADS,
    KEYS,
    KNOWN_FORMAT,
    MANIFEST,
    PROOFS,
    SEALING,
    SEALS,
    SHA_256,
    Entry,
    Unreadable,
    entry_of,
    lines_of,
    parsed,
    path_of,
    whole,
    whole_number,
)
from evidence_app.bundle.offline.tree import BadPath, NotContinued, check_continued, check_included, leaf_of


class Newer(Exception):
    """The pack is of a later format than this program knows."""


class Pack:
    """A pack that is being checked. What could not be read is None or empty, and its finding is in the report."""

    def __init__(self, archive: Archive, report: Report) -> None:
        self.archive, self.report = archive, report
        self.members: dict[str, Member] = {}
        self.sums: dict[str, str] = {}  # SHA-256 of each file that was read
        self.manifest: dict[str, Any] = {}
        self.entries: list[Entry] = []
        self.sealing: Entry | None = None
        self.head: Head | None = None
        self.keys: list[Key] = []
        self.heads: list[tuple[Head, dict[str, Any]]] = []
        self.signer: Key | None = None

    def check(self) -> None:
        """Newer for a format that is not known; else everything is looked at, whatever was found before."""
        self._find_members()
        self._read_manifest()
        self._check_files()
        self._read_ledger()
        self._check_sealing()
        self._check_proofs()
        self.heads = self._read_heads()

    def document(self, name: str) -> bytes | None:
        """None where it is not there or cannot be read, which is said."""
        member = self.members.get(name)
        if member is None:
            self.report.add("missing", name, "the pack does not hold it")
            return None
        if member.odd:  # which is said of it elsewhere
            return None
        try:
            data = whole(self.archive, member)
        except (Broken, Unreadable) as error:
            self.report.add("modified", name, str(error))
            return None
        self.sums[name] = hashlib.sha256(data).hexdigest()
        return data

    def _find_members(self) -> None:
        for member in self.archive.members:
            if member.name in self.members:
                self.report.add("extra", member.name, "two files in the pack have this name")
            self.members.setdefault(member.name, member)

    def _read_manifest(self) -> None:
        data = self.document(MANIFEST)
        if data is None:
            return
        try:
            self.manifest = _shaped(parsed(data))
        except Unreadable as error:
            self.report.add("modified", MANIFEST, str(error))

    def _check_files(self) -> None:
        listed = {each["path"]: each for each in self.manifest.get("files", ())}
        for name, member in self.members.items():
            known = name in listed or name in SEALS or name == MANIFEST
            if self.manifest and not known:
                self.report.add("extra", name, f"the manifest does not know it{_because(member)}")
            elif member.odd:
                self.report.add("repacked", name, member.odd)
        for name, each in listed.items():
            if name not in self.members:
                self.report.add("missing", name, f"{self._called(each)} is in the manifest and not in the pack")
            else:
                self._check_file(self.members[name], each)

    def _check_file(self, member: Member, listed: dict[str, Any]) -> None:
        if member.odd:
            return
        digest = hashlib.sha256()
        try:
            for piece in self.archive.pieces(member):
                digest.update(piece)
        except Broken:
            pass  # the hash says so in better words
        found = self.sums[member.name] = digest.hexdigest()
        if found != listed["sha256"]:
            text = f"{self._called(listed)} was changed: its SHA-256 is {found}, and {listed['sha256']} was entered"
            self.report.add("modified", member.name, text)
        elif member.size != listed["size"]:
            self.report.add("modified", member.name, "its size is not the one of the manifest")

    @staticmethod
    def _called(listed: dict[str, Any]) -> str:
        name = str(listed.get("name") or "")
        sample = str(listed.get("sample") or "")
        return f"{name} of sample {sample}" if name and sample else name or "this file"

    def _read_ledger(self) -> None:
        self.entries = [entry for _, entry in self._lines(ENTRIES)]
        data = self.document(SEALING)
        try:
            self.sealing = entry_of(parsed(data)) if data is not None else None
        except Unreadable as error:
            self.report.add("modified", SEALING, str(error))
        for entry in [*self.entries, *([self.sealing] if self.sealing else [])]:
            if entry.fault:
                self.report.add("modified", f"entry {entry.seq} ({entry.kind})", entry.fault)
        self._read_keys()
        note = self.document(HEAD)
        try:
            self.head = read_head(note.decode("utf-8")) if note is not None else None
        except (NoHead, UnicodeDecodeError) as error:
            self.report.add("signature", HEAD, str(error) if isinstance(error, NoHead) else "it is no text")

    def _lines(self, name: str) -> list[tuple[dict[str, Any], Entry]]:
        data, made = self.document(name), []
        try:
            made = [(line, entry_of(line)) for line in lines_of(data or b"")]
        except Unreadable as error:
            self.report.add("modified", name, str(error))
        return made

    def _read_keys(self) -> None:
        data = self.document(KEYS)
        try:
            # Split by nothing but the end of a line as it was written: each byte of a key counts.
            lines = (data or b"\n").decode("utf-8").removesuffix("\n").split("\n")
            self.keys = [read_key(line) for line in lines if data]
        except (NoHead, UnicodeDecodeError) as error:
            self.report.add("signature", KEYS, str(error) if isinstance(error, NoHead) else "it is no text")

    def _check_sealing(self) -> None:
        """The entry that was made of this pack names the hash of its manifest, and so of everything in it."""
        if self.sealing is None or self.sealing.fault:
            return
        if self.sealing.kind != "pack.built" or self.sealing.facts is None:
            self.report.add("modified", SEALING, "it is not the entry of a pack")
        elif MANIFEST in self.sums and self.sealing.text("manifest") != self.sums[MANIFEST]:
            self.report.add("modified", MANIFEST, "this is not the manifest that was entered in the ledger")
        elif self.manifest and ENTRIES in self.sums and len(self.entries) != self.manifest["entries"]:
            self.report.add(
                "modified", ENTRIES, f"it holds {len(self.entries)} entries, not {self.manifest['entries']}"
            )

    def _check_proofs(self) -> None:
        if self.head is None:
            return
        paths = self._paths()
        for entry in [*self.entries, *([self.sealing] if self.sealing else [])]:
            where = f"entry {entry.seq} ({entry.kind})"
            if entry.seq not in paths:
                self.report.add("proof", where, "the pack holds no proof that it is in the ledger")
                continue
            try:
                check_included(leaf_of(entry.body), entry.seq, self.head.size, paths[entry.seq], self.head.root)
            except BadPath as error:
                self.report.add("proof", where, str(error))

    def _paths(self) -> dict[int, list[bytes]]:
        data = self.document(PROOFS)
        try:
            return {whole_number(line.get("seq")): path_of(line) for line in lines_of(data or b"")}
        except Unreadable as error:
            self.report.add("proof", PROOFS, str(error))
        return {}

    def check_signature(self, raw_keys: list[bytes], fingerprints: list[str]) -> None:
        """By a key named from outside; one that came in the pack proves that all belongs together, and no more."""
        if self.head is None:
            return
        is_named = bool(raw_keys or fingerprints)
        named = [Key("", raw) for raw in raw_keys] + [key for key in self.keys if key.fingerprint in fingerprints]
        try:
            self.signer = signer_of(self.head, self._heirs(named) if is_named else self.keys)
        except NotSigned as error:
            by = ", ".join(key.fingerprint for key in self.keys) or "nobody whose key is here"
            text = f"it is signed by {by}, not by the key that was named" if is_named else str(error)
            self.report.add("signature", HEAD, text)
        except NoHead as error:
            self.report.add("signature", HEAD, str(error))
        else:
            if not is_named:
                text = (
                    f"consistent, signer not known: is {self.signer.fingerprint} the key you expect? Name it by --key"
                )
                self.report.add("unknown", HEAD, text)

    def _heirs(self, named: list[Key]) -> list[Key]:
        """With the keys that came after them. A key hands over by signing a state of this very ledger whose text names
        the one that follows; who else signed it says nothing, since anybody can add a signature."""
        known = list(named)
        for head, line in sorted(self.heads, key=lambda each: each[0].size):
            new, old = head.hand_over
            heir = next((key for key in self.keys if key.fingerprint == new), None)
            before = [key for key in known if key.fingerprint == old]
            if heir is None or not before or heir.raw in {key.raw for key in known} or self.head is None:
                continue
            try:
                signer_of(head, _named_as(head, before))
                check_continued((head.size, self.head.size), path_of(line), (head.root, self.head.root))
            except (NoHead, Unreadable, BadPath, NotContinued):
                continue  # not one that hands over
            if head.origin == self.head.origin:
                self.report.notes.append(f"the key that was named handed over to {heir.fingerprint}")
                known.append(heir)
        return _named_as(self.head, known) if self.head else known

    def check_since(self, earlier: Head) -> None:
        """The ledger goes on from a state that was known before."""
        if self.head is None:
            return
        where = f"the ledger of {earlier.size} entries"
        if earlier.origin != self.head.origin:
            self.report.add("rewritten", where, f"it is of {earlier.origin}, and the pack of {self.head.origin}")
            return
        try:
            path = self._path_from(earlier)
            if path is None:
                text = f"the pack holds no proof from there to its own {self.head.size}; ask for a newer pack"
                self.report.add("uncheckable", where, text)
                return
            check_continued((earlier.size, self.head.size), path, (earlier.root, self.head.root))
        except NotContinued as error:
            self.report.add("rewritten", where, f"history was rewritten, or is older than that: {error}")
        except BadPath as error:
            self.report.add("proof", where, str(error))

    def _path_from(self, earlier: Head) -> list[bytes] | None:
        if self.head is None or not 0 < earlier.size < self.head.size:
            return []
        for note, line in self.heads:
            if note.size == earlier.size:
                return path_of(line)
        return None

    def _read_heads(self) -> list[tuple[Head, dict[str, Any]]]:
        """Earlier signed states, each with the proof that leads from it to the pack's own."""
        data = self.document(HEADS)
        try:
            return [(read_head(str(line.get("note", ""))), line) for line in lines_of(data or b"")]
        except (Unreadable, NoHead) as error:
            self.report.add("proof", HEADS, str(error))
        return []


def _named_as(head: Head, keys: list[Key]) -> list[Key]:
    """The same keys under each name that the head is signed by: a key in a file may have none."""
    return [Key(name, key.raw) for name, _, _ in head.signatures for key in keys]


def _because(member: Member) -> str:
    return f" ({member.odd})" if member.odd else ""


def _shaped(manifest: dict[str, Any]) -> dict[str, Any]:
    """The same. Newer for a format that is not known; Unreadable where it has not the shape of its format."""
    match = FORMAT.fullmatch(str(manifest.get("format")))
    if not match:
        raise Unreadable("it is not the manifest of a pack")
    if int(match.group(1)) > KNOWN_FORMAT:
        raise Newer(f"it is of format {match.group(1)}, and this program knows {KNOWN_FORMAT}")
    _check_parts(manifest)
    for each in manifest["files"]:
        _check_file_line(each)
    return manifest


def _check_parts(manifest: dict[str, Any]) -> None:
    for name in ("files", "withheld"):
        if not isinstance(manifest.get(name), list) or not all(isinstance(each, dict) for each in manifest[name]):
            raise Unreadable(f"its list of {name} cannot be read")
    for name in ("run", "policy"):
        if not isinstance(manifest.get(name), dict):
            raise Unreadable(f"it says nothing of the {name}")
    whole_number(manifest.get("entries"), "it does not say how many entries belong to it")
    for each in manifest["withheld"]:
        if not SHA_256.fullmatch(str(each.get("sha256"))) or not isinstance(each.get("copy", ""), str):
            raise Unreadable("a file that it says is withheld has no SHA-256, or a copy that is none")


def _check_file_line(each: dict[str, Any]) -> None:
    if not isinstance(each.get("path"), str):
        raise Unreadable("a file of it has no path or no size")
    whole_number(each.get("size"), "a file of it has no path or no size")
    if not SHA_256.fullmatch(str(each.get("sha256"))):
        raise Unreadable(f"it names no SHA-256 of {each['path']}")
