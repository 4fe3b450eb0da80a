"""The modules of both packages, to be read rather than run."""

from __future__ import annotations

from pathlib import Path

import trustgraph_prov

PACKAGE = Path(trustgraph_prov.__file__).parent
CLI = PACKAGE.parent / "cli" / "trustgraph_prov_cli"


def modules(folder: Path) -> list[Path]:
    """Every module below a folder."""
    found = sorted(folder.rglob("*.py"))
    assert found, f"{folder} holds no module, so nothing would be tested"
    return found
