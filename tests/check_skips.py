#!/usr/bin/env python3
"""Names the tests that a run of ctest skipped, from its log: Qt Test counts a skipped one as passed.

Usage: check_skips.py LOG. Ends with 1 where there are any, with 2 where there is no log."""
import re
import sys

# As Qt Test writes it, alone on a line: SKIP   : StorageSpaceTest::aFullDisk() why
SKIP = re.compile(r"^SKIP +: (.+)$", re.MULTILINE)


def skips(log):
    return [match.group(1).strip() for match in SKIP.finditer(log)]


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8", errors="replace") as file:
            found = skips(file.read())
    except OSError as error:
        print(f"check_skips: {error}", file=sys.stderr)
        return 2
    for test in found:
        print(f"skipped: {test}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
