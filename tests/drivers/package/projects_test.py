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
MINGW_ALONE = {"NOMINMAX"}


def project(name):
    return xml.parse(BUILD / f"{name}.vcxproj").getroot()


def texts(root, name):
    return [e.text for e in root.iter(NAMESPACE + name)]


def cross_build_texts():
    """What says how mingw compiles the driver."""
    kmd = ROOT / "drivers/win7/kmd"
    return "\n".join(p.read_text() for p in [*(ROOT / "drivers/win7/cross").iterdir(),
                                             kmd / "meson.build", kmd / "windows/meson.build"])


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
        included = {e.get("Include").replace("$(AeroGpuRoot)", "").replace("\\", "/")
                    for e in project("aerogpu").iter(NAMESPACE + "ClCompile") if e.get("Include")}
        for source in included:
            self.assertTrue((ROOT / source).exists(), source)
        meson = (ROOT / "drivers/win7/kmd/meson.build").read_text()
        listed = set(re.findall(r"'([\w/]+\.cpp)'", meson))
        self.assertEqual({s.removeprefix("drivers/win7/kmd/") for s in included}, listed)

    def test_defines_are_those_of_the_cross_build(self):
        defines = set(texts(project("aerogpu"), "PreprocessorDefinitions")[0].split(";"))
        mingw = set(re.findall(r"-D(\w+(?:=\w+)?)", cross_build_texts())) - MINGW_ALONE
        self.assertIn("_WIN32_WINNT=0x0601", mingw)
        self.assertEqual(mingw - defines, set())

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
