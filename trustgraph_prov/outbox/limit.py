"""Cut texts that a store cannot take, and keep the whole of them.

Some servers die of a long literal (Virtuoso 7.2.5 takes 3 MB and ends with a segmentation fault
at 4 MB), so the limit is kept before anything is sent.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TypeGuard

from pyoxigraph import Literal, NamedNode, Quad

from ..errors import InvalidValueError, ProvWarning
from ..lexical import utc_form
from ..namespaces import TGP_OMITTED_BYTES, TGP_SHA256, XSD_STRING
from ..terms import Term, integer, text
from .files import write_lines, write_whole

__all__ = ["CutText", "check_limit", "cut_texts"]

_LEAST = 64
"""Bytes of a tgp:sha256, which must arrive whole beside the text that was cut."""


@dataclass(frozen=True)
class CutText:
    """A text of which a store gets the first part.

    Attributes:
        subject, predicate: whose text it is, as N-Triples terms.
        size: of the whole, in bytes of UTF-8.
        omitted: bytes that the store does not get.
        sha256: of the whole, in hex digits.
        file: where the whole is, as UTF-8.
    """

    subject: str
    predicate: str
    size: int
    omitted: int
    sha256: str
    file: Path


def check_limit(max_text_bytes: int | None) -> None:
    """Refuse a limit that the SHA-256 of a text that was cut would not fit in.

    Raises:
        InvalidValueError: it is below 64, or no whole number.
    """
    whole = isinstance(max_text_bytes, int) and not isinstance(max_text_bytes, bool)
    if max_text_bytes is not None and not (whole and max_text_bytes >= _LEAST):
        raise InvalidValueError("max_text_bytes", max_text_bytes, f"{_LEAST} bytes or more")


def cut_texts(
    quads: Iterable[Quad], max_text_bytes: int, folder: Path, *, name: str = "outbox"
) -> tuple[list[Quad], list[CutText]]:
    """Cut every text over the limit, keep the whole of it, and warn.

    A text is a string, with a language or without. Half a time or half a JSON document would be
    none, so other literals go whole, for the store to take or to refuse.

    The subject gets tgp:omittedBytes and tgp:sha256, in the graph of the text. Where two texts of
    one subject are cut, it has two of each: the kept text whose start the store has tells which.

    Args:
        quads: what is to be written.
        max_text_bytes: the longest text, 64 bytes of UTF-8 or more; no character is cut in two.
        folder: where whole texts are kept, as `<sha256>.txt`, with a JSON line beside each.
        name: the store they are for, without credentials.

    Returns:
        The quads to write, and what was cut.

    Raises:
        InvalidValueError: the limit is below 64.
        StoreError: a text cannot be kept, and then nothing should be written.

    Warns:
        ProvWarning: one for all texts that were cut, naming their files.

    Example:
        >>> from pyoxigraph import NamedNode
        >>> short = Quad(NamedNode("urn:a"), NamedNode("urn:b"), Literal("Paris"))
        >>> cut_texts([short], 64, Path("dead-letters"))[0] == [short]
        True
    """
    check_limit(max_text_bytes)
    written: list[Quad] = []
    cuts: list[CutText] = []
    for quad in quads:
        # A character is 4 bytes at most, so most texts need no encoding.
        if _is_text(quad.object) and len(quad.object.value) * 4 > max_text_bytes:
            whole = quad.object.value.encode()
            if len(whole) > max_text_bytes:
                cut = _keep(quad, whole, max_text_bytes, folder, name)
                written.extend(_cut_quads(quad, quad.object, whole, cut))
                cuts.append(cut)
                continue
        written.append(quad)
    if cuts:
        warnings.warn(_warning(name, max_text_bytes, cuts), ProvWarning, stacklevel=2)
    return written, cuts


def _is_text(term: Term) -> TypeGuard[Literal]:
    return isinstance(term, Literal) and (
        term.language is not None or term.datatype.value == XSD_STRING
    )


def _keep(quad: Quad, whole: bytes, limit: int, folder: Path, name: str) -> CutText:
    sha256 = hashlib.sha256(whole).hexdigest()
    first = whole[:limit].decode(errors="ignore").encode()
    subject, predicate = str(quad.subject), str(quad.predicate)
    omitted = len(whole) - len(first)
    file = folder / f"{sha256}.txt"
    cut = CutText(subject, predicate, len(whole), omitted, sha256, file)
    new = write_whole(name, file, whole)
    place = hashlib.sha256(f"{subject} {predicate}".encode()).hexdigest()[:8]
    line = {
        "time": utc_form(datetime.now(timezone.utc), "seconds"),
        "store": name,
        "reason": f"longer than {limit} bytes",
        "subject": subject,
        "predicate": predicate,
        "bytes": cut.size,
        "omittedBytes": cut.omitted,
        "sha256": sha256,
        "file": file.name,
    }
    try:
        write_lines(name, folder / f"{sha256}-{place}.jsonl", line)
    except BaseException:
        if new:
            file.unlink()
        raise
    return cut


def _cut_quads(quad: Quad, literal: Literal, whole: bytes, cut: CutText) -> list[Quad]:
    first = whole[: len(whole) - cut.omitted].decode()
    part = Literal(first, language=literal.language, direction=literal.direction)
    graph = quad.graph_name
    return [
        Quad(quad.subject, quad.predicate, part, graph),
        Quad(quad.subject, NamedNode(TGP_OMITTED_BYTES), integer(cut.omitted), graph),
        Quad(quad.subject, NamedNode(TGP_SHA256), text(cut.sha256), graph),
    ]


def _warning(name: str, limit: int, cuts: list[CutText]) -> str:
    first = cuts[0]
    more = f" and {len(cuts) - 1} more were" if len(cuts) > 1 else " was"
    return (
        f"{name} takes texts up to {limit} bytes: {first.predicate} of {first.subject}{more} "
        f"cut by {sum(cut.omitted for cut in cuts)} bytes; the whole is in {first.file}"
    )
