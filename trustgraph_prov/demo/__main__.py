"""Write the example files: `python -m trustgraph_prov.demo ontology/examples`."""

from __future__ import annotations

import sys
from pathlib import Path

from . import examples, trig


def main(folder: str) -> None:
    """Write one TriG file a story.

    Args:
        folder: where.
    """
    for name, quads in examples().items():
        (Path(folder) / f"{name}.trig").write_text(trig(quads), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
