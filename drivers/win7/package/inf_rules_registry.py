# SPDX-License-Identifier: MIT
"""Rules about what the INF writes to the adapter's software key."""
STRING_LIST, NUMBER, NUMBER_NO_CLOBBER = "0x00010000", "0x00010001", "0x00010003"
NUMBERS = {("Parameters", "NonLocalMemorySizeMB"): (NUMBER_NO_CLOBBER, ("512",)),
           ("", "CapabilityOverride"): (NUMBER, ("0x8",))}
# With user-mode drivers, of Direct3D 9 alone: a list's index 0.
DRIVER_LISTS = {
    "x86": {("", "UserModeDriverName"): (STRING_LIST, ("aerogpu_d3d9.dll",)),
            ("", "InstalledDisplayDrivers"): (STRING_LIST, ("aerogpu_d3d9",))},
    "x64": {("", "UserModeDriverName"): (STRING_LIST, ("aerogpu_d3d9_x64.dll",)),
            ("", "UserModeDriverNameWow"): (STRING_LIST, ("aerogpu_d3d9.dll",)),
            ("", "InstalledDisplayDrivers"):
                (STRING_LIST, ("aerogpu_d3d9_x64", "aerogpu_d3d9")),
            ("", "InstalledDisplayDriversWow"): (STRING_LIST, ("aerogpu_d3d9",))},
}
STALE = {"UserModeDriverName", "UserModeDriverNameWow", "InstalledDisplayDrivers",
         "InstalledDisplayDriversWow", "FeatureScore"}


def added(package):
    return [row for name in package.install_values("AddReg") for row in package.inf.rows(name)]


def software_key(package):
    """HKR of a DDInstall section; an XP-style SoftwareSettings section ends elsewhere."""
    for name in package.inf.sections:
        if name.endswith("softwaresettings"):
            yield f"[{package.inf.names[name]}] ends where nothing looks"
    for row in added(package):
        if row.values[0].upper() != "HKR":
            yield f"line {row.line} writes to {row.values[0]}, not to HKR"


def expected_values(package):
    has_user_mode = any(n.endswith(".dll") for n in package.copied_names())
    return NUMBERS | (DRIVER_LISTS[package.arch] if has_user_mode else {})


def registry_values(package):
    """Name, type and data of each value: a text where a list belongs is not found by Direct3D."""
    found = {}
    for row in added(package):
        fields = row.values + ("",) * 4
        key = (fields[1], fields[2])
        if key in found:
            yield f"line {row.line} writes {key[1]} a second time"
        found[key] = (fields[3], row.values[4:])
    expected = expected_values(package)
    for key in sorted(set(found) | set(expected)):
        name = "\\".join(part for part in key if part)
        if key not in found:
            yield f"{name} is not written"
        elif key not in expected:
            yield f"{name} has no place in this package"
        elif found[key][0] != expected[key][0]:
            yield f"{name} has the type {found[key][0]}, not {expected[key][0]}"
        elif found[key][1] != expected[key][1]:
            yield f"{name} is {found[key][1]}, not {expected[key][1]}"


def stale_values(package):
    """What an earlier package left goes first, whatever its type was."""
    deleted = {(row.values + ("", "", ""))[2] for name in package.install_values("DelReg")
               for row in package.inf.rows(name) if row.values[0].upper() == "HKR"}
    for name in sorted(STALE - deleted):
        yield f"an earlier {name} is not deleted"
    for name in sorted(deleted - STALE):
        yield f"{name} is deleted, and is not ours"


RULES = [software_key, registry_values, stale_values]
