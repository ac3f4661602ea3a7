"""How the players stand to one another, over seat-swapped deals."""

from ai import seat_swapped_wins


def test_greedy_beats_random_in_seven_of_ten_games() -> None:
    assert seat_swapped_wins("greedy", "random", deals=50) >= 0.7


def test_good_beats_greedy_in_seven_of_ten_games() -> None:
    assert seat_swapped_wins("good", "greedy", deals=50) >= 0.7
