"""Learning from lessons: a network is fitted to what was thought of positions and to what came of them.

Needs the extra `train`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import binary_cross_entropy_with_logits, log_softmax

from ai.compiled import kernel
from ai.evaluation import Rewards
from ai.features import FEATURES, MOST_ACTIVE, list_features
from ai.network import HIDDEN, HIDDEN_TWO, OUTPUTS, Network, network_rewards
from ai.selfplay import Lessons
from engine.state import STATE, States, Steps

HELD_BACK = 20  # one game in so many is not learned from: what is measured is measured on those
BATCH = 1_024  # positions
LEARNING_RATE = 4e-3
# Positions of a game share one outcome: a network that is not held back learns its games by heart. Leaves are
# judged one by one.
GAMES_DECAY, LEAVES_DECAY = 1.0, 0.03
# Of what is learned the share of the search's outlook, the rest being the game's outcome: that alone says
# little of an early position, and the outlook alone flatters the network that it came from.
OUTLOOK_SHARE = 0.6
MARKS = 20  # points of a learning curve
Curve = list[dict[str, float]]
Tenths = list[dict[str, float]]


class Examples(NamedTuple):
    """Positions as a network sees them, seats counted from the one to act, and what it is to make of them."""

    features: Steps  # of all positions, one after the other
    counts: NDArray[np.int64]  # how many of them each position has
    seats: NDArray[np.int64]
    outlook: NDArray[np.float32]  # (positions, 4): shares of the win, in co-op of the highest score
    outcome: NDArray[np.float32]
    margin: NDArray[np.float32]
    game: NDArray[np.int64]


@kernel
def _list_all(states: States, features: Steps, counts: NDArray[np.int64]) -> int:
    """Writes all positions' features one after the other, and how many each has; returns how many in all."""
    n = 0
    for i in range(len(states)):
        counts[i] = list_features(states[i], features[n:])
        n += counts[i]
    return n


def gather(files: list[Path]) -> Examples:
    """The examples of all lessons in some files."""
    parts, games = [], 0
    for file in files:
        lessons = read_lessons([file])
        parts.append(examples(lessons)._replace(game=lessons.game + games))
        games += int(lessons.game.max()) + 1
    return Examples(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def read_lessons(files: list[Path]) -> Lessons:
    """The lessons in some files; games of different files may have the same number."""
    parts = []
    for file in files:
        with np.load(file) as found:
            lessons = Lessons(*(found[name] for name in Lessons._fields))
        states = np.zeros(len(lessons.states), STATE)
        states[:] = lessons.states  # which a file does not align as the kernels want it
        parts.append(lessons._replace(states=states))
    return Lessons(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def examples(lessons: Lessons) -> Examples:
    """What a network is to make of the positions of some lessons."""
    states = lessons.states
    features = np.zeros(MOST_ACTIVE * len(states), np.int16)
    counts = np.zeros(len(states), np.int64)
    n = _list_all(states, features, counts)
    seats = states["seats"].astype(np.int64)
    order = (states["turn"][:, None] + np.arange(4)) % seats[:, None]
    there = np.arange(4) < seats[:, None]
    highest = np.where(states["cooperative"], np.where(states["family"], 12.0, 60.0), 1.0)[:, None]

    def seen_from_mover(values: NDArray[np.float64]) -> NDArray[np.float32]:
        return (np.take_along_axis(values, order, axis=1) * there).astype(np.float32)

    return Examples(
        features=features[:n].copy(),
        counts=counts,
        seats=seats,
        outlook=seen_from_mover(lessons.outlook / highest),
        outcome=seen_from_mover(lessons.outcome / highest),
        margin=seen_from_mover(lessons.margin),
        game=lessons.game,
    )


class _Layers:
    """The network of `ai.network` as PyTorch has it."""

    def __init__(self) -> None:
        self.first = torch.nn.EmbeddingBag(FEATURES, HIDDEN, mode="sum")
        torch.nn.init.normal_(self.first.weight, std=0.06)
        self.second = torch.nn.Linear(HIDDEN, HIDDEN_TWO)
        self.last = torch.nn.Linear(HIDDEN_TWO, OUTPUTS)

    def parameters(self) -> list[torch.Tensor]:
        return [each for layer in (self.first, self.second, self.last) for each in layer.parameters()]

    def outputs(self, features: torch.Tensor, starts: torch.Tensor) -> torch.Tensor:
        """(positions, OUTPUTS) for positions whose features begin at `starts`."""
        hidden = torch.relu(self.first(features, starts))
        outputs: torch.Tensor = self.last(torch.relu(self.second(hidden)))
        return outputs

    def network(self) -> Network:
        """Its weights, as the search reads them."""

        def array(weights: torch.Tensor) -> NDArray[np.float32]:
            return np.ascontiguousarray(weights.detach().numpy(), np.float32)

        return Network(
            first=array(self.first.weight),
            second=array(self.second.weight.T),
            second_bias=array(self.second.bias),
            last=array(self.last.weight.T),
            last_bias=array(self.last.bias),
        )


class _Lot:
    """Examples by number, as batches for PyTorch."""

    def __init__(self, examples: Examples, cooperative: bool) -> None:
        self.examples = examples
        self.cooperative = cooperative
        self.features = torch.from_numpy(examples.features)
        self.starts = np.cumsum(examples.counts) - examples.counts
        self.target = torch.from_numpy(
            OUTLOOK_SHARE * examples.outlook + (1 - OUTLOOK_SHARE) * examples.outcome
        )
        self.outcome = torch.from_numpy(examples.outcome)
        self.margin = torch.from_numpy(examples.margin)
        self.there = torch.arange(4) < torch.from_numpy(examples.seats)[:, None]

    def outputs(self, layers: _Layers, numbers: NDArray[np.int64]) -> torch.Tensor:
        counts = self.examples.counts[numbers]
        starts = np.cumsum(counts) - counts
        places = np.repeat(self.starts[numbers] - starts, counts) + np.arange(counts.sum())
        features = self.features[torch.from_numpy(places)].int()
        return layers.outputs(features, torch.from_numpy(starts.astype(np.int32)))

    def loss(self, layers: _Layers, numbers: NDArray[np.int64]) -> torch.Tensor:
        """How far the outputs are off: the cross entropies of wins and margins, or of the score."""
        outputs = self.outputs(layers, numbers)
        target = self.target[numbers]
        if self.cooperative:
            return binary_cross_entropy_with_logits(outputs[:, 0], target[:, 0])
        there = self.there[numbers]
        wins = -(target * self._log_wins(outputs, there).masked_fill(~there, 0.0)).sum(1).mean()
        margins = binary_cross_entropy_with_logits(outputs[:, 4:], self.margin[numbers], reduction="none")
        return wins + (margins * there).sum() / there.sum()

    def guesses(self, layers: _Layers, numbers: NDArray[np.int64]) -> torch.Tensor:
        """(positions, 4): the share of the win that each seat is given, in co-op of the highest score."""
        outputs = self.outputs(layers, numbers)
        if self.cooperative:
            return torch.sigmoid(outputs[:, :1]).expand(-1, 4)
        return self._log_wins(outputs, self.there[numbers]).exp()

    @staticmethod
    def _log_wins(outputs: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        return log_softmax(outputs[:, :4].masked_fill(~there, -1e9), dim=1)


def learn(
    examples: Examples,
    cooperative: bool,
    epochs: int,
    decay: float,
    seed: int,
    say: Callable[[int, int], None],
) -> tuple[Network, Curve]:
    """Fits a network to some examples: the network, and its learning curve on games that were held back.

    `decay` is the weights'. `say` is told how many batches are done, and of how many.
    """
    torch.manual_seed(seed)
    # Layers so small are not worth sharing among threads: on busy cores two take several times as long.
    torch.set_num_threads(1)
    lot = _Lot(examples, cooperative)
    held_back = examples.game % HELD_BACK == 0
    known, kept = np.flatnonzero(~held_back), np.flatnonzero(held_back)
    layers = _Layers()
    optimizer = torch.optim.AdamW(layers.parameters(), lr=LEARNING_RATE, weight_decay=decay)
    batches = max(1, epochs * (len(known) // BATCH))
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, LEARNING_RATE, total_steps=batches + 1, pct_start=0.1
    )
    every = max(1, batches // MARKS)
    curve: Curve = []
    recent: list[float] = []
    for number, batch in enumerate(_batches(known, batches, seed), 1):
        loss = lot.loss(layers, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        recent.append(loss.item())
        if number % every == 0:
            held, error = _measured(lot, layers, kept)
            curve.append(
                {"batch": number, "learned": sum(recent) / len(recent), "held_back": held, "error": error}
            )
            recent = []
            say(number, batches)
    return layers.network(), curve


def _batches(known: NDArray[np.int64], count: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """So many batches of the known positions, in an order that is shuffled again and again."""
    random = np.random.default_rng(seed)
    size = min(BATCH, len(known))
    order, place = random.permutation(known), 0
    for _ in range(count):
        if place + size > len(order):
            order, place = random.permutation(known), 0
        yield np.sort(order[place : place + size])
        place += size


def _measured(lot: _Lot, layers: _Layers, kept: NDArray[np.int64]) -> tuple[float, float]:
    """Of held-back positions the loss, and the mean square of the error in a seat's share of the win (Brier
    score), or in co-op in points of sixty."""
    loss = error = 0.0
    with torch.no_grad():
        for part in np.array_split(kept, -(-len(kept) // 4_096)):
            squares = (lot.guesses(layers, part) - lot.outcome[part]) ** 2
            error += float(squares[lot.there[part]].mean()) * len(part)
            loss += float(lot.loss(layers, part)) * len(part)
    return loss / len(kept), error / len(kept) * (3_600 if lot.cooperative else 1)


@kernel
def _judge_all(states: States, network: Network, found: Rewards) -> None:
    """Writes what the network says of positions, as outcomes."""
    features, numbers = np.zeros(MOST_ACTIVE, np.int16), np.zeros(HIDDEN + HIDDEN_TWO + OUTPUTS, np.float32)
    rewards = np.zeros(4)
    for i in range(len(states)):
        network_rewards(states[i], network, 1.0, features, numbers, rewards, found[i])


def reliability(lessons: Lessons, network: Network) -> dict[str, Tenths]:
    """Of games not learned from, by tenths of the win chance that a seat is given by the "network" and by the
    "search" that played: how many positions, the mean chance, and how often the seat won. In co-op: of the
    score as a share."""
    states = lessons.states
    said = np.zeros((len(states), 4))
    _judge_all(states, network, said)
    there = np.arange(4) < states["seats"][:, None]
    highest = np.where(states["cooperative"], np.where(states["family"], 12.0, 60.0), 1.0)[:, None]
    came = (lessons.outcome / highest)[there]
    by = {"network": said, "search": lessons.outlook}
    return {who: _by_tenths((outcome / highest)[there], came) for who, outcome in by.items()}


def _by_tenths(said: Rewards, came: Rewards) -> Tenths:
    tenths = np.minimum((said * 10).astype(int), 9)
    return [
        {"count": int(each.sum()), "said": float(said[each].mean()), "came": float(came[each].mean())}
        for tenth in range(10)
        if (each := tenths == tenth).any()
    ]
