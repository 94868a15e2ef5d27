#!/usr/bin/env python3
"""What was skipped is named whatever stands around it; what only speaks of skipping is not."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import check_skips

LOG = """1/2 Testing: integration_storage_space
Output:
----------------------------------------------------------
PASS   : StorageSpaceTest::initTestCase()
SKIP   : StorageSpaceTest::aFullDisk() a file system of its own needs root
   Loc: [space_test.cpp(96)]
Totals: 2 passed, 0 failed, 1 skipped, 0 blacklisted, 9ms
Test Passed.
SKIP   : StorageFileTest::aReadOnlyFileSystem(a row) a mount needs root
{"event":"dead_letters_skipped","note":"SKIP   : no test"}
   SKIP : neither
"""


class CheckSkips(unittest.TestCase):
    def run_on(self, log):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "LastTest.log")
            if log is not None:
                path.write_bytes(log)
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                return check_skips.main([str(path)]), said.getvalue()

    def test_names_each(self):
        code, said = self.run_on(LOG.encode())
        self.assertEqual(code, 1)
        self.assertEqual(said, "skipped: StorageSpaceTest::aFullDisk() a file system of its own needs root\n"
                               "skipped: StorageFileTest::aReadOnlyFileSystem(a row) a mount needs root\n")

    def test_nothing_skipped(self):
        self.assertEqual(self.run_on(b"PASS   : ATest::works()\n\xff 0 skipped\n"), (0, ""))

    def test_no_log_is_no_success(self):
        self.assertEqual(self.run_on(None)[0], 2)


if __name__ == "__main__":
    unittest.main()
