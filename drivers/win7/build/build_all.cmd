@echo off
rem SPDX-License-Identifier: MIT
rem Builds the AeroGPU drivers with Visual Studio 2019 16.11 and a kit that still knows Windows 7
rem (10.0.19041). Arguments go to MSBuild: /p:AeroGpuUseWdkHeaders=1 takes the kit's headers.
setlocal EnableExtensions DisableDelayedExpansion
set "here=%~dp0"
set "vswhere=%ProgramFiles(x86)%\Microsoft Visual Studio\Installer\vswhere.exe"
if not exist "%vswhere%" (
  echo build_all: Visual Studio is not installed.
  exit /b 1
)
set "msbuild="
for /f "usebackq delims=" %%m in (`"%vswhere%" -latest -requires Microsoft.Component.MSBuild -find MSBuild\**\Bin\MSBuild.exe`) do set "msbuild=%%m"
if not defined msbuild (
  echo build_all: this Visual Studio has no MSBuild.
  exit /b 1
)
for %%p in (Win32 x64) do (
  "%msbuild%" "%here%aerogpu.sln" /m /p:Configuration=Release /p:Platform=%%p %*
  if errorlevel 1 exit /b 1
)
echo Built for Win32 and x64.
