"""clsort: sorts arrays of numpy and of pyopencl on any OpenCL device.

Keys are bool, integers of 8 to 64 bits, float16, float32, float64 and bfloat16 (of ml_dtypes).
Arrays of numpy may have any strides and byte order; results are new arrays in the machine's. The
calling thread sorts small ones, the default device (CLSORT_DEVICE) the others. Arrays of pyopencl
must be contiguous; they are sorted along the last axis, on their own queue, without waiting.

Floats are ordered -inf ... -0.0 < +0.0 ... +inf < NaN. numpy does so, too, but takes -0.0 and +0.0
for equal. Descending order is the exact reverse: NaNs come first.

A failure of the library is a clsort.Error with its sentence, and its status in `status`. A type
that cannot be sorted is a TypeError, a wrong shape or axis a ValueError.
"""
import ctypes
import ctypes.util
import os
import sys
import threading

import numpy

__all__ = ["Error", "argsort", "lexsort", "searchsorted", "sort", "topk", "unique"]

_pointer = ctypes.c_void_p
_KINDS = {"u32": ctypes.c_uint32, "u64": ctypes.c_uint64, "*": _pointer}


def _struct(name, members):
    """A struct of clsort.h: words of a type, a colon, and the next members of that type."""
    words = (word.split(":") for word in members.split())
    fields = [(member, _KINDS[kind]) for kind, names in words for member in names.split(",")]
    return type(name, (ctypes.Structure,), {"_fields_": fields})


_Buffer = _KINDS["at"] = _struct("clsort_buffer", "*:mem u64:offset")
_Desc = _struct("clsort_desc", """u64:count,num_arrays,num_segments u32:offset_size,type
    *:record,strings u32:num_columns *:columns u32:order,first_bit,end_bit,algorithm,stable
    u32:value_size,num_values *:value_sizes u32:index_size,out_of_place u64:skip,limit
    u32:operation u64:first_count,num_queries u32:r0,r1,r2,r3,r4,r5""")
_Arrays = _struct("clsort_arrays", """*:keys,columns,offsets,values,values_list,keys_out
    *:columns_out,offsets_out,values_out,values_list_out,indices""")
_Buffers = _struct("clsort_buffers", """at:keys *:columns at:offsets,values *:values_list
    at:queries *:query_columns at:keys_out *:columns_out at:offsets_out,values_out
    *:values_list_out at:indices,lower,upper,result,scratch""")
_RUNS, _SEARCH = 3, 4  # of clsort_operation
# By numpy's names, in the order of clsort_type.
_TYPES = {name: i for i, name in enumerate(
    "uint32 uint64 int32 int64 float32 float64 uint8 uint16 int8 int16 float16 bfloat16".split())}
_TYPES["bool"] = _TYPES["uint8"]


# The library that CLSORT_LIBRARY names, else the one in this package, else the system's.
_own = os.path.join(os.path.dirname(__file__), "libclsort.so")
_name = os.environ.get("CLSORT_LIBRARY") or (
    _own if os.path.exists(_own) else ctypes.util.find_library("clsort") or "libclsort.so")
try:
    _lib = ctypes.CDLL(_name)
except OSError as _error:
    raise ImportError(f"clsort cannot load its library: {_error}. It needs an OpenCL loader "
                      "(Debian: ocl-icd-libopencl1); CLSORT_LIBRARY names a library") from None
_lib.clsort_struct_size.restype = ctypes.c_size_t
_lib.clsort_status_text.restype = ctypes.c_char_p
for _each in (_Desc, _Buffers, _Arrays):
    if _lib.clsort_struct_size(_each.__name__.encode()) != ctypes.sizeof(_each):
        raise ImportError(f"{_name} is another version of clsort: its {_each.__name__} differs")
_local = threading.local()  # a thread has sorters of its own


class Error(RuntimeError):
    """A failure of the library: its sentence, and the number of its clsort_status in `status`."""
    def __init__(self, status, sorter=None):
        text = ctypes.create_string_buffer(2048)
        if sorter:
            _lib.clsort_get_error_text(sorter, text, ctypes.c_size_t(len(text)), None)
        super().__init__((text.value or _lib.clsort_status_text(status)).decode())
        self.status = status


def _check(status, sorter=None):
    if status:
        raise Error(status, sorter)


class _Sorter:
    """A sorter of this thread for a context and a device of pyopencl, or for the default device."""
    def __init__(self, context=None, device=None):
        self._as_parameter_ = to = _pointer()
        _check(_lib.clsort_create(_pointer(context), _pointer(device), ctypes.byref(to)))
        _lib.clsort_set_host_threads(to, os.cpu_count() or 1)

    def __del__(self):
        if not sys.is_finalizing():  # at exit the driver may have ended before
            _lib.clsort_destroy(self)


class _Host:
    """Arrays of numpy."""
    def take(self, a, axis):
        if axis is None:
            a, axis = numpy.ravel(a), -1
        a = numpy.moveaxis(numpy.asarray(a), axis, -1)
        return numpy.require(a, a.dtype if a.dtype.isnative else a.dtype.newbyteorder("="), "CA")

    def give(self, result, axis):
        return result if axis is None else numpy.moveaxis(result, -1, axis)

    def empty(self, shape, dtype=numpy.intp):
        return numpy.empty(shape, dtype)

    def run(self, desc, columns=(), **arrays):
        each = (_pointer * len(columns))(*(array.ctypes.data for array in columns))
        places = ctypes.byref(_Arrays(columns=ctypes.addressof(each) if columns else None, **{
            name: array.ctypes.data for name, array in arrays.items()}))
        desc = ctypes.byref(desc)
        sorter = getattr(_local, "host", None)
        if not sorter and not _lib.clsort_sorts_on_host(None, desc):
            _local.host = sorter = _Sorter()
        _check(_lib.clsort_sort(sorter, desc, places), sorter)


class _Queue:
    """Arrays of pyopencl on one queue."""
    def __init__(self, a):
        if not a.queue:
            raise ValueError("the array of pyopencl has no queue; a.with_queue(queue) gives it one")
        self.like, key = a, (a.queue.context.int_ptr, a.queue.device.int_ptr)
        sorters = _local.__dict__.setdefault("sorters", {})
        self.sorter = sorters[key] = sorters.get(key) or _Sorter(*key)

    def take(self, a, axis):
        if getattr(a, "queue", None) != self.like.queue or not a.flags.c_contiguous or not a.ndim:
            raise ValueError("arrays of pyopencl must be contiguous, and all on the same queue")
        if axis not in (-1, a.ndim - 1, None):
            raise ValueError(f"axis {axis} of an array of pyopencl is not its last one")
        return a.ravel() if axis is None else a

    def give(self, result, axis):
        return result

    def empty(self, shape, dtype=numpy.uint32):
        return type(self.like)(self.like.queue, shape, dtype, allocator=self.like.allocator)

    def run(self, desc, columns=(), **arrays):
        from pyopencl import Event
        each = (_Buffer * len(columns))(*((a.base_data.int_ptr, a.offset) for a in columns))
        places = _Buffers(columns=ctypes.addressof(each) if columns else None, **{
            name: _Buffer(a.base_data.int_ptr, a.offset) for name, a in arrays.items()})
        events = [event.int_ptr for a in (*columns, *arrays.values()) for event in a.events]
        waits, event = (_pointer * len(events))(*events) if events else None, _pointer()
        _check(_lib.clsort_enqueue(
            self.sorter, _pointer(self.like.queue.int_ptr), ctypes.byref(desc),
            ctypes.byref(places), len(events), waits, ctypes.byref(event)), self.sorter)
        event = Event.from_int_ptr(event.value, retain=False)
        for name in {"keys_out", "indices", "lower", "upper", "result"} & set(arrays):
            arrays[name].add_event(event)


def _layer(a):
    return _Queue(a) if hasattr(a, "base_data") else _Host()


def _desc(a, **members):
    if a.dtype.name not in _TYPES or not a.dtype.isnative:
        raise TypeError(f"clsort cannot sort keys of dtype {a.dtype}; see help(clsort)")
    return _Desc(count=a.shape[-1], num_arrays=a.size // max(a.shape[-1], 1),
                 type=_TYPES[a.dtype.name], **members)


def _sort(a, axis, descending, k=None, keys=False, indices=False):
    layer = _layer(a)
    a = layer.take(a, axis)
    if not 0 <= (k or 0) <= a.shape[-1]:
        raise ValueError(f"k is {k}, but the axis has {a.shape[-1]} elements")
    shape, outs = (*a.shape[:-1], a.shape[-1] if k is None else k), {}
    if keys:
        outs["keys_out"] = layer.empty(shape, a.dtype)
    if indices:
        outs["indices"] = layer.empty(shape)
    desc = _desc(a, order=descending, limit=k or 0, out_of_place=keys,
                 index_size=indices and outs["indices"].dtype.itemsize)
    if 0 not in shape:
        layer.run(desc, keys=a, **outs)
    return [layer.give(out, axis) for out in outs.values()]


def sort(a, axis=-1, *, descending=False):
    """Returns a sorted copy of `a` along `axis`, as numpy.sort(); None sorts all keys as one row.
    `a` has any shape of at least one dimension, and the result the same one."""
    return _sort(a, axis, descending, keys=True)[0]


def argsort(a, axis=-1, *, descending=False):
    """Returns the indices that sort `a` along `axis`, in its shape: intp, or uint32 in pyopencl. As
    numpy.argsort(kind="stable"): equal keys keep their order, also if descending."""
    return _sort(a, axis, descending, indices=True)[0]


def topk(a, k, axis=-1, *, descending=True):
    """Returns the `k` largest keys along `axis`, or the smallest if not descending, in order, and
    their indices. Both have `k` elements along `axis`. Among equal keys the lowest index is first.
    A `k` below 0 or above the length of the axis is a ValueError."""
    return tuple(_sort(a, axis, descending, k, keys=True, indices=True))


def lexsort(keys, axis=-1):
    """Returns the indices that sort rows of columns, of which the last decides first, as
    numpy.lexsort(). `keys` are 1 to 16 arrays of one shape, which the result has, too."""
    layer = _layer(keys[0])
    columns = [layer.take(key, axis) for key in keys][::-1]
    if any(column.shape != columns[0].shape for column in columns):
        raise ValueError("all keys must have the same shape")
    out = layer.empty(columns[0].shape)
    desc = _desc(columns[0], index_size=out.dtype.itemsize, num_columns=len(columns))
    types = (_KINDS["u64"] * len(columns))(*(_desc(column).type for column in columns))  # order 0
    desc.columns, desc.type = ctypes.addressof(types), 0
    if out.size:
        layer.run(desc, columns, indices=out)
    return layer.give(out, axis)


def unique(a):
    """Returns the distinct keys of `a`, in order, as a row: as numpy.unique(). An array of pyopencl
    gives two: a row of the size of `a`, whose first keys are the distinct ones, and an array of one
    uint64 with their number. There keys are equal if their bits are, so -0.0 and +0.0 are two."""
    layer, a = _layer(a), sort(a, None)
    if isinstance(layer, _Host):
        is_first = numpy.ones(a.shape, bool)
        is_first[1:] = (a[1:] != a[:-1]) & ((a[1:] == a[1:]) | (a[:-1] == a[:-1]))  # NaNs are one
        return a[is_first]
    out, count = layer.empty(a.shape, a.dtype), layer.empty((1,), numpy.uint64)
    layer.run(_desc(a, operation=_RUNS), keys=a, keys_out=out, result=count)
    return out, count


def searchsorted(a, v, side="left"):
    """Returns where each key of `v` belongs in the sorted row `a`, in the shape of `v`, as
    numpy.searchsorted(): intp, or uint32 for arrays of pyopencl, which have the same type."""
    layer = _layer(a)
    if isinstance(layer, _Host):  # keys in order are found much faster
        v = numpy.asarray(v)
        order, out = argsort(v, None), numpy.empty(v.size, numpy.intp)
        out[order] = numpy.searchsorted(a, v.ravel()[order], side)
        return out.reshape(v.shape)
    a, v = layer.take(a, -1), layer.take(v, -1)
    if a.ndim != 1 or a.dtype != v.dtype or side not in ("left", "right"):
        raise ValueError("a must be a row, v of the same dtype, and side 'left' or 'right'")
    out = layer.empty(v.shape)
    layer.run(_desc(a, operation=_SEARCH, num_queries=v.size, index_size=out.dtype.itemsize),
              keys=a, queries=v, **{"lower" if side == "left" else "upper": out})
    return out
