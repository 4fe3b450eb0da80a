"""An agent that answers questions with tools, and records each thing it does."""
