# SPDX-License-Identifier: MIT
"""The INFs that we write have no finding, and each rule finds what it is there for."""
import pathlib
import tempfile
import unittest

import fake_binaries
import inf_lint

# Rule, architecture, what is replaced, by what. The text must be there: the test says so.
WRONG_INFS = [
    ("text_form", "x64", "AeroGPU display driver", "AeroGPU\u00ae display driver"),
    ("text_form", "x64", "[ControlFlags]\r\n", "[ControlFlags]\n"),
    ("text_form", "x64", "[ControlFlags]", "[Version]\r\n[ControlFlags]"),
    ("text_form", "x64", "[ControlFlags]", "[ControlFlags"),
    ("text_form", "x64", "[Version]", "Class = Net\r\n[Version]"),
    ("version_section", "x64", "$Windows NT$", "$Chicago$"),
    ("version_section", "x64", "Class = Display", "Class = Net"),
    ("version_section", "x64", "be10318}", "be10319}"),
    ("version_section", "x64", "CatalogFile = aerogpu.cat\r\n", ""),
    ("version_section", "x64", "01/01/2025,", "2025-01-01,"),
    ("version_section", "x64", "01/01/2025,", "13/01/2025,"),
    ("version_section", "x64", ",8.14.1.100", ",8.14.1"),
    ("version_section", "x64", ",8.14.1.100", ",0.1.0.0"),
    ("version_section", "x64", ",8.14.1.100", ",8.15.1.100"),
    ("version_section", "x64", ",8.14.1.100", ",8.14.0.100"),
    ("version_section", "x64", ",8.14.1.100", ",8.14.1.10000"),
    ("version_section", "x64", 'Provider = "AeroGPU"', 'Provider = "Another"'),
    ("control_flags", "x64", "ExcludeFromSelect = *", "ExcludeFromSelect = x"),
    ("manufacturer", "x64", "AeroGPU_Models, NTamd64.6.1", "AeroGPU_Models, NTamd64"),
    ("manufacturer", "x64", "AeroGPU_Models, NTamd64.6.1",
     "AeroGPU_Models, NTx86.6.1, NTamd64.6.1"),
    ("models", "x86", "DEV_0001", "DEV_0002"),
    ("models", "x86", "Display Adapter", "Card"),
    ("undecorated_names", "x86", "= AeroGPU_Install,", "= AeroGPU.Install,"),
    ("undecorated_names", "x86", "= AeroGPU_Models,", "= AeroGPU.Models,"),
    # What the reference's INFs look like: setup finds none of their install sections.
    ("install_decorations", "x86", "[AeroGPU_Install.NTx86]", "[AeroGPU_Install.NTx86.6.1]"),
    ("install_decorations", "x64", "[AeroGPU_Install.NTamd64.Services]",
     "[AeroGPU_Install.NTamd64.6.1.Services]"),
    ("install_decorations", "x64", "[AeroGPU_Install.NTamd64.Services]",
     "[AeroGPU_Install.NTamd64.Service]"),
    ("feature_score", "x64", "FeatureScore = F6\r\n", ""),
    ("feature_score", "x64", "FeatureScore = F6", "FeatureScore = FF"),
    ("install_directives", "x64", "AddReg = AeroGPU_Values\r\n", ""),
    ("install_directives", "x64", "DelReg = AeroGPU_OldValues\r\n", ""),
    ("services", "x64", "0x00000002, AeroGPU_Service", "0x00000000, AeroGPU_Service"),
    ("services", "x64", "ServiceType = 1", "ServiceType = 2"),
    ("services", "x64", "StartType = 3", "StartType = 0"),
    ("services", "x64", "ErrorControl = 0", "ErrorControl = 1"),
    ("services", "x64", "LoadOrderGroup = Video", "LoadOrderGroup = Base"),
    ("services", "x64", r"%12%\aerogpu.sys", r"%11%\aerogpu.sys"),
    ("services", "x64", "WDDM Miniport", "Miniport"),
    ("references", "x64", "AddReg = AeroGPU_Values", "AddReg = AeroGPU_Value"),
    ("references", "x64", "[Strings]", "[Unread]\r\nx = 1\r\n[Strings]"),
    ("strings", "x64", "DisplayName = %Service%", "DisplayName = %Servce%"),
    ("strings", "x64", "DisplayName = %Service%", "DisplayName = AeroGPU"),
    ("destinations", "x64", "DefaultDestDir = 11", "DefaultDestDir = 12"),
    ("destinations", "x64", "AeroGPU_CopyMiniport = 12", "AeroGPU_CopyMiniport = 11"),
    ("destinations", "x64", "10, SysWOW64", "11"),
    ("destinations", "x64", "aerogpu.sys\r\n\r\n[AeroGPU_CopyNative]",
     "aerogpu.sys\r\naerogpu_d3d10.dll\r\n\r\n[AeroGPU_CopyNative]"),
    ("copy_flags", "x64", "aerogpu_d3d9.dll,,,0x00004000", "aerogpu_d3d9.dll"),
    ("copy_flags", "x64", "[AeroGPU_CopyMiniport]\r\naerogpu.sys",
     "[AeroGPU_CopyMiniport]\r\naerogpu.sys,,,0x00004000"),
    ("source_disks", "x64", "1 = %Disk%,,,", "1 = %Disk%,,,\r\n2 = %Disk%,,,"),
    ("source_disks", "x64", "aerogpu_d3d9.dll = 1\r\n", ""),
    ("source_disks", "x64", "aerogpu_d3d9.dll = 1", "aerogpu_d3d9.dll = 2"),
    ("driver_present", "x64", "CopyFiles = AeroGPU_CopyMiniport, ", "CopyFiles = "),
    ("driver_present", "x64", ", AeroGPU_CopyWow", ""),
    ("software_key", "x64", "HKR,,CapabilityOverride", "HKLM,,CapabilityOverride"),
    ("software_key", "x64", "[Strings]", "[AeroGPU_Install.NTamd64.SoftwareSettings]\r\n[Strings]"),
    # REG_SZ, which the reference writes, is not what the runtime reads.
    ("registry_values", "x64", "UserModeDriverName,0x00010000", "UserModeDriverName,0x00000000"),
    ("registry_values", "x64", "UserModeDriverNameWow,0x00010000",
     "UserModeDriverNameWow,0x00000000"),
    ("registry_values", "x86", "InstalledDisplayDrivers,0x00010000,aerogpu_d3d9",
     "InstalledDisplayDrivers,0x00010000,aerogpu_d3d9.dll"),
    ("registry_values", "x64", "aerogpu_d3d9_x64,aerogpu_d3d9\r\n", "aerogpu_d3d9_x64\r\n"),
    ("registry_values", "x64", "HKR,,InstalledDisplayDriversWow,0x00010000,aerogpu_d3d9\r\n", ""),
    ("registry_values", "x64", "UserModeDriverName,0x00010000,aerogpu_d3d9_x64.dll",
     "UserModeDriverName,0x00010000,aerogpu_d3d10_x64.dll,aerogpu_d3d9_x64.dll"),
    ("registry_values", "x64", "NonLocalMemorySizeMB,0x00010003",
     "NonLocalMemorySizeMB,0x00010001"),
    ("registry_values", "x64", "CapabilityOverride,0x00010001,0x8",
     "CapabilityOverride,0x00010001,0x0"),
    ("registry_values", "x64", "HKR,,CapabilityOverride",
     "HKR,,FeatureScore,0x00010001,0xf8\r\nHKR,,CapabilityOverride"),
    ("registry_values", "x64", "HKR,,CapabilityOverride",
     "HKR,,CapabilityOverride,0x00010001,0x8\r\nHKR,,CapabilityOverride"),
    ("stale_values", "x64", "HKR,,FeatureScore\r\n", ""),
    ("stale_values", "x64", "HKR,,FeatureScore\r\n", "HKR,,FeatureScore\r\nHKR,,DriverDesc\r\n"),
    # Catalogues are made before the INF changes here.
    ("catalogue_members", "x64", "ErrorControl = 0", "ErrorControl = 1"),
]
# Rule, what happens to the folder of an x64 package.
WRONG_FOLDERS = [
    ("folder_contents", lambda f: (f / "aerogpu_d3d9.dll").unlink()),
    ("folder_contents", lambda f: (f / "aerogpu.cat").unlink()),
    ("folder_contents", lambda f: (f / "notes.txt").write_text("x")),
    ("file_machines",
     lambda f: (f / "aerogpu.sys").write_bytes(fake_binaries.pe_file("x86"))),
    ("file_machines",
     lambda f: (f / "aerogpu_d3d9.dll").write_bytes(fake_binaries.pe_file("x64"))),
    ("file_machines", lambda f: (f / "aerogpu.sys").write_text("no program")),
    ("catalogue_members",
     lambda f: (f / "aerogpu.sys").write_bytes(fake_binaries.pe_file("x64", b"changed"))),
]


class Lint(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def test_our_own_packages_have_no_finding(self):
        for arch in ("x86", "x64"):
            for user_mode in (False, True):
                name = f"{arch}-{user_mode}"
                folder = fake_binaries.unsigned_folder(self.folder / name, arch, user_mode)
                self.assertEqual(inf_lint.lint(folder, arch), [], name)

    def test_each_wrong_inf_is_found_by_its_rule(self):
        for number, (rule, arch, old, new) in enumerate(WRONG_INFS):
            folder = fake_binaries.unsigned_folder(self.folder / str(number), arch, True)
            text = (folder / "aerogpu.inf").read_bytes().decode("ascii")
            self.assertIn(old, text, rule)
            (folder / "aerogpu.inf").write_bytes(text.replace(old, new, 1).encode("latin-1"))
            self.assertIn(rule, {r for r, _ in inf_lint.lint(folder, arch)}, (rule, old))

    def test_each_wrong_folder_is_found_by_its_rule(self):
        for number, (rule, spoil) in enumerate(WRONG_FOLDERS):
            folder = fake_binaries.unsigned_folder(self.folder / str(number), "x64", True)
            spoil(folder)
            self.assertIn(rule, {r for r, _ in inf_lint.lint(folder, "x64")}, number)

    def test_a_catalogue_lists_the_files_and_nothing_else(self):
        folder = fake_binaries.unsigned_folder(self.folder / "more", "x64", True)
        (folder / "extra.dll").write_bytes(fake_binaries.pe_file("x64", b"extra"))
        fake_binaries.write_catalogue(folder)
        (folder / "extra.dll").unlink()
        self.assertEqual([r for r, _ in inf_lint.lint(folder, "x64")], ["catalogue_members"])

    def test_a_package_without_user_mode_drivers_writes_no_names_of_them(self):
        folder = fake_binaries.unsigned_folder(self.folder / "none", "x64", False)
        path = folder / "aerogpu.inf"
        path.write_bytes(path.read_bytes().replace(
            b"HKR,,Cap", b"HKR,,UserModeDriverName,0x00010000,aerogpu_d3d9_x64.dll\r\nHKR,,Cap"))
        self.assertIn("registry_values", {r for r, _ in inf_lint.lint(folder, "x64")})

    def test_every_rule_has_a_wrong_package(self):
        tested = {row[0] for row in WRONG_INFS + WRONG_FOLDERS}
        self.assertEqual({rule.__name__ for rule in inf_lint.RULES} - tested, set())


if __name__ == "__main__":
    unittest.main()
