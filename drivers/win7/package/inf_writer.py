# SPDX-License-Identifier: MIT
"""Writes aerogpu.inf for one architecture, as kmd.md 4.1 says."""
import contents

REG_MULTI_SZ, REG_DWORD, REG_DWORD_NO_CLOBBER = 0x00010000, 0x00010001, 0x00010003
IN_USE_TRY_RENAME = 0x00004000  # A new version replaces a loaded DLL without a restart.
LISTS = {"native": "AeroGPU_CopyNative", "wow": "AeroGPU_CopyWow"}
# What an earlier package may have left there, perhaps as another type.
OWN_VALUES = ("UserModeDriverName", "UserModeDriverNameWow", "InstalledDisplayDrivers",
              "InstalledDisplayDriversWow", "FeatureScore")
STRINGS = {
    "Provider": "AeroGPU",
    "Device": "AeroGPU Display Adapter",
    "Service": "AeroGPU WDDM Miniport",
    "Disk": "AeroGPU Driver Disk",
}


def head(arch, version, date):
    return {
        "Version": ['Signature = "$Windows NT$"', "Class = Display",
                    "ClassGuid = {4d36e968-e325-11ce-bfc1-08002be10318}", "Provider = %Provider%",
                    f"DriverVer = {date:%m/%d/%Y},{version}",
                    f"CatalogFile = {contents.CATALOG}"],
        "ControlFlags": ["ExcludeFromSelect = *"],
        "Manufacturer": [f"%Provider% = AeroGPU_Models, {arch.decoration}.6.1"],
        f"AeroGPU_Models.{arch.decoration}.6.1":
            [f"%Device% = AeroGPU_Install, {contents.HARDWARE_ID}"],
    }


def install(arch, drivers):
    lists = ["AeroGPU_CopyMiniport"] + [LISTS[d.directory] for d in drivers]
    return {
        f"AeroGPU_Install.{arch.decoration}": [
            "FeatureScore = F6", f"CopyFiles = {', '.join(lists)}",
            "DelReg = AeroGPU_OldValues", "AddReg = AeroGPU_Values"],
        f"AeroGPU_Install.{arch.decoration}.Services":
            ["AddService = aerogpu, 0x00000002, AeroGPU_Service"],
        "AeroGPU_Service": [
            "DisplayName = %Service%", "ServiceType = 1", "StartType = 3", "ErrorControl = 0",
            "LoadOrderGroup = Video", rf"ServiceBinary = %12%\{contents.DRIVER}"],
    }


def files(arch, drivers):
    directories = {"native": "11", "wow": "10, SysWOW64"}
    names = [contents.DRIVER] + [d.name for d in drivers]
    sections = {
        "DestinationDirs": ["DefaultDestDir = 11", "AeroGPU_CopyMiniport = 12"] +
                           [f"{LISTS[d.directory]} = {directories[d.directory]}" for d in drivers],
        "SourceDisksNames": ["1 = %Disk%,,,"],
        f"SourceDisksFiles.{arch.source_files}": [f"{name} = 1" for name in names],
        "AeroGPU_CopyMiniport": [contents.DRIVER],
    }
    for driver in drivers:
        sections[LISTS[driver.directory]] = [f"{driver.name},,,0x{IN_USE_TRY_RENAME:08x}"]
    return sections


def strings_value(name, values):
    return f"HKR,,{name},0x{REG_MULTI_SZ:08x},{','.join(values)}"


def values(drivers):
    rows = []
    base_names = [d.name.removesuffix(".dll") for d in drivers]
    for suffix, directory in (("", "native"), ("Wow", "wow")):
        mine = [d.name for d in drivers if d.directory == directory]
        if not mine:
            continue
        rows.append(strings_value("UserModeDriverName" + suffix, mine))
        installed = [n.removesuffix(".dll") for n in mine] if suffix else base_names
        rows.append(strings_value("InstalledDisplayDrivers" + suffix, installed))
    rows.append(f"HKR,Parameters,NonLocalMemorySizeMB,0x{REG_DWORD_NO_CLOBBER:08x},512")
    rows.append(f"HKR,,CapabilityOverride,0x{REG_DWORD:08x},0x8")  # No OpenGL interoperation.
    return {"AeroGPU_OldValues": [f"HKR,,{name}" for name in OWN_VALUES], "AeroGPU_Values": rows}


def write_inf(arch, drivers, version, date):
    """The text of the INF; `drivers` are the user-mode drivers that the package has."""
    sections = {**head(arch, version, date), **install(arch, drivers), **files(arch, drivers),
                **values(drivers), "Strings": [f'{k} = "{v}"' for k, v in STRINGS.items()]}
    lines = [f"; AeroGPU display driver for Windows 7, {arch.name}."]
    for name, rows in sections.items():
        lines += ["", f"[{name}]", *rows]
    return "\r\n".join(lines) + "\r\n"
