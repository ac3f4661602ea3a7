"""What the engine refuses, as a few named errors. Each carries a stable `code` and the numbers behind it."""

from typing import Any


class GameError(ValueError):
    """A refusal that changed nothing: `code` is for programs, `params` holds the facts behind it."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(f"{code} {params}" if params else code)
        self.code = code
        self.params = params


class BadSetup(GameError):
    """A game that cannot be set up so: mode, seats, options, board or year's animal."""


class BadRecord(GameError):
    """A game record that is malformed, withheld in part, or does not replay."""


class MalformedAction(GameError):
    """An action whose keys or JSON types are not those of the game record's notation."""


class IllegalAction(GameError):
    """A well-formed action that the rules forbid now; `rule` is the number of the rule it breaks."""

    def __init__(self, code: str, rule: str, **params: Any) -> None:
        super().__init__(code, **params)
        self.rule = rule
