"""Every function of the package against numpy."""
import threading

import clsort
import numpy as np

random = np.random.default_rng(1)
TYPES = ["?", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"]


def make(dtype, shape):
    """Keys of which some are equal, also the least and the largest of the type. No NaN, no -0."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    limits = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    keys = (random.normal(size=shape) * 50).astype("i8").astype(dtype)
    keys = np.where(random.random(shape) < 0.1, limits.min, keys)
    return np.where(random.random(shape) < 0.1, limits.max, keys).astype(dtype) + dtype.type(0)


def same(result, expected, what):
    result, expected = np.asarray(result), np.asarray(expected)
    assert result.shape == expected.shape, (what, result.shape, expected.shape)
    assert result.dtype == expected.dtype.newbyteorder("="), (what, result.dtype, expected.dtype)
    assert np.array_equal(result, expected), (what, result, expected)


def reversed_order(a, axis):
    """The indices of a stable descending sort."""
    count = a.shape[axis]
    return count - 1 - np.flip(np.argsort(np.flip(a, axis), axis, kind="stable"), axis)


def check(a, axis, what):
    before = a.copy()
    same(clsort.sort(a, axis), np.sort(a, axis), what)
    order = np.argsort(a, axis, kind="stable")
    same(clsort.argsort(a, axis), order, what)
    rows, axis = (a.ravel(), 0) if axis is None else (a, axis)
    down = reversed_order(rows, axis)
    same(clsort.argsort(rows, axis, descending=True), down, what)
    same(clsort.sort(rows, axis, descending=True), np.take_along_axis(rows, down, axis), what)
    k = rows.shape[axis] // 3
    for up in (False, True):
        keys, indices = clsort.topk(rows, k, axis, descending=not up)
        expected = np.take(np.argsort(rows, axis, kind="stable") if up else down, range(k), axis)
        same(indices, expected, what)
        same(keys, np.take_along_axis(rows, expected, axis), what)
    same(clsort.lexsort([a, before], -1), np.lexsort([a, before], -1), what)
    same(clsort.unique(a), np.unique(a), what)
    row = np.sort(a, None)
    for side in ("left", "right"):
        same(clsort.searchsorted(row, a, side), np.searchsorted(row, a, side), what)
    assert np.array_equal(a, before), f"{what}: the source has changed"


def check_floats():
    for name in ("f2", "f4", "f8"):
        bits = f"u{name[1]}"
        nan = np.array([np.nan], name)
        a = np.concatenate([np.array([1, 0.0, -0.0, np.inf, -np.inf, 0.0], name), -nan, nan])
        order = clsort.argsort(a)
        assert order.tolist() == [4, 2, 1, 5, 0, 3, 7, 6], (name, order)
        assert np.array_equal(clsort.sort(a).view(bits), a[order].view(bits)), name
        assert clsort.argsort(a, descending=True).tolist() == [6, 7, 3, 0, 1, 5, 2, 4], name
        assert clsort.topk(a, 2)[1].tolist() == [6, 7], name
        distinct = clsort.unique(a)
        assert distinct.size == 5 and np.isnan(distinct[4]), (name, distinct)
        same(distinct[:4], np.unique(a)[:4], name)
        row = np.sort(a)
        same(clsort.searchsorted(row, a), np.searchsorted(row, a), name)


def fails(exception, text, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except exception as error:
        assert text in str(error), (text, str(error))
        return error
    raise AssertionError(f"{call.__name__}{arguments} is no error")


def check_errors():
    fails(TypeError, "dtype complex128", clsort.sort, np.zeros(3, complex))
    fails(TypeError, "dtype object", clsort.sort, np.array([None]))
    fails(TypeError, "dtype <U1", clsort.argsort, ["b", "a"])
    fails(ValueError, "axis 1", clsort.sort, [1, 2], 1)
    fails(ValueError, "axis -1", clsort.sort, 3)
    fails(ValueError, "k is 4, but the axis has 3", clsort.topk, [1, 2, 3], 4)
    fails(ValueError, "k is -1", clsort.topk, [1, 2, 3], -1)
    fails(ValueError, "same shape", clsort.lexsort, [[1, 2], [1, 2, 3]])
    fails(ValueError, "side", clsort.searchsorted, [1, 2], [1], "middle")
    error = fails(clsort.Error, "column", clsort.lexsort, np.zeros((17, 3)))
    assert error.status == 8, error.status


for dtype in TYPES:
    check(make(dtype, 300), -1, dtype)
    check(make(dtype, (7, 31)), 0, f"{dtype}, the first axis")
    check(make(dtype, (4, 9, 5)), 1, f"{dtype}, the middle axis")
    check(make(dtype, (6, 7)), None, f"{dtype}, all")
    check(make(dtype, 900)[::-3], 0, f"{dtype}, strides")
    check(make(dtype, (30, 20)).T[::2], -1, f"{dtype}, transposed")
    check(make(dtype, 60).astype(np.dtype(dtype).newbyteorder(">")), -1, f"{dtype}, big-endian")
    unaligned = np.frombuffer(b"x" + make(dtype, 50).tobytes(), dtype, offset=1)
    check(unaligned, -1, f"{dtype}, not aligned")
    for shape in (0, (3, 0), (0, 3), 1):
        same(clsort.sort(np.zeros(shape, dtype)), np.zeros(shape, dtype), f"{dtype}, {shape}")
        same(clsort.argsort(np.zeros(shape, dtype)), np.zeros(shape, np.intp), f"{dtype}, {shape}")
    same(clsort.unique(np.zeros(0, dtype)), np.zeros(0, dtype), f"{dtype}, none")
    assert clsort.topk(make(dtype, 5), 0)[0].size == 0
same(clsort.sort([3, 1, 2]), [1, 2, 3], "a list")
check_floats()
check_errors()
large = random.integers(0, 1 << 40, 1 << 21)
same(clsort.argsort(large), np.argsort(large, kind="stable"), "many keys")
errors = []


def in_thread(seed):
    try:
        keys = np.random.default_rng(seed).normal(size=(3, 4000))
        same(clsort.lexsort(keys), np.lexsort(keys), "a thread")
    except BaseException as error:
        errors.append(error)


threads = [threading.Thread(target=in_thread, args=(seed,)) for seed in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not errors, errors
print(f"numpy {np.__version__}: {len(TYPES)} types")
