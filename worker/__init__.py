"""Everything that touches Redis: games, queues, jobs."""
