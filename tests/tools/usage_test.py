# SPDX-License-Identifier: MIT
"""Help, versions and wrong usage."""
import os
import pathlib
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

    def test_the_usage_line_names_what_is_required(self):
        for command, words in [("trim", "--frames A-B --output FILE [OPTION...] FILE"),
                               ("repair", "--output FILE [OPTION...] FILE"), ("diff", "[OPTION...] A B")]:
            output, _ = self.run_program(command, "--help")
            self.assertEqual(output.splitlines()[0], f"usage: aerogpu {command} {words}")
            page, _ = self.run_program("man")
            self.assertIn(f"\n.SS {command} {words}\n".replace("-", "\\-"), page)

    def test_the_manual_page_has_the_examples_of_the_readme(self):
        page, _ = self.run_program("man")
        readme = (pathlib.Path(__file__).parents[2] / "README.md").read_text()
        examples = re.findall(r"^aerogpu (\S.*?) +# (.*)$", readme, re.M)
        self.assertGreater(len(examples), 5)
        for words, meaning in examples:
            words, meaning = (text.replace("-", "\\-") for text in (words, meaning))
            self.assertIn(f".TP\n\\fBaerogpu {words}\\fR\n{meaning}\n", page)

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

    def descriptions(self, command):
        """Each option of a command with what its help says."""
        output, _ = self.run_program("help", command)
        rows = re.findall(r"^  --([a-z-]+)(?: \S+)? +(.*(?:\n {6,}.*)*)", output, re.M)
        return {name: " ".join(text.split()) for name, text in rows if name != "help"}

    def test_zsh_and_fish_say_of_an_option_what_the_help_says(self):
        for shell, form, special in (("zsh", "'--{}[{}]", r"[\\:\[\]]"), ("fish", " -l {} -d '{}'", r"(?!)")):
            script, _ = self.run_program("complete", shell)
            for command in COMMANDS:
                for option, text in self.descriptions(command).items():
                    text = re.sub(special, r"\\\g<0>", text).replace("'", r"'\''")
                    self.assertIn(form.format(option, text), script)

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
            (["dump"], "FILE is missing; see 'aerogpu dump --help'"),
            (["dump", "a", "b"], "'b' is one operand too many"),
            (["dump", "--fast", "a"], "there is no option --fast"),
            (["dump", "-x", "a"], "there is no option -x"),
            (["dump", "--json", "--json", "a"], "--json is given twice"),
            (["dump", "a", "--payload"], "--payload needs BYTES"),
            (["dump", "a", "--payload", "x"], "--payload needs a number"),
            (["dump", "a", "--frames", "7-3"], "--frames needs"),
            (["dump", "--json=yes", "a"], "--json takes no value"),
            (["diff"], "A B is missing; see 'aerogpu diff --help'"),
            (["diff", "a"], ": B is missing; see 'aerogpu diff --help'"),
            (["trim", "a"], "--frames A-B is missing; see 'aerogpu trim --help'"),
            (["trim", "a", "--output", "b"], "--frames A-B is missing; see 'aerogpu trim --help'"),
            (["trim", "a", "--frames", "1"], "--output FILE is missing; see 'aerogpu trim --help'"),
            (["trim", "a", "--frames", "x", "--output", "b"], "--frames needs a number"),
            (["repair", "a"], "--output FILE is missing; see 'aerogpu repair --help'"),
            (["disasm"], "FILE... is missing"),
            (["disasm", "--json", "a"], "there is no option --json"),
            (["compare", "a"], ": B is missing"),
            (["compare", "a", "b", "--tolerance", "256"], "--tolerance needs"),
            (["replay"], "FILE... is missing; see 'aerogpu replay --help'"),
            (["-V", "extra"], "'extra' is one operand too many; see 'aerogpu --help'"),
            (["--help", "trim"], "'trim' is one operand too many; see 'aerogpu --help'"),
            (["info", "--help=3", "a"], "--help takes no value"),
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
