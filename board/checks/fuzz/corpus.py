"""corpus.py unpack FILE FOLDER: the inputs of a target's file, each in a file of its own, as libFuzzer wants them.
corpus.py add FILE FOLDER: inputs of the folder that are not in the file go into it.

A line of FILE is an input in base64; the shortest first.
"""
import base64, hashlib, sys
from pathlib import Path

word, file, folder = sys.argv[1], *map(Path, sys.argv[2:])
inputs = {base64.b64decode(line, validate=True) for line in file.read_text().split()} if file.exists() else set()
if word == "unpack":
    folder.mkdir()
    for data in inputs:
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
elif inputs | (found := {path.read_bytes() for path in folder.iterdir()} - {b""}) != inputs:
    lines = (base64.b64encode(data).decode() + "\n" for data in sorted(inputs | found, key=lambda data: (len(data), data)))
    file.write_text("".join(lines))
