"""How strong the players are: `make strength` plays the matches of `blocks` and writes docs/strength.md."""
