@echo off
rem SPDX-License-Identifier: MIT
rem Installs the AeroGPU display driver on Windows 7 SP1, x86 or x64.
setlocal EnableExtensions DisableDelayedExpansion
set "here=%~dp0"

rem A 32-bit shell on x64 sees the tools of the system under Sysnative alone.
set "tools=%SystemRoot%\System32"
if exist "%SystemRoot%\Sysnative\cmd.exe" set "tools=%SystemRoot%\Sysnative"
set "arch=x86"
if /i "%PROCESSOR_ARCHITECTURE%"=="AMD64" set "arch=x64"
if /i "%PROCESSOR_ARCHITEW6432%"=="AMD64" set "arch=x64"
set "package=%here%%arch%"

if "%~1"=="" goto check
if /i "%~1"=="/testsigning" goto check
if /i "%~1"=="/aero" goto check
echo usage: install.cmd [/testsigning or /aero]
echo.
echo   /testsigning   switch test signing on when it is off, which x64 needs, and end:
echo                  restart, then run install.cmd again
echo   /aero          once the driver runs: have Windows compose this user's desktop whatever its
echo                  assessment of video memory says, and end. README.txt says more
echo.
echo Exit codes: 0 installed; 1 it failed; 2 wrong usage; 3 test signing is off;
echo             4 not an administrator; 5 in the store, another driver stays in use
exit /b 2

:check
"%tools%\fsutil.exe" dirty query %SystemDrive% >nul 2>&1
if not "%errorlevel%"=="0" (
  echo install: this needs an administrator: start cmd as administrator and run this there.
  exit /b 4
)
if /i "%~1"=="/aero" goto aero
if not exist "%package%\aerogpu.inf" (
  echo install: "%package%\aerogpu.inf" is missing: run this from the whole package.
  exit /b 1
)
if "%arch%"=="x86" goto trust
"%tools%\reg.exe" query "HKLM\SYSTEM\CurrentControlSet\Control" /v SystemStartOptions 2>nul | "%tools%\find.exe" /i "TESTSIGNING" >nul
if "%errorlevel%"=="0" goto trust
if /i "%~1"=="/testsigning" goto switch
echo install: Windows started without test signing, and would refuse the driver with code 52.
echo          Run "install.cmd /testsigning", restart, and run install.cmd again.
exit /b 3

:switch
"%tools%\bcdedit.exe" /set testsigning on
if not "%errorlevel%"=="0" (
  echo install: test signing could not be switched on; with Secure Boot on it cannot be.
  exit /b 1
)
echo install: test signing is on from the next start. Restart, then run install.cmd again.
exit /b 3

:trust
echo Trusting the test certificate ...
"%tools%\certutil.exe" -f -addstore Root "%here%aerogpu_test.cer" >nul
if not "%errorlevel%"=="0" goto untrusted
"%tools%\certutil.exe" -f -addstore TrustedPublisher "%here%aerogpu_test.cer" >nul
if not "%errorlevel%"=="0" goto untrusted

echo Installing "%package%\aerogpu.inf" ...
"%tools%\pnputil.exe" -i -a "%package%\aerogpu.inf"
set "result=%errorlevel%"
rem 259: in the store, and no device took it now. 3010: done, after a restart.
if "%result%"=="0" goto installed
if "%result%"=="3010" goto installed
if "%result%"=="259" goto stored
echo install: pnputil ended with %result%; "%SystemRoot%\inf\setupapi.dev.log" says why.
exit /b 1

:installed
echo Installed. Restart Windows, then run verify.cmd.
exit /b 0

:stored
call :findcode
if not defined code (
  echo The driver is in the store, but this machine has no AeroGPU ^(PCI\VEN_A3A0^&DEV_0001^).
  exit /b 1
)
echo The driver is in the store, and for Windows no newer than the one in use, which stays.
echo To replace it run uninstall.cmd, uninstall the device as it says, restart, and run this again.
exit /b 5

:untrusted
echo install: the certificate "%here%aerogpu_test.cer" could not be added.
exit /b 1

rem The user's own value counts first, and a profile of Windows 7 has 0 there.
:aero
"%tools%\reg.exe" add "HKCU\Software\Microsoft\Windows\DWM" /v CompositionPolicy /t REG_DWORD /d 2 /f >nul
if not "%errorlevel%"=="0" goto unaero
"%tools%\reg.exe" add "HKLM\Software\Microsoft\Windows\DWM" /v CompositionPolicy /t REG_DWORD /d 2 /f >nul
if not "%errorlevel%"=="0" goto unaero
"%tools%\net.exe" stop UxSms >nul 2>&1
"%tools%\net.exe" start UxSms >nul
if not "%errorlevel%"=="0" goto unaero
echo Windows composes the desktop from now on, if the driver can. Pick an Aero theme, then run verify.cmd.
exit /b 0

:unaero
echo install: CompositionPolicy could not be set, or the service UxSms not be started again.
exit /b 1

rem The problem code of Device Manager, 0 for none, of a device that is there: the registry keeps
rem those that are gone.
:findcode
set "code="
for /f "tokens=2 delims==" %%c in ('%tools%\wbem\wmic.exe path Win32_PnPEntity where "DeviceID like '%%VEN_A3A0&DEV_0001%%'" get ConfigManagerErrorCode /value 2^>nul') do for /f %%d in ("%%c") do set "code=%%d"
exit /b 0
