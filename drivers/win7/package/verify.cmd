@echo off
rem SPDX-License-Identifier: MIT
rem verify.cmd checks an installed AeroGPU driver and changes nothing. Exit codes: 0 all is well; 1 it is not.
setlocal EnableExtensions DisableDelayedExpansion
set "here=%~dp0"
set "tools=%SystemRoot%\System32"
if exist "%SystemRoot%\Sysnative\cmd.exe" set "tools=%SystemRoot%\Sysnative"
set "arch=x86"
if /i "%PROCESSOR_ARCHITECTURE%"=="AMD64" set "arch=x64"
if /i "%PROCESSOR_ARCHITEW6432%"=="AMD64" set "arch=x64"
set "class=HKLM\SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}"
set "failures=0"

echo AeroGPU on Windows 7, %arch%
call :device
call :exists "%tools%\drivers\aerogpu.sys"
"%tools%\reg.exe" query "HKLM\SYSTEM\CurrentControlSet\Services\aerogpu" >nul 2>&1
call :report %errorlevel% "the service aerogpu is registered"

call :findkey
if not defined key (
  call :report 1 "the display class has a key with the hardware id of AeroGPU"
  goto end
)
call :report 0 "the display class has a key with the hardware id of AeroGPU"
call :value CapabilityOverride REG_DWORD 0x8
if "%arch%"=="x64" goto drivers_x64
if not exist "%here%x86\aerogpu_d3d9.dll" goto no_drivers
call :exists "%tools%\aerogpu_d3d9.dll"
call :value UserModeDriverName REG_MULTI_SZ aerogpu_d3d9.dll
call :value InstalledDisplayDrivers REG_MULTI_SZ aerogpu_d3d9
call :composition
goto tool

:drivers_x64
if not exist "%here%x64\aerogpu_d3d9_x64.dll" goto no_drivers
call :exists "%tools%\aerogpu_d3d9_x64.dll"
call :exists "%SystemRoot%\SysWOW64\aerogpu_d3d9.dll"
call :value UserModeDriverName REG_MULTI_SZ aerogpu_d3d9_x64.dll
call :value UserModeDriverNameWow REG_MULTI_SZ aerogpu_d3d9.dll
call :value InstalledDisplayDrivers REG_MULTI_SZ aerogpu_d3d9_x64\0aerogpu_d3d9
call :value InstalledDisplayDriversWow REG_MULTI_SZ aerogpu_d3d9
call :composition
goto tool

:no_drivers
echo         this package has no user-mode driver: Direct3D is not available
call :absent UserModeDriverName

:tool
if not exist "%here%aerogpu_dbgctl.exe" goto end
"%here%aerogpu_dbgctl.exe" query-device 2>nul | "%tools%\find.exe" "mmio_version" >nul
call :report %errorlevel% "the driver answers aerogpu_dbgctl"
"%here%aerogpu_dbgctl.exe" query-error >nul 2>&1
call :report %errorlevel% "the device reports no error"

:end
if "%failures%"=="0" (
  echo All is well.
  exit /b 0
)
echo %failures% checks failed; README.txt says what to try.
exit /b 1

:report
if "%~1"=="0" (
  echo PASS    %~2
) else (
  echo FAIL    %~2
  set /a failures+=1
)
exit /b 0

:exists
if exist "%~1" (call :report 0 "%~1 exists") else (call :report 1 "%~1 exists")
exit /b 0

:device
call :findcode
if not defined code (
  call :report 1 "the machine has the device"
  exit /b 0
)
call :report 0 "the machine has the device"
if "%code%"=="0" (
  call :report 0 "Device Manager has no problem code"
) else (
  call :report 1 "Device Manager has no problem code, it has %code%"
)
exit /b 0

rem The problem code of Device Manager, 0 for none, of a device that is there: the registry keeps
rem those that are gone.
:findcode
set "code="
for /f "tokens=2 delims==" %%c in ('%tools%\wbem\wmic.exe path Win32_PnPEntity where "DeviceID like '%%VEN_A3A0&DEV_0001%%'" get ConfigManagerErrorCode /value 2^>nul') do for /f %%d in ("%%c") do set "code=%%d"
exit /b 0

rem The class has one key for each adapter that ever was there: the newest of ours counts.
:findkey
set "key="
for /f "delims=" %%k in ('%tools%\reg.exe query "%class%" 2^>nul ^| "%tools%\findstr.exe" /r "\\[0-9][0-9][0-9][0-9]$"') do call :trykey "%%k"
exit /b 0

:trykey
"%tools%\reg.exe" query "%~1" /v MatchingDeviceId 2>nul | "%tools%\find.exe" /i "VEN_A3A0&DEV_0001" >nul
if "%errorlevel%"=="0" set "key=%~1"
exit /b 0

:value
set "line="
for /f "tokens=1,2*" %%a in ('%tools%\reg.exe query "%key%" /v %~1 2^>nul') do if /i "%%a"=="%~1" set "line=%%b %%c"
if /i "%line%"=="%~2 %~3" (
  call :report 0 "%~1 is %~3"
) else (
  call :report 1 "%~1 is %~2 %~3, it is '%line%'"
)
exit /b 0

rem No failure: Windows chooses by its own assessment, and this user by a theme.
:composition
"%tools%\reg.exe" query "HKCU\Software\Microsoft\Windows\DWM" /v Composition 2>nul | "%tools%\find.exe" "0x1" >nul
if not "%errorlevel%"=="0" echo         desktop composition is off for this user: run "winsat formal" elevated, or pick an Aero theme
call :event 9007 "the Desktop Window Manager's newest event is 9007: the driver lacks what it needs"
call :event 9016 "the Desktop Window Manager's newest event is 9016: the assessment is too low, see install.cmd /aero"
call :policy HKCU
call :policy HKLM
exit /b 0

:event
"%tools%\wevtutil.exe" qe Application "/q:*[System[Provider[@Name='Desktop Window Manager']]]" /c:1 /rd:true /f:xml 2>nul | "%tools%\find.exe" ">%~1<" >nul
if "%errorlevel%"=="0" echo         %~2
exit /b 0

:policy
set "policy=not set"
for /f "tokens=1,3" %%a in ('%tools%\reg.exe query "%~1\Software\Microsoft\Windows\DWM" /v CompositionPolicy 2^>nul') do if /i "%%a"=="CompositionPolicy" set "policy=%%b"
echo         CompositionPolicy of %~1: %policy%
exit /b 0

:absent
"%tools%\reg.exe" query "%key%" /v %~1 >nul 2>&1
if not "%errorlevel%"=="0" (call :report 0 "%~1 is not set") else (call :report 1 "%~1 is not set")
exit /b 0
