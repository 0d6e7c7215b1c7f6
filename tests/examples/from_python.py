"""from_python.py: sorts arrays of numpy, and of pyopencl on their own queue if it is there.

Output: [-1.0, -0.0, 2.5, 3.0, 7.0] [1, 3, 2, 0, 4] [7.0, 3.0]
"""
import clsort
import numpy

numbers = numpy.array([3, -1, 2.5, -0.0, 7], dtype=numpy.float32)
try:
    import pyopencl.array

    queue = pyopencl.CommandQueue(pyopencl.create_some_context(interactive=False))
    numbers = pyopencl.array.to_device(queue, numbers)
except ImportError:
    pass
largest, where = clsort.topk(numbers, 2)
results = clsort.sort(numbers), clsort.argsort(numbers), largest  # these do not wait
print(*(getattr(result, "get", result.copy)().tolist() for result in results))
