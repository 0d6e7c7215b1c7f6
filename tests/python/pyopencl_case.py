"""The functions of the package for arrays of pyopencl. None of them waits: the first command of the
queue waits for an event that is set when all results have been asked for."""
import clsort
import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

context = cl.create_some_context(interactive=False)
random = np.random.default_rng(2)


def equal(result, expected, what):
    result = result.get()
    assert result.shape == expected.shape, (what, result.shape, expected.shape)
    assert np.array_equal(result, expected), (what, result, expected)


def on_queue(dtype, properties):
    queue = cl.CommandQueue(context, properties=properties)
    host = (random.normal(size=(5, 200)) * 50).astype(dtype)
    a = cl_array.to_device(queue, host)
    row = a[2]  # begins within its buffer
    clsort.sort(a), clsort.argsort(a), clsort.topk(a, 3)  # kernels are compiled
    clsort.searchsorted(clsort.unique(row)[0], row), clsort.lexsort([row, a[1]])
    queue.finish()

    gate = cl.UserEvent(context)
    held = cl.enqueue_barrier(queue, wait_for=[gate])
    for array in (a, row):
        array.add_event(held)
    results = clsort.sort(a), clsort.argsort(a, descending=True), *clsort.topk(a, 7)
    rows = [a[i] for i in range(5)]
    order, (distinct, count) = clsort.lexsort(rows), clsort.unique(row)
    row_sorted = clsort.sort(row)
    right, left = (clsort.searchsorted(row_sorted, row, side) for side in ("right", "left"))
    assert held.command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)

    order_down = 199 - np.argsort(host[:, ::-1], kind="stable")[:, ::-1]
    equal(results[0], np.sort(host), dtype)
    equal(results[1], order_down, dtype)
    equal(results[2], np.take_along_axis(host, order_down, 1)[:, :7], dtype)
    equal(results[3], order_down[:, :7], dtype)
    equal(order, np.lexsort(host), dtype)
    count = int(count.get()[0])
    assert np.array_equal(distinct.get()[:count], np.unique(host[2])), dtype
    equal(right, np.searchsorted(np.sort(host[2]), host[2], "right"), dtype)
    equal(left, np.searchsorted(np.sort(host[2]), host[2]), dtype)
    equal(a, host, "the source")
    assert all(result.queue == queue for result in (order, right, *results)), dtype


def fails(exception, text, call, *arguments):
    try:
        call(*arguments)
    except exception as error:
        assert text in str(error), (text, str(error))
        return
    raise AssertionError(f"{call.__name__} is no error")


for dtype in (np.int32, np.float64):
    on_queue(dtype, 0)
on_queue(np.int32, cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)

queue, other = cl.CommandQueue(context), cl.CommandQueue(context)
numbers = cl_array.arange(queue, 12, dtype=np.int32)
fails(ValueError, "contiguous", clsort.sort, numbers[::2])
fails(ValueError, "axis 0", clsort.sort, numbers.reshape(3, 4), 0)
fails(ValueError, "same queue", clsort.lexsort, [numbers, cl_array.zeros(other, 12, np.int32)])
fails(ValueError, "same dtype", clsort.searchsorted, numbers, cl_array.zeros(queue, 2, np.float32))
fails(ValueError, "same queue", clsort.searchsorted, numbers, np.zeros(2, np.int32))
fails(ValueError, "with_queue", clsort.sort, numbers.with_queue(None))
fails(TypeError, "complex64", clsort.sort, cl_array.zeros(queue, 4, np.complex64))
fails(ValueError, "k is 13", clsort.topk, numbers, 13)
assert clsort.sort(numbers, None).shape == (12,)
zeros = cl_array.to_device(queue, np.array([0.0, -0.0, 0.0, np.nan, np.nan], np.float32))
distinct, count = clsort.unique(zeros)
assert count.get()[0] == 3 and np.signbit(distinct.get()[0]), "-0.0 and +0.0 are two keys"
print(f"pyopencl {cl.VERSION_TEXT}: on {queue.device.name}")
