# SPDX-License-Identifier: MIT
"""The Visual Studio projects, which nothing here can build, say what the cross-build says."""
import pathlib
import re
import subprocess
import sys
import unittest
import unittest.mock
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = ROOT / "drivers/win7/build"
sys.path.insert(0, str(BUILD))

import make_projects  # noqa: E402

NAMESPACE = "{http://schemas.microsoft.com/developer/msbuild/2003}"
# Defines that one compiler needs and the other has no use for.
MINGW_ALONE = {"NOMINMAX", "AEROGPU_FILE", "AEROGPU_VERSION", "AEROGPU_VERSION_NUMBERS",
               "AEROGPU_D3D9_OPENADAPTER_PROFILE_U"}  # The last is an option that is off.
# Sources of Meson's lists that stand for Windows in tests.
NATIVE_ALONE = {"drivers/win7/umd/d3d9/core/os_native.cpp"}


def project(name):
    return xml.parse(BUILD / f"{name}.vcxproj").getroot()


def texts(root, name):
    return [e.text for e in root.iter(NAMESPACE + name)]


def cross_build_texts(entry):
    """What says how mingw compiles a driver."""
    folders = {(ROOT / meson).parent for meson in entry.lists}
    paths = {folder / name for folder in folders for name in ("meson.build", "windows/meson.build")}
    return "\n".join(p.read_text() for p in [*(ROOT / "drivers/win7/cross").iterdir(),
                                             *(p for p in paths if p.exists())])


class Projects(unittest.TestCase):
    def test_they_are_up_to_date(self):
        done = subprocess.run([sys.executable, BUILD / "make_projects.py", "--check"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_source_more_makes_them_stale(self):
        entry = make_projects.PROJECTS[0]
        before = make_projects.files()[f"{entry.name}.vcxproj"]
        with unittest.mock.patch.object(make_projects.Project, "sources",
                                        lambda self: ["drivers/win7/kmd/another.cpp"]):
            self.assertNotEqual(make_projects.files()[f"{entry.name}.vcxproj"], before)

    def test_each_source_exists_and_none_of_the_folder_is_left_out(self):
        for entry in make_projects.PROJECTS:
            included = {e.get("Include").replace("$(AeroGpuRoot)", "").replace("\\", "/")
                        for e in project(entry.name).iter(NAMESPACE + "ClCompile")
                        if e.get("Include")}
            for source in included:
                self.assertTrue((ROOT / source).exists(), source)
            listed = {f"{pathlib.PurePosixPath(meson).parent}/{name}" for meson in entry.lists
                      for name in re.findall(r"'([\w/]+\.cpp)'", (ROOT / meson).read_text())}
            self.assertEqual(included, listed - NATIVE_ALONE)

    def test_defines_are_those_of_the_cross_build(self):
        for entry in make_projects.PROJECTS:
            defines = set(texts(project(entry.name), "PreprocessorDefinitions")[0].split(";"))
            mingw = set(re.findall(r"-D([A-Z]\w*(?:=\w+)?)", cross_build_texts(entry)))
            self.assertIn("_WIN32_WINNT=0x0601", defines)
            self.assertEqual(mingw - MINGW_ALONE - defines, set(), entry.name)

    def test_no_two_objects_of_a_project_have_one_name(self):
        for entry in make_projects.PROJECTS:
            objects = []
            for item in project(entry.name).iter(NAMESPACE + "ClCompile"):
                source = item.get("Include")
                if source:
                    named = item.findtext(NAMESPACE + "ObjectFileName")
                    objects.append(named or re.sub(r".*\\(\w+)\.cpp$", r"$(IntDir)\1.obj", source))
            self.assertEqual(len(objects), len(set(objects)), entry.name)

    def test_a_dll_exports_what_the_cross_built_one_does(self):
        rows = [line.split("#")[0].split() for line in
                (ROOT / "drivers/win7/umd/d3d9/windows/exports.txt").read_text().splitlines()]
        names = [row[0] for row in rows if row]
        for binary, platform in ("aerogpu_d3d9", "x86"), ("aerogpu_d3d9_x64", "x64"):
            head, _, *lines = (BUILD / f"{binary}.def").read_text().splitlines()
            self.assertEqual(head, f"LIBRARY {binary}")
            exported = [line.split("=")[0].strip() for line in lines]
            self.assertEqual(exported, [n for n in names if platform == "x86" or "@" not in n])
            if platform == "x86":
                for line in lines:  # Each name is a function's decorated one.
                    self.assertRegex(line, r"^  _?(\w+)(@4)?=_\1@4$")

    def test_the_switch_for_the_kits_headers_is_off_unless_given(self):
        for entry in make_projects.PROJECTS:
            kit, = project(entry.name).iter(NAMESPACE + "AeroGpuKitDefine")
            self.assertEqual(kit.get("Condition"), "'$(AeroGpuUseWdkHeaders)'=='1'")
            self.assertEqual(kit.text, "AEROGPU_WITH_WDK")

    def test_each_project_has_four_configurations_for_windows_7(self):
        for entry in make_projects.PROJECTS:
            root = project(entry.name)
            pairs = {e.get("Include") for e in root.iter(NAMESPACE + "ProjectConfiguration")}
            self.assertEqual(pairs, {"Debug|Win32", "Release|Win32", "Debug|x64", "Release|x64"})
            self.assertEqual(set(texts(root, "TargetVersion")), {"Windows7"})
            self.assertEqual(len(texts(root, "TargetVersion")), 4)

    def test_the_solution_names_each_project_by_its_identifier(self):
        solution = (BUILD / "aerogpu.sln").read_text()
        for entry in make_projects.PROJECTS:
            guid, = texts(project(entry.name), "ProjectGuid")
            self.assertIn(f'"{entry.name}", "{entry.name}.vcxproj", "{guid}"', solution)
            self.assertEqual(solution.count(f"{guid}."), 8)


if __name__ == "__main__":
    unittest.main()
