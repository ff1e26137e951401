# SPDX-License-Identifier: MIT
"""make_package.py as a user runs it, on stand-ins for the drivers."""
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import fake_binaries
import catalog
import contents
from driver_version import driver_version
from pe_image import PeImage
from signing import FIRST_DAY, Signer

MAKE_PACKAGE = fake_binaries.PACKAGE / "make_package.py"
SCRIPTS = {"install.cmd", "uninstall.cmd", "verify.cmd"}
DOCUMENTS = {"LICENSE.txt": "LICENSE", "README.txt": "docs/windows7.md"}


def make(sources, out, code=0, **environment):
    with fake_binaries.environment(**environment):
        done = subprocess.run([sys.executable, MAKE_PACKAGE, "--x64", sources["x64"], "--x86",
                               sources["x86"], "--out", out], capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def files_of(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes()
            for p in sorted(folder.rglob("*")) if p.is_file()}


def iso_names(image):
    """Paths in the image, as Joliet spells them."""
    done = subprocess.run(["xorriso", "-report_about", "SORRY", "-indev", image, "-find", "/",
                           "-type", "f"], capture_output=True, text=True, check=True)
    return set(re.findall(r"^'/(.*)'$", done.stdout, re.MULTILINE))


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        cls.sources = fake_binaries.write_binaries(cls.folder)
        cls.out = cls.folder / "out/win7"
        cls.said = make(cls.sources, cls.out)

    def scratch(self, name):
        path = self.folder / name
        path.mkdir()
        return path

    def test_it_holds_what_a_user_needs_and_nothing_else(self):
        self.assertEqual(set(files_of(self.out)) - {"signing/test.key", "signing/test.crt"}, {
            "x64/aerogpu.inf", "x64/aerogpu.cat", "x64/aerogpu.sys", "x64/aerogpu_d3d9_x64.dll",
            "x64/aerogpu_d3d9.dll", "x86/aerogpu.inf", "x86/aerogpu.cat", "x86/aerogpu.sys",
            "x86/aerogpu_d3d9.dll", "aerogpu_dbgctl.exe", "aerogpu_dbgctl_x64.exe",
            "tests/x64/fence_state_sanity.exe", "tests/x86/fence_state_sanity.exe",
            "aerogpu_test.cer", "aerogpu-win7-guest.iso", *SCRIPTS, *DOCUMENTS})
        self.assertIn(contents.IMAGE, self.said)

    def test_the_image_holds_the_same_without_the_key(self):
        expected = {name for name in files_of(self.out)
                    if not name.startswith("signing/") and not name.endswith(".iso")}
        self.assertEqual(iso_names(self.out / contents.IMAGE), expected)
        self.assertNotIn(b"PRIVATE KEY", (self.out / contents.IMAGE).read_bytes())
        self.assertIn("AEROGPU_WIN7".encode("utf-16-be"),
                      (self.out / contents.IMAGE).read_bytes()[:40 * 2048])

    def test_licence_and_help_are_there_as_notepad_reads_them(self):
        for name, source in DOCUMENTS.items():
            text = (contents.ROOT / source).read_bytes()
            self.assertEqual((self.out / name).read_bytes(), text.replace(b"\n", b"\r\n"))

    def test_each_file_that_a_script_names_is_on_the_image(self):
        there = {name.split("/")[-1] for name in iso_names(self.out / contents.IMAGE)}
        for script in SCRIPTS:
            named = re.findall(r"(?:[\w.-]+\.(?:txt|md|cmd|cer|inf|dll|sys)|aerogpu_\w+\.exe)\b", (self.out / script).read_text())
            self.assertEqual(set(named) - there, set(), script)
            self.assertIn(script, named)

    def test_catalogues_and_drivers_verify(self):
        signer = Signer(self.out / "signing", contents.release_date())
        for arch in ("x64", "x86"):
            folder = self.out / arch
            self.assertTrue(signer.verify(folder / "aerogpu.sys"))
            for member in catalog.read_catalog((folder / "aerogpu.cat").read_bytes()):
                if member.is_pe:
                    self.assertTrue(signer.verify(folder / member.name, folder / "aerogpu.cat"))

    def test_the_certificate_is_the_one_that_signed(self):
        pem = subprocess.run(["openssl", "x509", "-inform", "DER", "-in",
                              self.out / contents.CERTIFICATE], capture_output=True, check=True)
        self.assertEqual(pem.stdout, (self.out / "signing/test.crt").read_bytes())

    def test_the_certificate_is_valid_from_before_it_signed_and_for_decades(self):
        signer = Signer(self.out / "signing", contents.release_date())
        self.assertLessEqual(signer.valid_from(), contents.release_date())
        done = subprocess.run(["openssl", "x509", "-in", signer.certificate, "-noout", "-enddate"],
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "notAfter=Jan  1 00:00:00 2045 GMT\n")

    def test_a_certificate_that_starts_after_what_it_signs_is_made_again_with_its_key(self):
        folder = self.scratch("late") / "signing"
        shutil.copytree(self.out / "signing", folder)
        key, certificate = folder / "test.key", folder / "test.crt"
        before = key.read_bytes()
        subprocess.run(["openssl", "req", "-x509", "-key", key, "-days", "1", "-subj", "/CN=Late",
                        "-out", certificate], capture_output=True, check=True)
        late = certificate.read_bytes()
        signer = Signer(folder, contents.release_date())
        self.assertEqual(key.read_bytes(), before)
        self.assertNotEqual(certificate.read_bytes(), late)
        self.assertLessEqual(signer.valid_from(), contents.release_date())
        early = datetime.datetime(2023, 11, 14, tzinfo=datetime.timezone.utc)
        self.assertEqual(Signer(folder, early).valid_from(), early)

    def test_a_key_or_certificate_that_was_not_written_whole_is_made_again(self):
        for name in ("test.key", "test.crt"):
            for left in (b"", (self.out / "signing" / name).read_bytes()[:400]):
                folder = self.scratch(f"{name}-{len(left)}") / "signing"
                shutil.copytree(self.out / "signing", folder)
                (folder / name).write_bytes(left)
                signer = Signer(folder, contents.release_date())
                self.assertEqual(signer.valid_from(), FIRST_DAY)
                image = folder.parent / "image"
                image.write_bytes((self.out / "x64/aerogpu.sys").read_bytes())
                signer.sign(image, "again")
                self.assertTrue(signer.verify(image))
                self.assertEqual({p.name for p in folder.iterdir()}, {"test.key", "test.crt"})

    def test_a_run_that_ends_while_it_writes_a_key_leaves_none(self):
        tools = self.scratch("tools")
        (tools / "openssl").write_text('#!/bin/sh\nfor out; do test "$before" = -out && echo half >"$out"; before=$out; done\nexit 1\n')
        (tools / "openssl").chmod(0o755)
        folder = self.scratch("half")
        said = make(self.sources, folder / "out", code=1, PATH=f"{tools}:{os.environ['PATH']}")
        self.assertIn("ended with 1", said)
        self.assertFalse((folder / "out/signing/test.key").exists())

    def test_binaries_are_what_was_built_signatures_aside(self):
        built, shipped = self.sources["x64"], self.out / "x64"
        self.assertEqual(PeImage((shipped / "aerogpu.sys").read_bytes()).unsigned(),
                         (built / "aerogpu.sys").read_bytes())
        self.assertEqual((shipped / "aerogpu_d3d9.dll").read_bytes(),
                         (self.sources["x86"] / "aerogpu_d3d9.dll").read_bytes())

    def test_inf_and_scripts_end_lines_as_windows_does(self):
        for name, data in files_of(self.out).items():
            if name.endswith((".inf", ".cmd", ".txt")):
                self.assertTrue(data.isascii(), name)
                self.assertEqual(data.count(b"\n"), data.count(b"\r\n"), name)

    def test_two_builds_with_one_key_are_byte_equal(self):
        before = files_of(self.out)
        self.assertEqual(make(self.sources, self.out), self.said)
        self.assertEqual(files_of(self.out), before)

    def test_two_keys_differ_in_signatures_alone(self):
        other = self.folder / "other-key"
        make(self.sources, other)
        ours, theirs = files_of(self.out), files_of(other)
        self.assertEqual(ours.keys(), theirs.keys())
        different = {name for name in ours if ours[name] != theirs[name]}
        self.assertEqual(different, {
            "signing/test.key", "signing/test.crt", contents.CERTIFICATE, contents.IMAGE,
            "x64/aerogpu.cat", "x86/aerogpu.cat", "x64/aerogpu.sys", "x86/aerogpu.sys"})
        for arch in ("x64", "x86"):
            self.assertEqual(PeImage(ours[f"{arch}/aerogpu.sys"]).unsigned(),
                             PeImage(theirs[f"{arch}/aerogpu.sys"]).unsigned())
            self.assertEqual(catalog.read_catalog(ours[f"{arch}/aerogpu.cat"]),
                             catalog.read_catalog(theirs[f"{arch}/aerogpu.cat"]))

    def test_the_version_is_the_projects_and_the_date_can_be_given(self):
        text = (self.out / "x64/aerogpu.inf").read_text()
        self.assertIn("DriverVer = 01/01/2025,8.14.1.100\n", text)
        out = self.folder / "dated"
        make(self.sources, out, SOURCE_DATE_EPOCH="1700000000")
        text = (out / "x64/aerogpu.inf").read_text()
        self.assertIn("DriverVer = 11/14/2023,8.14.1.100\n", text)

    def test_a_later_version_has_a_later_date(self):
        """Windows takes the driver of the later date and looks at versions where dates are equal."""
        days = contents.RELEASE_DAYS
        versions = sorted(days, key=lambda v: [int(n) for n in v.split(".")])
        self.assertIn(contents.project_version(), versions)
        self.assertEqual(versions[-1], contents.project_version())
        self.assertEqual(sorted(set(days.values())), [days[v] for v in versions])
        with self.assertRaisesRegex(SystemExit, "9.9.9 has no day in contents.py"):
            contents.release_date("9.9.9")

    def test_the_certificate_begins_on_a_day_of_its_own(self):
        late = datetime.datetime(2031, 1, 1, tzinfo=datetime.timezone.utc)
        self.assertEqual(Signer(self.scratch("later") / "signing", late).valid_from(), FIRST_DAY)

    def test_a_later_version_of_the_project_is_a_later_one_of_the_driver(self):
        self.assertEqual([driver_version(v) for v in ("0.1.0", "0.1.2-rc1", "0.99.99", "1.0.0")],
                         ["8.14.1.100", "8.14.1.102", "8.14.1.9999", "8.14.2.0"])
        for project in ("0.100.0", "1.0.100"):
            with self.assertRaises(ValueError):
                driver_version(project)

    def test_without_user_mode_drivers_and_programs_there_is_a_package_too(self):
        folder = self.scratch("bare")
        make(fake_binaries.write_binaries(folder, user_mode=False, programs=False), folder / "out")
        names = set(files_of(folder / "out"))
        self.assertEqual({n for n in names if n.startswith("x64/")},
                         {"x64/aerogpu.inf", "x64/aerogpu.cat", "x64/aerogpu.sys"})
        self.assertFalse({n for n in names if n.endswith((".dll", ".exe"))})

    def test_what_an_earlier_package_left_is_gone(self):
        folder = self.scratch("less")
        sources = fake_binaries.write_binaries(folder)
        make(sources, folder / "out")
        for source in sources.values():
            for path in [*source.glob("*.dll"), *source.rglob("*.exe")]:
                path.unlink()
        make(sources, folder / "out")
        self.assertFalse({n for n in files_of(folder / "out") if n.endswith((".dll", ".exe"))})

    def test_a_signed_binary_is_signed_anew(self):
        folder = self.scratch("signed")
        sources = fake_binaries.write_binaries(folder)
        (sources["x64"] / "aerogpu.sys").write_bytes((self.out / "x64/aerogpu.sys").read_bytes())
        make(sources, folder / "out")
        self.assertTrue(Signer(folder / "out/signing", contents.release_date()).verify(
            folder / "out/x64/aerogpu.sys"))

    def test_mistakes_are_refused_in_words(self):
        for number, (words, spoil) in enumerate([
                ("there is no", lambda s: (s["x64"] / "aerogpu.sys").unlink()),
                ("not for x86", lambda s: (s["x86"] / "aerogpu.sys").write_bytes(
                    (s["x64"] / "aerogpu.sys").read_bytes())),
                ("it is no PE file", lambda s: (s["x86"] / "aerogpu.sys").write_text("x" * 80)),
                ("aerogpu_d3d9.dll is not", lambda s: (s["x86"] / "aerogpu_d3d9.dll").unlink()),
                ("not for x64", lambda s: (s["x64"] / "tests/fence_state_sanity.exe").write_bytes(
                    fake_binaries.pe_file("x86")))]):
            folder = self.scratch(f"mistake-{number}")
            sources = fake_binaries.write_binaries(folder)
            spoil(sources)
            self.assertIn(words, make(sources, folder / "out", code=1))

    def test_the_package_is_no_source_of_itself(self):
        said = make({"x64": self.out / "x64", "x86": self.out / "x86"}, self.out, code=1)
        self.assertIn("from a build folder", said)

    def test_a_missing_tool_is_named_with_its_package(self):
        folder = self.scratch("toolless")
        said = make(self.sources, folder / "out", code=1, PATH="/nonexistent")
        self.assertIn("openssl is not installed: scripts/setup drivers", said)


if __name__ == "__main__":
    unittest.main()
