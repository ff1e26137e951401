#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Seeds faults in headers one at a time and counts those that the tests notice.

All faults of a sample are compiled into each test program at once, and an environment variable
switches one of them on, so that a fault costs a run and no build. A fault is killed when a program
fails, crashes or does not end; one that no program reaches has survived. Faults that do not compile
are not counted. What is evaluated at compile time alone, `if constexpr` and checks that stop the
device on purpose (AEROGPU_CHECK) get no faults.

usage: mutate.py BUILD [HEADER...] [--sample N] [--seed S] [--program NAME...] [--list]

HEADER is a file or a folder below include/aerogpu; without any, all. The default programs are the
unit tests, the containers without memory, and the conformance suite over the null backend. BUILD is
a configured build folder with compile_commands.json, as Meson makes it.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
LIBRARY = INCLUDE / "aerogpu"
PROGRAMS = ("unit ", "exhaustion containers", "conformance ")

SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
         "+": "-", "-": "+", "*": "+", "/": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&"}
OPERATOR = re.compile(r"(?<=\s)(<<|>>|<=|>=|==|!=|&&|\|\||[<>+\-*/&|])(?=\s)")
NUMBER = re.compile(r"(?<![\w.'#])(\d{1,4})(?![\w.'])")
TRUTH = re.compile(r"\b(true|false)\b")
CODE = re.compile(r"\berror_code::(?!none\b|internal\b)\w+")
CHANGES = ((OPERATOR, lambda s: SWAPS[s]), (NUMBER, lambda s: str(int(s) + 1)),
           (TRUTH, lambda s: "false" if s == "true" else "true"),
           (CODE, lambda s: "error_code::internal"))
HEAD = re.compile(r"\b(if|while)\s*\(")
LOOP = re.compile(r"\bfor\s*\(")
RETURN = re.compile(r"\breturn\b\s*")
INITIAL = re.compile(r"(?:const\s+)?(?:auto|bool|std::size_t|std::u?int\d+_t)\s+\w+\s*=\s*")
STATEMENT = re.compile(
    r"(?:\+\+|--)?[\w.:>\[\]()*&-]+?(?:\+\+|--|\s[-+|&]?=\s.*|\(.*\))?", re.DOTALL)
DECLARES = re.compile(r"\s*(?:const\s+)?(?:auto\b|[\w:<>]+[\s*&]+\w+\s*=(?!=))")
KEYWORDS = re.compile(
    r"(?:return|if|else|for|while|do|switch|case|default|break|continue|using|static|constexpr|"
    r"template|struct|class|enum|friend|public|private|requires|operator|AEROGPU_CHECK|"
    r"static_assert|static_cast<void>|explicit|delete|goto|namespace)\b")
TEMPLATE = re.compile(r"template\s*<[^{;]*?>\s*(?=struct|class)|<[^<>]*>")
LAMBDA = re.compile(r"\[[&=\w]*\]\s*\(")
BEGIN = re.compile(r"(?<=[;{}])\s*(?=[\w+*-])|(?:(?<=\))|(?<=\belse))\s+(?=\w|\+\+|--)")
FIXED = re.compile(r"(constexpr|static)\s+$")
SCOPE = re.compile(r"\b(namespace|struct|class|enum|union|concept)\b")
AT_COMPILE_TIME = re.compile(  # Functions, and lambdas that are called where they stand.
    r"\bconsteval\b[^;{]*\{|(?:\bstatic_assert\(|\bconstexpr auto \w+ =)\s*\[\]\s*\{")

SUPPORT = """#pragma once
#include <cstdio>
#include <cstdlib>
#include <type_traits>
namespace aerogpu_mutation {{
struct choice {{
  int active = 0;
  bool reached[{count}] = {{}};
  choice() noexcept {{
    if (const char* number = std::getenv("AEROGPU_MUTANT")) active = std::atoi(number);
  }}
  ~choice() {{
    const char* path = std::getenv("AEROGPU_MUTANTS_REACHED");
    if (path == nullptr) return;
    std::FILE* out = std::fopen(path, "a");
    for (int i = 0; i < {count}; ++i)
      if (reached[i]) std::fprintf(out, "%d\\n", i);
    std::fclose(out);
  }}
}};
inline choice chosen;
constexpr bool on(int number) noexcept {{
  if (std::is_constant_evaluated()) return false;
  chosen.reached[number] = true;
  return chosen.active == number;
}}
}}
"""


@dataclasses.dataclass
class Mutant:
    header: pathlib.Path
    begin: int  # Of the expression or statement that has the fault.
    end: int
    text: str   # What stands there with it; empty = the statement is gone.
    line: int
    last_line: int
    what: str
    number: int = 0
    is_statement: bool = False
    is_condition: bool = False


def masked(text):
    """The text with comments, literals and directives blank, so that positions stay."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group())
    literals = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'(?!\w)|^[ \t]*#[^\n]*'
    return re.sub(literals, blank, text, flags=re.DOTALL | re.MULTILINE)


def close_of(text, at):
    """The position of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    return -1


def end_of_statement(text, at):
    """The position of the semicolon that ends what begins at `at`; -1 when a brace comes first."""
    depth = 0
    for i in range(at, len(text)):
        if text[i] in "([{":
            depth += 1
        elif text[i] in ")]}":
            depth -= 1
            if depth < 0:
                return -1
        elif text[i] == ";" and depth == 0:
            return i
    return -1


def split_top(text):
    """Positions behind semicolons that stand in no brackets."""
    depth, cuts = 0, []
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == ";" and depth == 0:
            cuts.append(i + 1)
    return cuts


def code_positions(text):
    """For each position, whether it lies in the body of a function."""
    inside, stack, since = bytearray(len(text)), [], 0
    for i, c in enumerate(text):
        inside[i] = bool(stack) and stack[-1]
        if c == "{":
            before = text[since:i]
            in_body = bool(stack and stack[-1]) or ")" in before
            stack.append(in_body and not SCOPE.search(TEMPLATE.sub("", before)))
        elif c == "}" and stack:
            stack.pop()
        if c in ";{}":
            since = i + 1
    for m in AT_COMPILE_TIME.finditer(text):
        end = close_of(text, m.end() - 1)
        inside[m.end():end] = bytes(end - m.end())
    return inside


class Header:
    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        self.plain = masked(self.text)
        self.inside = code_positions(self.plain)
        self.found = []
        self.taken = set()

    def add(self, begin, end, text, what, **kind):
        line = self.text.count("\n", 0, begin) + 1
        last = self.text.count("\n", 0, end) + 1
        self.found.append(Mutant(self.path, begin, end, text, line, last, what, **kind))

    def expression(self, begin, end, is_condition=False):
        plain, text = self.plain[begin:end], self.text[begin:end]
        if not plain.strip() or begin in self.taken or "{" in plain or LAMBDA.search(plain):
            return
        if is_condition and DECLARES.match(plain):
            return
        self.taken.add(begin)
        kind = {"is_condition": is_condition}
        if is_condition:
            self.add(begin, end, f"!({text})", "condition negated", **kind)
        for pattern, change in CHANGES:
            for m in pattern.finditer(plain):
                is_argument = plain[:m.start()].endswith(("<", ", ")) and plain[m.end():][:1] == ">"
                if pattern is NUMBER and is_argument:  # Of a template.
                    continue
                new = change(m.group())
                changed = text[:m.start()] + new + text[m.end():]
                self.add(begin, end, changed, f"{m.group()} -> {new}", **kind)

    def conditions(self):
        for m in HEAD.finditer(self.plain):
            close = close_of(self.plain, m.end() - 1)
            if close < 0 or not self.inside[m.start()]:
                continue
            begin = m.end() + (split_top(self.plain[m.end():close]) or [0])[-1]
            self.expression(begin, close, is_condition=True)
        for m in LOOP.finditer(self.plain):
            close = close_of(self.plain, m.end() - 1)
            cuts = split_top(self.plain[m.end():close])
            if len(cuts) == 2 and self.inside[m.start()]:
                self.expression(m.end() + cuts[0], m.end() + cuts[1] - 1, is_condition=True)

    def values(self):
        for pattern in (RETURN, INITIAL):
            for m in pattern.finditer(self.plain):
                end = end_of_statement(self.plain, m.end())
                is_fixed = FIXED.search(self.plain[max(0, m.start() - 12):m.start()])
                if end > m.end() and self.inside[m.start()] and not is_fixed:
                    self.expression(m.end(), end)

    def statements(self):
        for m in BEGIN.finditer(self.plain):
            begin = m.end()
            end = end_of_statement(self.plain, begin)
            if end < 0 or not self.inside[begin] or begin in self.taken:
                continue
            body = self.plain[begin:end].rstrip()
            is_plain = STATEMENT.fullmatch(body) and re.search(r"[=(+-]", body)
            if KEYWORDS.match(body) or not is_plain:
                continue
            self.taken.add(begin)
            self.add(begin, end + 1, "", "statement removed", is_statement=True)

    def mutants(self):
        self.conditions()
        self.values()
        self.statements()
        return self.found


def nested(mutants, original, kind):
    """Source text that is `original`, or what the fault that is switched on makes of it."""
    on = lambda m: f"::aerogpu_mutation::on({m.number})"
    if kind.is_statement:
        return f"if (!{on(mutants[0])}) {{ {original} }}"
    value = f"static_cast<bool>({original})" if kind.is_condition else f"({original})"
    for m in mutants:
        text = " ".join(m.text.split())
        other = f"static_cast<bool>({text})" if kind.is_condition else f"({text})"
        value = f"{on(m)} ? {other} : {value}"
    return f"({value})" if kind.is_condition else value


def write_headers(into, mutants, count):
    by_header = collections.defaultdict(lambda: collections.defaultdict(list))
    for m in mutants:
        by_header[m.header][(m.begin, m.end)].append(m)
    for written in into.rglob("*.hpp"):
        if INCLUDE / written.relative_to(into) not in by_header:
            written.unlink()  # All of its faults did not compile.
    for header, places in by_header.items():
        text = header.read_text()
        for (begin, end), those in sorted(places.items(), reverse=True):
            text = text[:begin] + nested(those, text[begin:end], those[0]) + text[end:]
        guard = text.index("#pragma once")
        next_line = text.count("\n", 0, guard) + 2
        text = text.replace("#pragma once", "#pragma once\n#include \"aerogpu/mutation.hpp\"\n"
                                            f"#line {next_line}", 1)
        to = into / header.relative_to(INCLUDE)
        to.parent.mkdir(parents=True, exist_ok=True)
        if not to.exists() or to.read_text() != text:
            to.write_text(text)
    (into / "aerogpu" / "mutation.hpp").write_text(SUPPORT.format(count=count + 1))


def ninja(build, *arguments):
    done = subprocess.run(["ninja", "-C", str(build), "--quiet", *arguments], check=True,
                          stdout=subprocess.PIPE, text=True)
    return done.stdout


def make_includes(build):
    """Generates what sources include, since they are compiled here and not by ninja."""
    targets = (line.split(": ") for line in ninja(build, "-t", "targets", "all").splitlines())
    ninja(build, *(name for name, rule in targets
                   if rule.startswith("CUSTOM_COMMAND") and name.endswith((".inc", ".h", ".hpp"))))


class Program:
    """One test program and its command processors, compiled with the headers of `include` before the
    project's."""

    def __init__(self, build, path, units, into):
        self.build, self.path = build, path
        self.output = into / path
        words = ninja(build, "-t", "commands", str(path)).splitlines()[-1]
        self.link_words = shlex.split(words)
        self.archives = [w for w in self.link_words if w.endswith(".a")]
        folders = [f"{path}.p/", *(f"{a}.p/" for a in self.archives if a.endswith("_processor.a"))]
        self.objects = [(unit, into / unit["output"]) for unit in units
                        if unit["output"].startswith(tuple(folders))]
        self.runs = []

    def link(self):
        ninja(self.build, *self.archives)
        replaced = {unit["output"]: str(to) for unit, to in self.objects}
        words = [replaced.pop(w, w) for w in self.link_words]
        output = words.index("-o") + 1
        words[output] = str(self.output)
        words[output + 1:output + 1] = replaced.values()  # Before the archives that have them, too.
        subprocess.run(words, cwd=self.build, check=True)

    def run(self, variant, number, limit, reached=None):
        """Seconds, or None when the program fails or does not end."""
        env = {**os.environ, **variant["env"], "AEROGPU_MUTANT": str(number)}
        if reached:
            env["AEROGPU_MUTANTS_REACHED"] = str(reached)
        begin = time.monotonic()
        try:
            done = subprocess.run([str(self.output), "-a"], env=env, cwd=self.build, timeout=limit,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return None
        return time.monotonic() - begin if done.returncode == 0 else None


def compile_command(unit, include, to):
    words = shlex.split(unit["command"])
    out, skip = [], 0
    for i, word in enumerate(words):
        if skip:
            skip -= 1
        elif word in ("-MQ", "-MF", "-o", "-c"):
            skip = 1
        elif word not in ("-MD", "-Werror"):
            out.append(word)
    options = ["-w", "-fdiagnostics-color=never"]
    return [out[0], f"-I{include}", *out[1:], *options, "-c", unit["file"], "-o", str(to)]


def compile_unit(unit, include, to):
    to.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(compile_command(unit, include, to), cwd=unit["directory"], text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return None if done.returncode == 0 else done.stderr


def find_programs(build, into, names):
    units = json.loads((build / "compile_commands.json").read_text())
    tests = json.loads(subprocess.run(["meson", "introspect", "--tests", str(build)], check=True,
                                      capture_output=True, text=True).stdout)
    programs = {}
    for test in tests:
        if not any(test["name"].startswith(n) for n in names):
            continue
        path = pathlib.Path(test["cmd"][0])
        if not path.is_absolute() or build not in path.parents:
            continue
        path = path.relative_to(build)
        if any(u["output"].startswith(f"{path}.p/") for u in units):
            if path not in programs:
                programs[path] = Program(build, path, units, into)
            programs[path].runs.append({"name": test["name"], "env": test["env"]})
    return list(programs.values())


def faults_at(message, include, mutants):
    """Numbers of the faults that a compiler's errors stand at."""
    found = set()
    for file, line in re.findall(r"^(\S+\.hpp):(\d+):\d+: (?:fatal )?error", message, re.MULTILINE):
        if str(include) not in file:
            continue
        header = INCLUDE / pathlib.Path(file).resolve().relative_to(include.resolve())
        found |= {m.number for m in mutants
                  if m.header == header and m.line <= int(line) <= m.last_line}
    return found


def build_programs(programs, include, mutants, count, jobs):
    """Compiles and links; returns the faults that compile."""
    waiting = list({to: (unit, to) for p in programs for unit, to in p.objects}.values())
    while waiting:
        write_headers(include, mutants, count)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            errors = list(pool.map(lambda pair: compile_unit(pair[0], include, pair[1]), waiting))
        bad = set().union(*(faults_at(e, include, mutants) for e in errors if e))
        if any(errors) and not bad:
            message = next(filter(None, errors)).splitlines()
            sys.exit("\n".join([line for line in message if "error" in line][:10]))
        if bad:
            print(f"{len(bad)} faults do not compile", flush=True)
        mutants = [m for m in mutants if m.number not in bad]
        waiting = [pair for pair, error in zip(waiting, errors) if error]
    for program in programs:
        program.link()
    return mutants


def judge(mutant, programs, reach):
    """The test that killed it, or None."""
    for program in programs:
        for run in program.runs:
            if mutant.number not in reach[run["name"]]:
                continue
            if program.run(run, mutant.number, run["limit"]) is None:
                return run["name"]
    return None


def measure(programs, into):
    reach = {}
    for program in programs:
        for run in program.runs:
            note = into / "reached"
            note.unlink(missing_ok=True)
            seconds = program.run(run, 0, 1800, note)
            if seconds is None:
                sys.exit(f"mutate: '{run['name']}' fails without a fault")
            run["limit"] = 10 + 6 * seconds
            run["seconds"] = seconds
            reach[run["name"]] = set(map(int, note.read_text().split())) if note.exists() else set()
        program.runs.sort(key=lambda r: r["seconds"])
    programs.sort(key=lambda p: p.runs[0]["seconds"])
    return reach


def choose(arguments):
    paths = [ROOT / h if (ROOT / h).exists() else LIBRARY / h for h in arguments.header]
    paths = paths or [LIBRARY]
    for path in paths:
        if not path.exists():
            sys.exit(f"mutate: there is no header or folder '{path.relative_to(LIBRARY)}'")
    headers = sorted(h for p in paths for h in ([p] if p.is_file() else p.rglob("*.hpp")))
    every = [m for h in headers for m in Header(h.resolve()).mutants()]
    random.Random(arguments.seed).shuffle(every)
    chosen = every[:arguments.sample] if arguments.sample else every
    chosen.sort(key=lambda m: (m.header, m.begin))
    for i, m in enumerate(chosen, 1):
        m.number = i
    print(f"{len(chosen)} of {len(every)} faults in {len(headers)} headers, seed {arguments.seed}",
          flush=True)
    return chosen


def show(mutant, verdict):
    print(f"{verdict:9} {mutant.header.relative_to(LIBRARY)}:{mutant.line}  {mutant.what}")
    if verdict != "killed":
        text = mutant.header.read_text()[mutant.begin:mutant.end]
        print("          - " + " ".join(text.split()))
        if mutant.text:
            print("          + " + " ".join(mutant.text.split()))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(prog="mutate.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("header", nargs="*")
    parser.add_argument("--sample", type=int, default=100, metavar="N",
                        help="faults; 0 = all (default 100)")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--program", action="append", metavar="NAME",
                        help="tests whose names begin so")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true", help="print the faults and end")
    arguments = parser.parse_args()
    mutants = choose(arguments)
    if arguments.list:
        for m in mutants:
            show(m, "fault")
        return
    build = arguments.build.resolve()
    into = build / "mutation"
    include = into / "include"
    shutil.rmtree(include, ignore_errors=True)
    ninja(build, "build.ninja")
    make_includes(build)
    programs = find_programs(build, into, arguments.program or PROGRAMS)
    if not programs:
        sys.exit("mutate: the build has no such tests")
    mutants = build_programs(programs, include, mutants, len(mutants), arguments.jobs)
    reach = measure(programs, into)
    killed, unreached = 0, 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for m, killer in zip(mutants, pool.map(lambda m: judge(m, programs, reach), mutants)):
            killed += killer is not None
            is_reached = any(m.number in numbers for numbers in reach.values())
            unreached += not is_reached
            show(m, "killed" if killer else "survived" if is_reached else "unreached")
    total = len(mutants)
    print(f"killed {killed} of {total} ({100 * killed / max(total, 1):.1f} %); "
          f"{total - killed} survived, of which no test reaches {unreached}")


if __name__ == "__main__":
    main()
