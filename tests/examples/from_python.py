"""from_python.py: sorts an array of pyopencl on its own queue, through ctypes.

The structs are those of clsort.h, member by member. A zero in a struct means the common case.
Output: [-1.0, -0.0, 2.5, 3.0, 7.0]
"""
import ctypes
import ctypes.util
import os

import numpy
import pyopencl
import pyopencl.array

uint, size, pointer = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_void_p


def struct(name, *members):
    return type(name, (ctypes.Structure,), {"_fields_": list(members)})


Desc = struct(
    "clsort_desc", ("count", size), ("num_arrays", size), ("num_segments", size),
    ("offset_size", uint), ("type", uint), ("record", pointer), ("strings", pointer),
    ("num_columns", uint), ("columns", pointer), ("order", uint), ("first_bit", uint),
    ("end_bit", uint), ("algorithm", uint), ("stable", uint), ("value_size", uint),
    ("num_values", uint), ("value_sizes", pointer), ("index_size", uint), ("out_of_place", uint),
    ("skip", size), ("limit", size), ("operation", uint), ("first_count", size),
    ("num_queries", size), ("reserved", uint * 6))
Buffer = struct("clsort_buffer", ("mem", pointer), ("offset", size))
Buffers = struct(
    "clsort_buffers", ("keys", Buffer), ("columns", pointer), ("offsets", Buffer),
    ("values", Buffer), ("values_list", pointer), ("queries", Buffer),
    ("query_columns", pointer), ("keys_out", Buffer), ("columns_out", pointer),
    ("offsets_out", Buffer), ("values_out", Buffer), ("values_list_out", pointer),
    ("indices", Buffer), ("lower", Buffer), ("upper", Buffer), ("result", Buffer),
    ("scratch", Buffer))

clsort = ctypes.CDLL(os.environ.get("CLSORT_LIBRARY") or ctypes.util.find_library("clsort"))
clsort.clsort_status_text.restype = ctypes.c_char_p


def check(status):
    if status != 0:
        raise RuntimeError(clsort.clsort_status_text(status).decode())


def sort(sorter, array):
    """Sorts in place, behind what has been enqueued on the array's queue. Does not wait."""
    desc = Desc(count=array.size)
    name = f"{array.dtype.kind}{8 * array.dtype.itemsize}"
    key_type = uint()
    check(clsort.clsort_type_from_name(name.encode(), ctypes.byref(key_type)))
    desc.type = key_type
    buffers = Buffers(keys=Buffer(array.base_data.int_ptr, array.offset))
    check(clsort.clsort_enqueue(sorter, pointer(array.queue.int_ptr), ctypes.byref(desc),
                                ctypes.byref(buffers), 0, None, None))


context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
sorter = pointer()
check(clsort.clsort_create(pointer(context.int_ptr), pointer(queue.device.int_ptr),
                           ctypes.byref(sorter)))
numbers = pyopencl.array.to_device(queue, numpy.array([3, -1, 2.5, -0.0, 7], dtype=numpy.float32))
sort(sorter, numbers)
print(numbers.get().tolist())
clsort.clsort_destroy(sorter)
