# SPDX-License-Identifier: MIT
"""Help, versions and wrong usage."""
import os
import re
import shutil
import subprocess
import unittest

from program import ProgramTest, main

COMMANDS = ["info", "dump", "replay", "diff", "trim", "repair", "extract", "disasm", "compare", "demo",
            "help"]
PROGRAM_OPTIONS = ["-h, --help", "-V, --version"]


class Usage(ProgramTest):
    def test_help_names_every_command_and_the_exit_codes(self):
        output, _ = self.run_program("--help")
        for command in COMMANDS:
            self.assertIn(f"\n  {command} ", output)
        self.assertIn("Exit codes: 0 fine; 1", output)

    def test_help_names_every_option_of_the_program(self):
        output, _ = self.run_program("--help")
        for option in PROGRAM_OPTIONS:
            self.assertIn(f"\n  {option}", output)

    def test_every_command_has_help_that_fits_a_terminal(self):
        for command in COMMANDS:
            output, errors = self.run_program(command, "--help")
            self.assertTrue(output.startswith(f"usage: aerogpu {command}"), output)
            self.assertIn("--help", output)
            self.assertEqual(errors, "")
            self.assertLessEqual(max(map(len, output.splitlines())), 100)

    def test_version(self):
        for word in ("--version", "-V"):
            output, _ = self.run_program(word)
            self.assertRegex(output, r"^aerogpu \d+\.\d+\.\d+\n$")

    def test_help_command_is_its_help(self):
        self.assertEqual(self.run_program("help"), self.run_program("--help"))
        for command in COMMANDS:
            self.assertEqual(self.run_program("help", command), self.run_program(command, "-h"))
        _, errors = self.run_program("help", "fly", code=2)
        self.assertIn("there is no command 'fly'", errors)

    def test_mistyped_words_have_a_suggestion(self):
        for arguments, meant in [
            (["repaly", "a"], "did you mean replay?"),
            (["ext", "a"], "did you mean extract?"),
            (["help", "dmup"], "did you mean dump?"),
            (["replay", "--valdate", "a"], "did you mean --validate?"),
            (["replay", "--frame=3", "a"], "did you mean --frames?"),
            (["replay", "-json", "a"], "did you mean --json?"),
        ]:
            _, errors = self.run_program(*arguments, code=2)
            self.assertIn(meant, errors)
        for arguments in (["xyzzy"], ["dump", "--xyzzy", "a"], ["dump", "---", "a"]):
            _, errors = self.run_program(*arguments, code=2)
            self.assertNotIn("did you mean", errors)

    def options(self):
        """Each command with its options, as its help lists them."""
        found = {}
        for command in COMMANDS:
            output, _ = self.run_program("help", command)
            found[command] = re.findall(r"^  --([a-z-]+)", output, re.M)
        return found

    def test_the_manual_page_has_every_option_and_no_mistake_of_roff(self):
        page, _ = self.run_program("man")
        section = re.search(r"^\.SH OPTIONS\n.*?(?=^\.SH )", page, re.M | re.S).group(0)
        for option in PROGRAM_OPTIONS:
            words = [word.replace("-", "\\-") for word in option.split(", ")]
            self.assertIn(", ".join(f"\\fB{word}\\fR" for word in words), section)
        for command, options in self.options().items():
            section = re.search(rf"^\.SS {command}\b.*?(?=^\.S[SH] )", page, re.M | re.S).group(0)
            for option in set(options) - {"help"}:
                self.assertIn("\\fB\\-\\-" + option.replace("-", "\\-") + "\\fR", section)
        if shutil.which("man"):
            done = subprocess.run(["man", "--warnings", "-l", "-"], input=page.encode(),
                                  capture_output=True, env={**os.environ, "MANWIDTH": "100"})
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertIn(b"--compile-in-process", done.stdout)

    def complete(self, *words):
        script, _ = self.run_program("complete", "bash")
        ask = (f"{script}\nCOMP_WORDS=(aerogpu {' '.join(map(repr, words))}); COMP_CWORD={len(words)}\n"
               '_aerogpu; printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", ask], capture_output=True, cwd=self.folder, check=True)
        self.assertEqual(done.stderr, b"")
        return done.stdout.decode().split()

    @unittest.skipUnless(shutil.which("bash"), "no bash here")
    def test_bash_completes_commands_options_words_and_folders(self):
        (self.folder / "pictures").mkdir()
        self.file("picture.png", b"")
        self.assertEqual(self.complete(""), COMMANDS)
        self.assertEqual(self.complete("d"), ["dump", "diff", "disasm", "demo"])
        self.assertEqual(self.complete("-"), ["--help", "--version"])
        self.assertEqual(self.complete("--v"), ["--version"])
        self.assertEqual(self.complete("help", "tr"), ["trim"])
        for command, options in self.options().items():
            if command != "help":
                self.assertEqual(set(self.complete(command, "--")), {"--" + one for one in options})
        self.assertEqual(self.complete("replay", "--backend", ""), ["null", "vulkan"])
        self.assertEqual(self.complete("replay", "--png", "pic"), ["pictures"])
        self.assertEqual(self.complete("replay", "pic"), [])  # So that bash offers files.

    def test_other_shells_have_every_option_too(self):
        for shell, form in (("zsh", "'--{}["), ("fish", " -l {} ")):
            script, _ = self.run_program("complete", shell)
            for option in PROGRAM_OPTIONS:
                self.assertIn({"zsh": "'--{}:", "fish": " -l {} "}[shell].format(option[6:]), script)
            for command, options in self.options().items():
                for option in set(options) - {"help"}:
                    self.assertIn(form.format(option), script)
            if shutil.which(shell):
                subprocess.run([shell, "-n"], input=script.encode(), check=True)
        _, errors = self.run_program("complete", "csh", code=2)
        self.assertIn("there are bash, zsh and fish", errors)

    def test_wrong_usage_is_2_and_says_what_is_wrong(self):
        for arguments, words in [
            ([], "usage: aerogpu"),
            (["fly"], "there is no command 'fly'"),
            (["dump"], "FILE is missing"),
            (["dump", "a", "b"], "'b' is one operand too many"),
            (["dump", "--fast", "a"], "there is no option --fast"),
            (["dump", "-x", "a"], "there is no option -x"),
            (["dump", "--json", "--json", "a"], "--json is given twice"),
            (["dump", "a", "--payload"], "--payload needs BYTES"),
            (["dump", "a", "--payload", "x"], "--payload needs a number"),
            (["dump", "a", "--frames", "7-3"], "--frames needs"),
            (["dump", "--json=yes", "a"], "--json takes no value"),
            (["diff", "a"], "A B is missing"),
            (["trim", "a", "--output", "b"], "--frames needs"),
            (["trim", "a", "--frames", "1"], "--output is missing"),
            (["repair", "a"], "--output is missing"),
            (["disasm"], "FILE... is missing"),
            (["disasm", "--json", "a"], "there is no option --json"),
            (["compare", "a"], "A B is missing"),
            (["compare", "a", "b", "--tolerance", "256"], "--tolerance needs"),
            (["replay"], "FILE... is missing"),
            (["replay", "a", "--backend", "cuda"], "backend"),
        ]:
            output, errors = self.run_program(*arguments, code=2)
            self.assertIn(words, errors, arguments)
            self.assertEqual(output, "", arguments)

    def test_a_file_that_cannot_be_read_is_2(self):
        for command in ("info", "dump", "replay", "extract"):
            _, errors = self.run_program(command, "missing", code=2)
            self.assertIn("missing: No such file", errors)
            _, errors = self.run_program(command, self.folder, code=2)
            self.assertIn("it is a folder", errors)
            _, errors = self.run_program(command, self.file("text", b"hello there"), code=2)
            self.assertIn("neither as a trace (AEROGPUT) nor as a command stream (ACMD)", errors)

    def test_operands_may_look_like_options_behind_two_dashes(self):
        self.file("--json", b"no trace")
        _, errors = self.run_program("dump", "--", "--json", code=2)
        self.assertIn("--json: it starts neither", errors)


if __name__ == "__main__":
    main()
