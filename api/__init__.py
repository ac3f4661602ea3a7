"""The HTTP API, the page it serves and the command line."""
