"""A writer of caffemodels: the wire format by hand, no protobuf needed."""

import numpy as np


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, data):
    """A length-delimited field: bytes or text."""
    data = data.encode() if isinstance(data, str) else data
    return varint(number << 3 | 2) + varint(len(data)) + data


def number(tag, value):
    return varint(tag << 3) + varint(value)


def blob(array, form):
    array = np.asarray(array, np.float32)
    shape = field(7, field(1, b"".join(varint(d) for d in array.shape)))
    if form == "legacy":  # four numbers, ones first
        sizes = (1,) * (4 - array.ndim) + array.shape
        return b"".join(number(i + 1, d) for i, d in enumerate(sizes)) + field(5, array.tobytes())
    if form == "double":
        return shape + field(8, array.astype(np.float64).tobytes())
    if form == "half":
        return shape + number(10, 2) + field(12, array.astype(np.float16).tobytes())
    return shape + field(5, array.tobytes())


def caffemodel(weights, form):
    """weights: (layer, type, blobs). form: current, v1, v0, legacy, double or half."""
    out = field(1, "test")
    for name, kind, blobs in weights:
        if form == "v1":
            out += field(2, field(4, name) + b"".join(field(6, blob(b, "legacy")) for b in blobs))
        elif form == "v0":
            inner = field(1, name) + field(2, kind) + b"".join(field(50, blob(b, "legacy")) for b in blobs)
            out += field(2, field(1, inner))
        else:
            out += field(100, field(1, name) + field(2, kind) + b"".join(field(7, blob(b, form)) for b in blobs))
    return out
