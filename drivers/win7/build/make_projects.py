#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make the Visual Studio projects for people who have a kit, from Meson's lists of sources.

usage: make_projects.py [--check]

Writes aerogpu.sln, and a .vcxproj for each binary with what it needs, beside this script. --check
writes nothing and ends with 1 when a file is not what would be written. Nothing of this was ever built: see
docs/windows7.md.
"""
import dataclasses
import pathlib
import re
import sys
import uuid

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PLATFORMS = ("Win32", "x64")
CONFIGURATIONS = ("Debug", "Release")
CPP_PROJECT = "8BC9CEB8-8B4A-11D0-8D11-00A0C91BC942"  # What a solution calls C++ projects.


@dataclasses.dataclass(frozen=True)
class Project:
    name: str
    lists: dict  # By file of Meson's: matches the variables that hold files(...).
    defines: tuple[str, ...]
    properties: dict  # Of each configuration, before Microsoft.Cpp.props.
    exports: str = ""  # Of a DLL: its list of names.

    def guid(self):
        return str(uuid.uuid5(uuid.NAMESPACE_URL, "aerogpu/" + self.name)).upper()

    def sources(self):
        """Paths below the root, as Meson lists them."""
        return [source for meson, lists in self.lists.items()
                for source in listed_sources(meson, lists)]

    def binary(self, platform):
        """The image's name without its ending."""
        return self.name + ("_x64" if self.exports and platform == "x64" else "")


def listed_sources(meson, lists):
    text = (ROOT / meson).read_text()
    folder = pathlib.PurePosixPath(meson).parent
    found = re.findall(rf"^\s*(?:{lists}) \+?= files\((.*?)\)", text, re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit(f"make_projects: {meson} has no list {lists}")
    return [str(folder / name) for listed in found for name in re.findall(r"'([^']+)'", listed)]


UMD = "drivers/win7/umd/d3d9"
PROJECTS = [
    Project("aerogpu", {"drivers/win7/kmd/meson.build": r"win7_kmd_\w*sources"},
            ("_WIN32_WINNT=0x0601", "NTDDI_VERSION=0x06010000", "NOMINMAX"),
            {"ConfigurationType": "Driver", "DriverType": "WDM", "TargetVersion": "Windows7",
             "PlatformToolset": "WindowsKernelModeDriver10.0"}),
    Project("aerogpu_d3d9",
            {f"{UMD}/meson.build": r"umd_d3d9_(?!native_)\w+_sources",
             f"{UMD}/windows/meson.build": "umd_d3d9_windows_sources"},
            ("_WIN32_WINNT=0x0601", "WINVER=0x0601", "NOMINMAX", "AEROGPU_DDI_USER_MODE"),
            {"ConfigurationType": "DynamicLibrary", "TargetVersion": "Windows7",
             "PlatformToolset": "WindowsApplicationForDrivers10.0"},
            exports=f"{UMD}/windows/exports.txt"),
]


def export_lines(project, platform):
    """A module definition: names of x86 alone are those that the compiler decorates."""
    rows = [line.split("#")[0].split() for line in (ROOT / project.exports).read_text().split("\n")]
    decorated = {row[0][1:].split("@")[0]: row[0] for row in rows if row[1:] == ["x86"]}
    yield f"LIBRARY {project.binary(platform)}"
    yield "EXPORTS"
    for row in rows:
        if not row:
            continue
        if platform == "x64":
            if len(row) == 1:
                yield f"  {row[0]}"
            continue
        yield f"  {row[0]}={row[0] if len(row) > 1 else decorated[row[0]]}"


def condition(configuration, platform):
    return f"'$(Configuration)|$(Platform)'=='{configuration}|{platform}'"


def pairs():
    return [(c, p) for c in CONFIGURATIONS for p in PLATFORMS]


def configuration_groups(project):
    for configuration, platform in pairs():
        yield (f'  <PropertyGroup Condition="{condition(configuration, platform)}" '
               'Label="Configuration">')
        for name, value in project.properties.items():
            yield f"    <{name}>{value}</{name}>"
        yield f"    <UseDebugLibraries>{str(configuration == 'Debug').lower()}</UseDebugLibraries>"
        yield "  </PropertyGroup>"


def target_names(project):
    if not project.exports:
        return
    yield "  <PropertyGroup>"
    for platform in PLATFORMS:
        yield (f"    <TargetName Condition=\"'$(Platform)'=='{platform}'\">"
               f"{project.binary(platform)}</TargetName>")
    yield "  </PropertyGroup>"


def compile_settings(project):
    includes = ("$(AeroGpuRoot)include", "$(AeroGpuRoot)")
    defines = [*project.defines, "$(AeroGpuKitDefine)", "%(PreprocessorDefinitions)"]
    settings = {
        "LanguageStandard": "stdcpp20",
        "ExceptionHandling": "false",
        "RuntimeTypeInfo": "false",
        "WarningLevel": "Level4",
        "AdditionalOptions": "/Zc:threadSafeInit- /Zc:__cplusplus %(AdditionalOptions)",
        "AdditionalIncludeDirectories": ";".join([*includes, "%(AdditionalIncludeDirectories)"]),
        "PreprocessorDefinitions": ";".join(defines),
    }
    yield "  <ItemDefinitionGroup>"
    yield "    <ClCompile>"
    for name, value in settings.items():
        yield f"      <{name}>{value}</{name}>"
    yield "    </ClCompile>"
    if project.exports:
        yield from link_settings(project)
    yield "  </ItemDefinitionGroup>"


def link_settings(project):
    """The image's own entry, so that there is no C run-time to start, and its exports."""
    yield "    <Link>"
    for platform in PLATFORMS:
        yield (f"      <ModuleDefinitionFile Condition=\"'$(Platform)'=='{platform}'\">"
               f"$(MSBuildThisFileDirectory){project.binary(platform)}.def</ModuleDefinitionFile>")
    yield "      <EntryPointSymbol>DllMainCRTStartup</EntryPointSymbol>"
    yield ("      <AdditionalDependencies>kernel32.lib;user32.lib;gdi32.lib;advapi32.lib;"
           "%(AdditionalDependencies)</AdditionalDependencies>")
    yield "    </Link>"


def source_lines(project):
    """Objects lie in one folder: a name that two sources have gets their last two folders in front."""
    sources = [pathlib.PurePosixPath(source) for source in project.sources()]
    stems = [source.stem for source in sources]
    for source in sources:
        windows = str(source).replace("/", "\\")
        if stems.count(source.stem) == 1:
            yield f'    <ClCompile Include="$(AeroGpuRoot){windows}" />'
            continue
        yield f'    <ClCompile Include="$(AeroGpuRoot){windows}">'
        rooms = "_".join(source.parts[-3:-1])
        yield f"      <ObjectFileName>$(IntDir){rooms}_{source.stem}.obj</ObjectFileName>"
        yield "    </ClCompile>"


def project_lines(project):
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield "<!-- Made by make_projects.py; ./dev docs makes it again. -->"
    yield ('<Project DefaultTargets="Build" '
           'xmlns="http://schemas.microsoft.com/developer/msbuild/2003">')
    yield '  <ItemGroup Label="ProjectConfigurations">'
    for configuration, platform in pairs():
        yield f'    <ProjectConfiguration Include="{configuration}|{platform}">'
        yield f"      <Configuration>{configuration}</Configuration>"
        yield f"      <Platform>{platform}</Platform>"
        yield "    </ProjectConfiguration>"
    yield "  </ItemGroup>"
    yield '  <PropertyGroup Label="Globals">'
    yield f"    <ProjectGuid>{{{project.guid()}}}</ProjectGuid>"
    yield f"    <RootNamespace>{project.name}</RootNamespace>"
    yield r"    <AeroGpuRoot>$(MSBuildThisFileDirectory)..\..\..\</AeroGpuRoot>"
    yield ("    <AeroGpuKitDefine Condition=\"'$(AeroGpuUseWdkHeaders)'=='1'\">"
           "AEROGPU_WITH_WDK</AeroGpuKitDefine>")
    yield "  </PropertyGroup>"
    yield r'  <Import Project="$(VCTargetsPath)\Microsoft.Cpp.Default.props" />'
    yield from configuration_groups(project)
    yield r'  <Import Project="$(VCTargetsPath)\Microsoft.Cpp.props" />'
    yield from target_names(project)
    yield from compile_settings(project)
    yield "  <ItemGroup>"
    yield from source_lines(project)
    yield "  </ItemGroup>"
    yield r'  <Import Project="$(VCTargetsPath)\Microsoft.Cpp.targets" />'
    yield "</Project>"


def solution_lines():
    yield "Microsoft Visual Studio Solution File, Format Version 12.00"
    yield "# Visual Studio Version 16"
    for project in PROJECTS:
        yield (f'Project("{{{CPP_PROJECT}}}") = "{project.name}", "{project.name}.vcxproj", '
               f'"{{{project.guid()}}}"')
        yield "EndProject"
    yield "Global"
    yield "\tGlobalSection(SolutionConfigurationPlatforms) = preSolution"
    for configuration, platform in pairs():
        yield f"\t\t{configuration}|{platform} = {configuration}|{platform}"
    yield "\tEndGlobalSection"
    yield "\tGlobalSection(ProjectConfigurationPlatforms) = postSolution"
    for project in PROJECTS:
        for configuration, platform in pairs():
            pair = f"{configuration}|{platform}"
            yield f"\t\t{{{project.guid()}}}.{pair}.ActiveCfg = {pair}"
            yield f"\t\t{{{project.guid()}}}.{pair}.Build.0 = {pair}"
    yield "\tEndGlobalSection"
    yield "EndGlobal"


def files():
    """What lies beside this script, by name."""
    made = {f"{p.name}.vcxproj": "\n".join(project_lines(p)) + "\n" for p in PROJECTS}
    made |= {f"{p.binary(platform)}.def": "\n".join(export_lines(p, platform)) + "\n"
             for p in PROJECTS if p.exports for platform in PLATFORMS}
    return {"aerogpu.sln": "\n".join(solution_lines()) + "\n", **made}


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    stale = [name for name, text in files().items()
             if not (HERE / name).exists() or (HERE / name).read_text() != text]
    if sys.argv[1:] == ["--check"]:
        if stale:
            sys.exit(f"{', '.join(stale)}: not up to date; run drivers/win7/build/make_projects.py")
        return
    for name, text in files().items():
        (HERE / name).write_text(text)
        print(f"drivers/win7/build/{name}")


if __name__ == "__main__":
    main()
