"""Keep what is recorded on this machine until a remote store has it."""
