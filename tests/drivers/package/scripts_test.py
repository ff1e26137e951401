# SPDX-License-Identifier: MIT
"""install.cmd, uninstall.cmd and verify.cmd, read closely: nothing here can run them."""
import re
import unittest

import fake_binaries
import contents
import inf_writer

# Programs of Windows 7 that the scripts may use, and where from.
TOOLS = {"bcdedit", "certutil", "find", "findstr", "fsutil", "net", "pnputil", "reg", "wevtutil", "wmic"}
CHANGES = ("certutil.exe", "pnputil.exe", "bcdedit.exe", 'reg.exe" add', 'reg.exe" delete', "net.exe")


def read(name):
    return (fake_binaries.PACKAGE / name).read_text(encoding="ascii")


def label_problems(text):
    labels = re.findall(r"^:(\w+)$", text, re.MULTILINE)
    targets = re.findall(r"(?:\bgoto|\bcall :)\s*:?(\w+)", text)
    for label in {l for l in labels if labels.count(l) > 1}:
        yield f"label {label} stands twice"
    for target in set(targets) - set(labels):
        yield f"there is no label {target}"
    for label in set(labels) - set(targets):
        yield f"nothing goes to label {label}"


def block_problems(text):
    """Parentheses that are neither quoted, escaped nor in a remark pair up."""
    depth = 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.lower().startswith("rem "):
            continue
        if line.count('"') % 2:
            yield f"line {number} has an odd number of quotes"
        bare = re.sub(r"\^.|\"[^\"]*\"|\('[^']*(?:'[^']*'[^']*)*'\)", "", line)
        is_code = depth > 0 or not re.match(r"\s*echo\b", bare)
        depth += (bare.count("(") - bare.count(")")) if is_code else 0
        if depth < 0:
            yield f"line {number} closes a block that is not open"
    if depth:
        yield f"{depth} blocks stay open"


def tool_problems(text):
    """Each program comes from the system's folder, so that none beside the script is run."""
    for prefix, tool in re.findall(r"(\S*?)(\w+)\.exe\b", text):
        own = prefix.endswith("%here%") and tool == "aerogpu_dbgctl"
        is_placed = re.search(r"%(tools|SystemRoot)%", prefix) is not None
        if not own and not (is_placed and tool in TOOLS | {"cmd"}):
            yield f"{tool}.exe is run as {prefix}{tool}.exe"
    for line in text.splitlines():
        first = line.strip().split(" ")[0].lower()
        if first in TOOLS:
            yield f"{first} is run by its bare name"


def code_problems(text):
    """`if errorlevel 1` is about 1 and more: HRESULTs and the codes of setup are negative."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(r"\bif\b.* errorlevel ", line, re.IGNORECASE):
            yield f"line {number} takes a negative exit code for success"


def path_problems(text):
    """A folder may be C:\\R&D: its name stands in quotes."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.search("%(here|package)%", re.sub(r'"[^"]*"', "", line)):
            yield f"line {number} has a path without quotes"


def problems(text):
    return [*label_problems(text), *block_problems(text), *tool_problems(text), *code_problems(text),
            *path_problems(text)]


class Scripts(unittest.TestCase):
    def test_labels_blocks_and_tools_are_right(self):
        for name in contents.SCRIPTS:
            self.assertEqual(problems(read(name)), [], name)

    def test_wrong_scripts_are_found(self):
        for text, words in [("goto end\n", "no label end"), (":end\n", "nothing goes to"),
                            ("goto a\n:a\n:a\n", "stands twice"), ("if x (\n", "stay open"),
                            ("if x (\n)\n)\n", "not open"), ('echo "\n', "odd number"),
                            ("pnputil -e\n", "bare name"), ("pnputil.exe -e\n", "is run as"),
                            ('"%here%pnputil.exe" -e\n', "is run as"),
                            ('"%tools%\\format.exe" c:\n', "is run as"),
                            ("if errorlevel 1 echo no\n", "negative exit code"),
                            ("if not errorlevel 1 echo yes\n", "negative exit code"),
                            ("echo Installing %package%\\a.inf\n", "without quotes")]:
            self.assertIn(words, "\n".join(problems(text)), text)

    def test_each_script_knows_a_32_bit_shell_on_x64(self):
        for name in contents.SCRIPTS:
            self.assertIn(r'if exist "%SystemRoot%\Sysnative\cmd.exe" set "tools='
                          r'%SystemRoot%\Sysnative"', read(name), name)

    def test_what_changes_the_system_asks_for_an_administrator_first(self):
        for name in ("install.cmd", "uninstall.cmd"):
            text = read(name)
            asked = text.index("fsutil.exe")
            for change in CHANGES:
                if change in text:
                    self.assertLess(asked, text.index(change), name)
        for change in CHANGES:
            self.assertNotIn(change, read("verify.cmd"))

    def test_each_change_of_the_system_is_followed_by_a_look_at_its_exit_code(self):
        for name in ("install.cmd", "uninstall.cmd"):
            lines = read(name).splitlines()
            for line, following in zip(lines, lines[1:]):
                if re.match(r'"%tools%\\(certutil|pnputil|bcdedit|net)\.exe"|"%tools%\\reg\.exe" (add|delete)', line) and "stop" not in line:
                    self.assertIn("%errorlevel%", following, f"{name}: {line}")

    def test_uninstall_says_which_store_keeps_the_certificate_and_fails(self):
        text = read("uninstall.cmd")
        distrust = text.split("\n:distrust\n")[1]
        self.assertEqual(re.findall(r"call :forget (\w+)", distrust), ["Root", "TrustedPublisher"])
        self.assertRegex(distrust, r'\nset "kept=1"\necho uninstall: [^\n]*%~1[^\n]*%result%')
        self.assertIn('\nif "%kept%"=="1" exit /b 1\n', text.split("\n:remove\n")[0])

    def test_install_does_not_succeed_where_another_driver_stays_in_use(self):
        text = read("install.cmd")
        self.assertIn('if "%result%"=="259" goto stored\n', text)
        stored = text.split("\n:stored\n")[1].split("\n:")[0]
        self.assertEqual(re.findall(r"exit /b (\d)", stored), ["1", "5"])
        self.assertIn("5 in the store, another driver stays in use", text)

    def test_a_device_is_there_when_wmi_finds_it(self):
        """Enum\\PCI keeps each device that ever was there."""
        for name in ("install.cmd", "verify.cmd"):
            text = read(name)
            self.assertNotIn("Enum\\PCI", text, name)
            self.assertRegex(text, r"wmic\.exe path Win32_PnPEntity where \"DeviceID like '%%VEN_A3A0&DEV_0001%%'", name)

    def test_who_is_no_administrator_learns_where_to_run_it(self):
        """The window of "Run as administrator" vanishes with what it says, and takes no option."""
        for name in ("install.cmd", "uninstall.cmd"):
            self.assertIn("start cmd as administrator and run this there", read(name))
            self.assertNotIn("right-click", read(name))

    def test_exit_codes_are_in_the_help(self):
        for name in contents.SCRIPTS:
            text = read(name)
            subroutines = (text + "\n:report\n").index("\n:report\n")
            used = set(re.findall(r"exit /b (\d)", text[:subroutines])) - {"0"}
            help_text = " ".join(re.findall(r"^(?:echo|rem) (.*)$", text, re.MULTILINE))
            documented = set(re.findall(r"[:;] +(\d) ", help_text[help_text.index("Exit codes"):]))
            self.assertEqual(used, documented - {"0"}, name)

    def test_names_are_those_of_the_package(self):
        install = read("install.cmd")
        self.assertIn(contents.CERTIFICATE, install)
        self.assertIn(contents.INF, install)
        self.assertIn(f'"{contents.CERTIFICATE_SUBJECT}"', read("uninstall.cmd"))
        self.assertIn(f'/c:"{contents.DRIVER}"', read("uninstall.cmd"))
        self.assertIn(contents.HARDWARE_ID.removeprefix("PCI\\"), read("verify.cmd"))

    def test_uninstall_says_that_the_device_keeps_its_driver(self):
        """pnputil -d takes the package out of the driver store alone."""
        text = read("uninstall.cmd")
        said = " ".join(re.findall(r"^(?:if \S+ )?echo (.*)$", text, re.MULTILINE))
        self.assertNotIn("Removed.", said)
        self.assertIn("A device that has the driver keeps it", said)
        self.assertIn(f'uninstall "{inf_writer.STRINGS["Device"]}"', said)
        self.assertIn("uninstall the device", read("install.cmd"))

    def test_verify_says_what_to_do_about_a_desktop_that_is_not_composed(self):
        verify = read("verify.cmd")
        self.assertEqual(verify.count("call :composition\n"), 2)
        note = verify.split(":composition\n")[-1].split("exit /b")[0]
        self.assertIn(r'"HKCU\Software\Microsoft\Windows\DWM" /v Composition', note)
        self.assertIn('"winsat formal"', note)
        self.assertNotIn(":report", note)

    def test_aero_is_wished_for_in_both_keys_and_taken_back(self):
        """Windows reads the user's key first, where a profile of Windows 7 has 0."""
        key, policy = r"\Software\Microsoft\Windows\DWM", "/v CompositionPolicy"
        on, off = (read(name).split("\n:aero\n")[1].split("\n:unaero\n")[0] for name in ("install.cmd", "uninstall.cmd"))
        for root in ("HKCU", "HKLM"):
            self.assertIn(f'reg.exe" add "{root}{key}" {policy} /t REG_DWORD /d 2 /f', on)
        self.assertIn(f'reg.exe" add "HKCU{key}" {policy} /t REG_DWORD /d 0 /f', off)
        self.assertIn(f'reg.exe" delete "HKLM{key}" {policy} /f', off)
        for part in (on, off):
            self.assertRegex(part, r'net\.exe" stop UxSms[^\n]*\n"%tools%\\net\.exe" start UxSms')
            self.assertIn("exit /b 0", part)

    def test_verify_tells_a_driver_that_lacks_something_from_an_assessment_that_does(self):
        verify = read("verify.cmd")
        note = verify.split(":composition\n")[-1].split("exit /b")[0]
        self.assertRegex(note, 'call :event 9007 "[^"]*driver')
        self.assertRegex(note, 'call :event 9016 "[^"]*assessment[^"]*install.cmd /aero')
        self.assertIn("call :policy HKCU\ncall :policy HKLM\n", note)
        self.assertIn("[@Name='Desktop Window Manager']", verify.split("\n:event\n")[1])

    def test_verify_checks_every_value_that_the_inf_writes(self):
        verify = read("verify.cmd")
        wide, narrow = verify.split(":drivers_x64")[1], verify.split(":drivers_x64")[0]
        for arch, part in (("x64", wide), ("x86", narrow)):
            drivers = contents.ARCHITECTURES[arch].user_mode
            for row in inf_writer.values(drivers)["AeroGPU_Values"]:
                _, subkey, name, kind, *data = row.split(",")
                if kind == "0x00010000":
                    self.assertIn(f"call :value {name} REG_MULTI_SZ " + r"\0".join(data) + "\n",
                                  part, arch)
                elif not subkey:
                    self.assertIn(f"call :value {name} REG_DWORD {data[0]}\n", verify)
            for d in drivers:
                self.assertRegex(part, rf'call :exists "%\S+\\{re.escape(d.name)}"')


if __name__ == "__main__":
    unittest.main()
