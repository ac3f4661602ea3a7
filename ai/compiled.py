"""The decorator that compiles this package's kernels, which depend on the engine's."""

from pathlib import Path

from engine.compiled import ENGINE_KERNELS, kernel_decorator

AI_KERNELS = tuple(
    Path(__file__).with_name(name)
    for name in (
        "compiled.py",
        "determinization.py",
        "evaluation.py",
        "features.py",
        "greedy.py",
        "network.py",
        "policy.py",
        "search.py",
        "selfplay.py",
        "weights.py",
    )
)
kernel = kernel_decorator(*ENGINE_KERNELS, *AI_KERNELS)
