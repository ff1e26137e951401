"""Help, versions and wrong usage."""
from program import ProgramTest, main

COMMANDS = ["info", "dump", "replay", "diff", "trim", "repair", "extract", "disasm", "compare", "demo"]


class Usage(ProgramTest):
    def test_help_names_every_command_and_the_exit_codes(self):
        output, _ = self.run_program("--help")
        for command in COMMANDS:
            self.assertIn(f"\n  {command} ", output)
        self.assertIn("Exit codes: 0 fine; 1", output)

    def test_every_command_has_help_that_fits_a_terminal(self):
        for command in COMMANDS:
            output, errors = self.run_program(command, "--help")
            self.assertTrue(output.startswith(f"usage: aerogpu {command}"), output)
            self.assertIn("--help", output)
            self.assertEqual(errors, "")
            self.assertLessEqual(max(map(len, output.splitlines())), 100)

    def test_version(self):
        output, _ = self.run_program("--version")
        self.assertRegex(output, r"^aerogpu \d+\.\d+\.\d+\n$")

    def test_wrong_usage_is_2_and_says_what_is_wrong(self):
        for arguments, words in [
            ([], "usage: aerogpu"),
            (["fly"], "there is no command 'fly'"),
            (["dump"], "FILE is missing"),
            (["dump", "a", "b"], "'b' is one operand too many"),
            (["dump", "--fast", "a"], "there is no option --fast"),
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
