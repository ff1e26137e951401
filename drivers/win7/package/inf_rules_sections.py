# SPDX-License-Identifier: MIT
"""Rules about the INF's sections: names, decorations, directives, references, strings."""
import datetime
import re

from driver_version import fault_of

CLASS_GUID = "{4d36e968-e325-11ce-bfc1-08002be10318}"
LEGAL_DECORATIONS = {"nt", "ntx86", "ntia64", "ntamd64"}
BELOW_INSTALL = {"services", "hw", "coinstallers", "generalconfigdata", "components", "wmi",
                 "softwaresettings", "factdef", "logconfigoverride", "opengl"}
HARDWARE_ID = r"PCI\VEN_A3A0&DEV_0001"
SERVICE = {"ServiceType": "1", "StartType": "3", "ErrorControl": "0", "LoadOrderGroup": "Video",
           "ServiceBinary": r"%12%\aerogpu.sys"}


def expect(inf, section, expected):
    for key, value in expected.items():
        found = ", ".join(inf.find(section, key))
        if found.lower() != value.lower():
            yield f"[{section}] {key} is '{found}', not '{value}'"


def text_form(package):
    if not package.bytes.isascii():
        yield "it holds characters beyond ASCII"
    if package.bytes.count(b"\n") != package.bytes.count(b"\r\n"):
        yield "a line ends without CR LF"
    yield from package.inf.problems


def version_section(package):
    inf = package.inf
    yield from expect(inf, "Version", {"Signature": "$Windows NT$", "Class": "Display",
                                       "ClassGuid": CLASS_GUID, "Provider": "AeroGPU",
                                       "CatalogFile": "aerogpu.cat"})
    date, version = (inf.find("Version", "DriverVer") + ("", ""))[:2]
    if fault_of(version):
        yield f"DriverVer's version {fault_of(version)}"
    try:
        datetime.datetime.strptime(date, "%m/%d/%Y")
    except ValueError:
        yield f"DriverVer's date '{date}' is no mm/dd/yyyy"


def control_flags(package):
    yield from expect(package.inf, "ControlFlags", {"ExcludeFromSelect": "*"})


def manufacturer(package):
    rows = package.inf.rows("Manufacturer")
    if len(rows) != 1:
        yield f"[Manufacturer] has {len(rows)} rows, not one"
        return
    if rows[0].values[1:] != (f"{package.decoration}.6.1",):
        yield f"[Manufacturer] serves {rows[0].values[1:]}, not {package.decoration}.6.1 alone"


def models(package):
    section = f"{package.models_name()}.{package.decoration}.6.1"
    rows = package.inf.rows(section)
    if len(rows) != 1:
        yield f"[{section}] has {len(rows)} models, not one"
        return
    if package.inf.resolve(rows[0].key or "") != "AeroGPU Display Adapter":
        yield f"the device's name is '{package.inf.resolve(rows[0].key or '')}'"
    if rows[0].values[1:] != (HARDWARE_ID,):
        yield f"the model serves {rows[0].values[1:]}, not {HARDWARE_ID}"


def undecorated_names(package):
    """Setup puts decorations behind a dot: the names themselves have none."""
    for name in (package.models_name(), package.install_name()):
        if "." in name:
            yield f"'{name}' has a dot of its own"


def install_decorations(package):
    """Setup looks for .nt, .ntx86, .ntia64 and .ntamd64; it never finds .NTx86.6.1 or another."""
    prefix = package.install_name().lower() + "."
    for name in package.inf.sections:
        if not name.startswith(prefix):
            continue
        decoration, *rest = name.removeprefix(prefix).split(".")
        if decoration not in LEGAL_DECORATIONS:
            yield f"[{package.inf.names[name]}] has a decoration that setup never looks for"
        elif len(rest) > 1 or (rest and rest[0] not in BELOW_INSTALL):
            yield f"[{package.inf.names[name]}] is no section that setup looks for"
    if not package.inf.has(package.install):
        yield f"there is no section [{package.install}]"


def feature_score(package):
    """A directive: lower wins, F6 is a vendor's WDDM driver; setup reports an error without it."""
    found = package.inf.find(package.install, "FeatureScore")
    if found != ("F6",):
        yield f"FeatureScore is {found}, not F6"


def install_directives(package):
    for directive in ("CopyFiles", "AddReg", "DelReg"):
        if not package.install_values(directive):
            yield f"[{package.install}] has no {directive}"


def services(package):
    section = package.install + ".Services"
    values = package.inf.find(section, "AddService")
    if values[:2] != ("aerogpu", "0x00000002") or len(values) != 3:
        yield f"[{section}] AddService is {values}"
        return
    yield from expect(package.inf, values[2], SERVICE)
    yield from expect(package.inf, values[2], {"DisplayName": "AeroGPU WDDM Miniport"})


def known_sections(package):
    """What setup reads by itself, and then what those sections name."""
    named = {"version", "controlflags", "manufacturer", "destinationdirs", "sourcedisksnames",
             "strings", f"{package.models_name()}.{package.decoration}.6.1".lower(),
             "sourcedisksfiles." + {"x86": "x86", "x64": "amd64"}[package.arch],
             package.install.lower(), package.install.lower() + ".services"}
    for directive in ("CopyFiles", "AddReg", "DelReg"):
        named |= {v.lower() for v in package.install_values(directive)}
    service = package.inf.find(package.install + ".Services", "AddService")
    return named | {v.lower() for v in service[2:3]}


def references(package):
    named = known_sections(package)
    for name in sorted(named - set(package.inf.sections)):
        yield f"there is no section [{name}], which another one names"
    for name in sorted(set(package.inf.sections) - named):
        yield f"nothing reads [{package.inf.names[name]}]"


def strings(package):
    used = set()
    for section, rows in package.inf.sections.items():
        if section == "strings":
            continue
        for row in rows:
            for text in (row.key or "", *row.values):
                used |= {n.lower() for n in re.findall(r"%([^%]+)%", text) if not n.isdecimal()}
    for name in sorted(used - set(package.inf.strings)):
        yield f"%{name}% is not in [Strings]"
    for name in sorted(set(package.inf.strings) - used):
        yield f"nothing uses the string {name}"


RULES = [text_form, version_section, control_flags, manufacturer, models, undecorated_names,
         install_decorations, feature_score, install_directives, services, references, strings]
