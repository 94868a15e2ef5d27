#!/usr/bin/env python3
"""Every rule of check_layers.py finds its violation and leaves its neighbour alone."""
import tempfile
import unittest
from pathlib import Path

import check_layers

# (name, {file: text}, part of the words expected)
BAD = [
    ("upward include", {"core/base/a.h": '#include "core/store/b.h"\n'}, "core/base may not include"),
    ("peer include", {"core/config/a.h": '#include "core/net/b.h"\n'}, "core/config may not include"),
    ("relative include", {"core/base/a.cpp": '#include "a.h"\n'}, "by its path from the root"),
    ("core sees ui", {"core/engine/a.h": '#include "ui/models/b.h"\n'}, "may not include"),
    ("page sees the engine", {"ui/pages/a.h": '#include "core/engine/engine_api.h"\n'}, "may not include"),
    ("bridge behind the door", {"ui/bridge/a.h": '#include "core/engine/engine.h"\n'}, "may not include"),
    ("model sees store", {"ui/models/a.h": '#include "core/store/b.h"\n'}, "may not include"),
    ("cycle of files", {"core/base/a.h": '#include "core/base/b.h"\n',
                        "core/base/b.h": '#include "core/base/a.h"\n'}, "a cycle of files"),
    ("cycle of folders", {"core/queue/a.h": '#include "core/jobs/b.h"\n',
                          "core/jobs/c.h": '#include "core/queue/d.h"\n'}, "a cycle of folders"),
    ("SQL in engine", {"core/engine/a.cpp": 'auto s = "SELECT id FROM jobs";\n'}, "SQL belongs"),
    ("SQL over several literals", {"app/a.cpp": 'auto s = "SELECT id"\n  " FROM jobs";\n'}, "SQL belongs"),
    ("SQL in a raw literal", {"ui/pages/a.cpp": 'auto s = R"(UPDATE jobs SET a = 1)";\n'}, "SQL belongs"),
    ("database named in code", {"core/store/a.cpp": "SqliteThing thing;\n"}, "databases are named only"),
    ("database named in a string", {"app/a.cpp": 'auto s = "QPSQL";\n'}, "databases are named only"),
    ("a dialect in a store", {"core/store/a.cpp": 'auto s = "SELECT rowid FROM jobs";\n'}, "is one database's own"),
    ("binding by hand", {"core/store/a.cpp": "query.addBindValue(1);\n"}, "bind through Query"),
    ("digits apart", {"app/a.cpp": "f(1'000, \"it's\"); g(2'000, \"PRAGMA user_version\");\n"}, "SQL belongs"),
    ("processEvents", {"ui/shell/a.cpp": "QCoreApplication::processEvents();\n"}, "processEvents"),
    ("blocking connection", {"ui/shell/a.cpp": "Qt::BlockingQueuedConnection;\n"}, "BlockingQueuedConnection"),
    ("terminate", {"core/base/a.cpp": "thread->terminate();\n"}, "terminate()"),
    ("driver's transaction", {"core/db/a.cpp": "m_database.transaction();\n"}, "begins deferred"),
    ("singleton", {"core/base/a.h": "static Log& instance();\n"}, "singleton"),
    ("globbing", {"core/CMakeLists.txt": "file(GLOB sources *.cpp)\n"}, "listed, not searched"),
    ("widgets in core", {"core/CMakeLists.txt": "target_link_libraries(x Qt6::Widgets)\n"}, "links no Qt Widgets"),
]

GOOD = {
    "core/base/a.h": "// processEvents and SELECT id FROM jobs are only words in a comment\n",
    "core/domain/a.h": '#include "core/base/a.h"\n#include <QString>\n',
    "core/db/a.cpp": 'auto s = "PRAGMA data_version"; SqliteThing t; query.bindValue(0, 1);\n',
    "core/store/a.cpp": '#include "core/db/sqlite_free.h"\nauto s = "SELECT id"\n  " FROM jobs";\n',
    "core/engine/a.cpp": 'auto s = "Select one from the list"; std::terminate();\n',
    "ui/bridge/a.h": '#include "core/engine/engine_api.h"\n#include "core/domain/a.h"\n',
    "ui/pages/a.cpp": '#include "ui/bridge/a.h"\n#include "a.moc"\n',
    "app/main.cpp": '#include "ui/pages/a.h"\n#include "core/store/a.h"\nconst char* q = "\\"//";\n',
    "core/CMakeLists.txt": "target_link_libraries(x Qt6::Core) # file(GLOB\n",
}


def check(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check_layers.check(Path(folder))


class CheckLayersTest(unittest.TestCase):
    def test_finds_violations(self):
        for name, files, words in BAD:
            with self.subTest(name):
                violations, _, _ = check(files)
                self.assertTrue(any(words in v for v in violations), violations)

    def test_leaves_good_files_alone(self):
        violations, warnings, sources = check(GOOD)
        self.assertEqual(violations, [])
        self.assertEqual(warnings, [])
        self.assertEqual(len(sources), 8)

    def test_says_the_line(self):
        violations, _, _ = check({"core/engine/a.cpp": '\n/* long\n */ auto s = "DELETE FROM jobs";\n'})
        self.assertEqual(len(violations), 1)
        self.assertTrue(violations[0].startswith("core/engine/a.cpp:3:"), violations)

    def test_warns_about_long_files(self):
        violations, warnings, _ = check({"core/base/a.cpp": "\n" * 401})
        self.assertEqual(violations, [])
        self.assertEqual(len(warnings), 1)


if __name__ == "__main__":
    unittest.main()
