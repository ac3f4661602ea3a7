"""The players: search, evaluation, levels."""
