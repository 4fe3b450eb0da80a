"""The command line: `tg-prov`, and the explain commands of TrustGraph under their own names."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run `tg-prov`."""
    try:
        from .app import app
        from .failures import run
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    run(app, "tg-prov")
