"""Games between players, without a server."""

from collections.abc import Sequence

from ai.players import choose
from ai.thinking import Budget
from engine import Game


def play_game(
    game: Game, players: Sequence[str], seed: int, budgets: Sequence[Budget | None] | None = None
) -> Game:
    """Plays `game` to its end, a player (and, if given, its budget) for each seat; returns it.

    The same seed, and budgets that iterations end, give the same game.
    """
    while (seat := game.seat_to_act) is not None:
        budget = None if budgets is None else budgets[seat]
        action = choose(players[seat], game.observe(seat), seed * 1000 + game.actions_played, budget)
        game.apply(action)
    return game


def seat_swapped_wins(player: str, rival: str, deals: int, seed: int = 0) -> float:
    """The share of two-player games that `player` wins against `rival`, each deal played from both seats; a
    shared win counts half."""
    won = 0.0
    for deal in range(deals):
        for seat in range(2):
            game = Game.new("competitive", 2, seed=seed + deal)
            players = [player, rival] if seat == 0 else [rival, player]
            winners = (play_game(game, players, seed=2 * (seed + deal) + seat).result or {})["winners"]
            won += (seat in winners) / len(winners)
    return won / (2 * deals)
