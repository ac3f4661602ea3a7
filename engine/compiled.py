"""Compilation of the kernels: one decorator, its cache, and the two bit operations that need LLVM.

A cached caller is not recompiled when a function in another module changes, so the cache folder is named by a
hash of all sources that a kernel may depend on. Under NUMBA_DISABLE_JIT=1 everything runs as plain Python.
"""

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import config as _untyped_config
from numba import njit, types
from numba.extending import intrinsic

config: Any = _untyped_config

F = TypeVar("F", bound=Callable[..., Any])


def _cache_root() -> Path:
    chosen = os.environ.get("KERNEL_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stem-branch"


def kernel_decorator(*sources: Path) -> Callable[[F], F]:
    """A decorator that compiles kernels, cached under a hash of all the `sources` that they depend on."""
    digest = sha256()
    for source in sources:
        digest.update(source.read_bytes())
    folder = str(_cache_root() / f"kernels-{digest.hexdigest()[:16]}")

    def decorate(function: F) -> F:
        config.CACHE_DIR = folder
        compiled: Any = njit(cache=True, nogil=True, error_model="numpy")(function)
        return cast("F", compiled)

    return decorate


ENGINE_KERNELS = tuple(Path(__file__).with_name(name) for name in ("compiled.py", "state.py", "kernel.py"))
kernel = kernel_decorator(*ENGINE_KERNELS)

# Reading a small field of a state as a full integer, so that sums and shifts don't overflow it.
integer: Callable[[Any], int] = np.int64  # type: ignore[assignment]


def _llvm_bit_operation(build: Callable[[Any, Any], Any]) -> Any:
    def typing(_context: Any, _mask: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return build(builder, args[0])

        return types.int64(types.uint64), generate

    return intrinsic(typing)


def _popcount(mask: int) -> int:
    return int(mask).bit_count()


def _lowest(mask: int) -> int:
    number = int(mask)
    return (number & -number).bit_length() - 1


# How many bits of a mask are set, and the index of the lowest one of a mask that is not 0.
popcount: Callable[[Any], int] = _popcount
lowest: Callable[[Any], int] = _lowest
if not config.DISABLE_JIT:
    popcount = _llvm_bit_operation(lambda builder, mask: builder.ctpop(mask))
    lowest = _llvm_bit_operation(lambda builder, mask: builder.cttz(mask, ir.Constant(ir.IntType(1), 1)))
