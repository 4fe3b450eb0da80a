"""Write what the documents show of the command line again: `python tests/write_docs.py`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from docs_cases import ROOT, console_blocks, on_terminal, reference, replay


def main() -> None:
    """Replay the console sessions of the documents, and write the reference."""
    (ROOT / "docs" / "cli.md").write_text(reference(), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "demo"
        on_terminal("tg-prov demo", store)
        path = ROOT / "README.md"
        text = path.read_text(encoding="utf-8")
        for session in console_blocks(text):
            text = text.replace(session, replay(session, store))
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
