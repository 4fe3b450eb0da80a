"""Two terms that the context could not tell apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from trustgraph_prov import resources
from trustgraph_prov.context import context


def test_two_terms_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "ontology"
    folder.mkdir()
    for name in resources.VOCABULARY:
        source = (resources.folder("ontology") / name).read_text(encoding="utf-8")
        (folder / name).write_text(source, encoding="utf-8")
    with (folder / "extension.ttl").open("a", encoding="utf-8") as extension:
        extension.write("tgp:thought a owl:DatatypeProperty .\n")
    monkeypatch.setattr("trustgraph_prov.context.resources.folder", lambda name: tmp_path / name)
    with pytest.raises(ValueError, match="two terms are called 'thought'"):
        context()
