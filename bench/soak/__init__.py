"""Games played while everything they rest on is killed, cut off, paused and filled: `make soak`."""
