#!/usr/bin/env python3
"""make_wheel.py LIBRARY VERSION FOLDER: packs the package clsort with LIBRARY as a wheel in FOLDER.

The wheel serves any Python 3 on this machine's system and kind of CPU. The same files give the same
bytes: SOURCE_DATE_EPOCH is the time of all of them. Prints the wheel's name.
"""
import base64
import hashlib
import os
import pathlib
import sys
import sysconfig
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
METADATA = """Metadata-Version: 2.1
Name: clsort
Version: {version}
Summary: Sorts arrays of numpy and pyopencl on any OpenCL device
License: MIT
Requires-Python: >=3.8
Requires-Dist: numpy
Provides-Extra: pyopencl
Requires-Dist: pyopencl; extra == "pyopencl"
Description-Content-Type: text/markdown

{text}"""
WHEEL = """Wheel-Version: 1.0
Generator: clsort
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def main(library, version, folder):
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info = f"clsort-{version}.dist-info"
    text = (HERE / "clsort/__init__.py").read_text().split('"""')[1]
    files = {
        "clsort/__init__.py": (HERE / "clsort/__init__.py").read_bytes(),
        "clsort/libclsort.so": pathlib.Path(library).read_bytes(),
        f"{info}/LICENSE": (HERE.parents[1] / "LICENSE").read_bytes(),
        f"{info}/METADATA": METADATA.format(version=version, text=text).encode(),
        f"{info}/WHEEL": WHEEL.format(platform=platform).encode()}
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()

    date = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))[:6]
    wheel = pathlib.Path(folder, f"clsort-{version}-py3-none-{platform}.whl")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(wheel.name)


if __name__ == "__main__":
    main(*sys.argv[1:])
