#!/usr/bin/env python3
"""Checks the rules of the house over the sources: check_layers.py [ROOT].

Prints every violation as file:line: words and ends with 1 if there is any. Long files are warnings.
The rules have tests of their own: check_layers_test.py.
"""
import re
import statistics
import sys
from pathlib import Path

# Lower rooms first. A file includes its own room and rooms of lower rank; of the same rank only SAME_RANK.
RANKS = [
    ["core/base"],
    ["core/domain"],
    ["core/config", "core/db", "core/net", "core/feed"],
    ["core/store"],
    ["core/queue", "core/jobs", "core/webhooks", "core/telemetry", "core/deadletter", "core/sweep", "core/intake"],
    ["core/engine", "core/receiver"],
    ["ui/bridge"],
    ["ui/models"],
    ["ui/widgets"],
    ["ui/dialogs"],
    ["ui/pages"],
    ["ui/shell"],
    ["app"],
]
RANK = {room: rank for rank, rooms in enumerate(RANKS) for room in rooms}
SAME_RANK = {("core/webhooks", "core/jobs"), ("core/jobs", "core/queue"), ("core/queue", "core/jobs"),
             ("core/intake", "core/queue"), ("core/telemetry", "core/queue")}
# The console sees values and the engine's door, and the door only through the bridge.
UI_MAY_INCLUDE = {"core/base", "core/domain"}
ENGINE_DOOR = "core/engine/engine_api.h"

SQL_ROOMS = {"core/store", "core/db"}
DATABASE_ROOMS = {"core/db"}
# (file, why it may name a database)
DATABASE_NAME_EXCEPTIONS = {
    "core/config/redrive_table.cpp": "the user's key `database` takes a postgresql:// address",
}
CORE_QT_MODULES = {"Core", "Sql", "Network"}
LONG_FILE = 400

SQL = re.compile(
    r"\b(SELECT\s+[\s\S]*?\bFROM|INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|DROP\s+(TABLE|INDEX)"
    r"|CREATE\s+(UNIQUE\s+)?(TABLE|INDEX|TRIGGER|VIEW)|ALTER\s+TABLE|PRAGMA\s+\w+|BEGIN\s+(IMMEDIATE|DEFERRED|EXCLUSIVE))\b")
DATABASE_NAME = re.compile(r"sqlite|postgres|psql", re.IGNORECASE)
DIALECT = re.compile(r"\bPRAGMA\b|\browid\b|\bINSERT\s+OR\b|\b(unixepoch|strftime|julianday|json_extract)\s*\(|\bGLOB\b")
BANNED = [
    (re.compile(r"\bprocessEvents\b"), "processEvents runs other work in the middle of this one"),
    (re.compile(r"\bBlockingQueuedConnection\b"), "BlockingQueuedConnection lets threads wait for each other"),
    (re.compile(r"(\.|->)transaction\s*\(\s*\)"), "transaction() of the driver begins deferred and cannot wait: use Transaction"),
    (re.compile(r"(\.|->)transaction\s*\(\s*\)"), "the driver's transaction() begins deferred and cannot wait: use Transaction"),
    (re.compile(r"(\.|->|\bQThread::)terminate\s*\("), "terminate() leaves locks and data broken"),
    (re.compile(r"\bstatic\b[^;{}()]*[&*]\s*(instance|self|get)\s*\(\s*\)"), "a singleton hides who uses what"),
]
BINDS = re.compile(r"\b(addBindValue|bindValue)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
TOKEN = re.compile(
    r'//[^\n]*|/\*[\s\S]*?\*/|R"(?P<mark>[^()\s\\]{0,16})\([\s\S]*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])*\'')


class Source:
    """One file: its code without comments and strings, and its strings."""

    def __init__(self, root, path):
        self.name = path.relative_to(root).as_posix()
        self.room = room_of(self.name)
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.count("\n")
        self.includes = [(line_of(self.text, m.start()), m.group(1)) for m in INCLUDE.finditer(self.text)]
        self.strings = []
        self.code = TOKEN.sub(self._blank, self.text)

    def _blank(self, match):
        token = match.group(0)
        if token[0] in 'R"':
            self.strings.append((line_of(self.text, match.start()), token))
        return re.sub(r"[^\n]", " ", token)

    def code_lines(self, pattern):
        return [(line_of(self.code, m.start()), m.group(0)) for m in pattern.finditer(self.code)]

    def statements(self):
        """Strings, neighbours put together as the compiler does."""
        joined = []
        end = -2
        for line, token in self.strings:
            if joined and line <= end + 1:
                joined[-1] = (joined[-1][0], joined[-1][1] + token)
            else:
                joined.append((line, token))
            end = line + token.count("\n")
        return joined


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def room_of(name):
    parts = name.split("/")
    return "app" if parts[0] == "app" else "/".join(parts[:2])


def read_sources(root):
    return [Source(root, path)
            for top in ("core", "ui", "app") for path in sorted((root / top).rglob("*"))
            if path.suffix in (".h", ".cpp")]


def may_include(source, target):
    room = room_of(target)
    if room == source.room:
        return True
    if room not in RANK or source.room not in RANK:
        return False
    if source.room.startswith("ui/") and room.startswith("core/"):
        return room in UI_MAY_INCLUDE or (source.room == "ui/bridge" and target == ENGINE_DOOR)
    return RANK[room] < RANK[source.room] or (source.room, room) in SAME_RANK


def check_includes(sources):
    for source in sources:
        for line, target in source.includes:
            if target.endswith(".moc"):
                continue
            if "/" not in target:
                yield f"{source.name}:{line}: include \"{target}\" by its path from the root"
            elif not may_include(source, target):
                yield f"{source.name}:{line}: {source.room} may not include {target}"


def find_cycle(graph):
    state, path = {}, []

    def visit(node):
        state[node] = "open"
        path.append(node)
        for following in sorted(graph.get(node, ())):
            if state.get(following) == "open":
                return path[path.index(following):] + [following]
            if following not in state and (found := visit(following)):
                return found
        path.pop()
        state[node] = "closed"
        return None

    for node in sorted(graph):
        if node not in state and (found := visit(node)):
            return found
    return None


def check_cycles(sources):
    files, rooms = {}, {}
    for source in sources:
        for _, target in source.includes:
            files.setdefault(source.name, set()).add(target)
            if room_of(target) != source.room:
                rooms.setdefault(source.room, set()).add(room_of(target))
    for what, graph in (("files", files), ("folders", rooms)):
        if cycle := find_cycle(graph):
            yield f"{cycle[0]}:1: a cycle of {what}: {' -> '.join(cycle)}"


def check_databases(sources):
    for source in sources:
        if source.room not in SQL_ROOMS:
            for line, text in source.statements():
                if SQL.search(text):
                    yield f"{source.name}:{line}: SQL belongs in core/store, core/db or migrations"
        if source.room not in DATABASE_ROOMS:
            if source.room == "core/store":
                for line, text in source.statements():
                    if match := DIALECT.search(text):
                        yield f"{source.name}:{line}: {match.group(0)!r} is one database's own: see core/db/dialect.h"
            if source.name not in DATABASE_NAME_EXCEPTIONS:
                found = source.code_lines(DATABASE_NAME)
                found += [(line, text) for line, text in source.strings if DATABASE_NAME.search(text)]
                for line, text in sorted(set(found)):
                    if not re.match(r'"core/db/', text):
                        yield f"{source.name}:{line}: databases are named only in core/db and migrations"
            for line, text in source.code_lines(BINDS):
                yield f"{source.name}:{line}: {text} belongs in core/db: bind through Query"


def check_banned(sources):
    for source in sources:
        for pattern, words in BANNED:
            for line, _ in source.code_lines(pattern):
                yield f"{source.name}:{line}: {words}"


def check_cmake(root):
    for path in sorted(root.rglob("CMakeLists.txt")):
        name = path.relative_to(root).as_posix()
        if name.startswith("build"):
            continue
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            text = text.split("#")[0]
            if re.search(r"\bfile\s*\(\s*GLOB|\baux_source_directory\b", text, re.IGNORECASE):
                yield f"{name}:{number}: sources are listed, not searched for"
            if name.startswith("core/"):
                for module in re.findall(r"Qt6?::(\w+)", text):
                    if module not in CORE_QT_MODULES:
                        yield f"{name}:{number}: core links no Qt {module}"


def check(root):
    """All violations and all warnings."""
    sources = read_sources(root)
    violations = [*check_includes(sources), *check_cycles(sources), *check_databases(sources),
                  *check_banned(sources), *check_cmake(root)]
    warnings = [f"{s.name}: {s.lines} lines, over {LONG_FILE}" for s in sources if s.lines > LONG_FILE]
    return violations, warnings, sources


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    violations, warnings, sources = check(root)
    for warning in warnings:
        print(f"warning: {warning}")
    for violation in violations:
        print(violation)
    if sources:
        print(f"{len(sources)} files, median {statistics.median(s.lines for s in sources):.0f} lines, "
              f"longest {max(s.lines for s in sources)}; {len(violations)} violations")
    return 1 if violations or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
