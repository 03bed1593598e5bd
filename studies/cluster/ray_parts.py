#!/usr/bin/env python3
"""Plays the parts of a comparison on a Ray cluster, or on the cores of this machine, and reads them together.

    studies/cluster/ray_parts.py --parts 16 --folder FOLDER -- gettysburg-88 @clarified --games 100000 --scenario july-1

What follows `--` is handed to `countermarch compare`, for the parts and for the whole, whose report is printed. FOLDER must be
one that all machines see. A part that is there already is gone on with. PROGRAM names another countermarch than the one in PATH.
"""

import argparse
import os
import subprocess
import sys

import ray


@ray.remote(num_cpus=1, max_retries=3)
def play(program: str, words: list[str], part: int, parts: int, folder: str, where: str) -> tuple[int, int, str]:
    """Plays one part, and says how that ended."""
    trials = os.path.join(folder, f"part-{part}.csv")
    command = [program, "compare", *words, "--shard", f"{part}/{parts}", "--trials", trials]
    done = subprocess.run(command, cwd=where, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return part, done.returncode, done.stderr.strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", type=int, required=True, help="how many parts")
    parser.add_argument("--folder", required=True, help="where the trials of the parts stand")
    parser.add_argument("--workers", type=int, help="how many at once on this machine, where there is no cluster")
    parser.add_argument("words", nargs="+", help="what is compared")
    asked = parser.parse_args()
    program = os.environ.get("PROGRAM", "countermarch")
    folder, where = os.path.abspath(asked.folder), os.getcwd()
    os.makedirs(folder, exist_ok=True)
    if "RAY_ADDRESS" in os.environ:
        ray.init()
    else:
        ray.init(num_cpus=asked.workers, include_dashboard=False, log_to_driver=False)
    waiting = [play.remote(program, asked.words, part, asked.parts, folder, where) for part in range(1, asked.parts + 1)]
    failed = False
    while waiting:
        done, waiting = ray.wait(waiting)
        for part, code, said in ray.get(done):
            if code != 0:
                failed = True
                print(f"part {part} failed ({code}): {said}", file=sys.stderr)
    if failed:
        return 1
    return subprocess.run([program, "compare", *asked.words, "--from", folder], cwd=where).returncode


if __name__ == "__main__":
    sys.exit(main())
