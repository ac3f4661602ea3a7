"""Weights that imitate a search: what is noted of it, and that the weights behind some visits are found."""

import numpy as np
import torch

from ai.search import LEARNED, PRIOR_FLOOR
from ai.weights import COMPETITIVE, IMITATING, NAMES
from bench import imitate
from bench.imitate import Steps, fit, play, visits_loss


def visits_by(weights: np.ndarray, steps: Steps) -> Steps:
    """The same choices, visited as a prior of these weights has it."""
    liked = np.where(steps.legal, steps.features @ weights / LEARNED.temperature, -np.inf)
    prior = (np.exp(liked - liked.max(1, keepdims=True)) + PRIOR_FLOOR) * steps.legal
    return steps._replace(visits=(prior / prior.sum(1, keepdims=True)).astype(np.float32))


def test_weights_that_made_the_visits_are_found(monkeypatch) -> None:
    monkeypatch.setattr(imitate, "ITERATIONS", 40)
    steps = Steps(*map(np.concatenate, zip(*map(play, range(8)), strict=True)))
    assert steps.features.shape == (*steps.legal.shape, len(NAMES))
    np.testing.assert_allclose(steps.visits.sum(1), 1, rtol=1e-5)
    assert (steps.legal.sum(1) > 1).all()
    assert (steps.visits[~steps.legal] == 0).all()

    made = visits_by(COMPETITIVE, steps)
    least, before, after = (
        float(visits_loss(torch.tensor(weights, dtype=torch.float32), made, slice(None)))
        for weights in (COMPETITIVE, IMITATING, fit(made, IMITATING))
    )
    assert least <= after < least + 0.1 * (before - least)
