@echo off
rem SPDX-License-Identifier: MIT
rem Takes the packages of the AeroGPU display driver out of the driver store, and on request the trust.
rem The device keeps its driver: Windows 7 has Device Manager and no program to uninstall a device.
setlocal EnableExtensions DisableDelayedExpansion
set "tools=%SystemRoot%\System32"
if exist "%SystemRoot%\Sysnative\cmd.exe" set "tools=%SystemRoot%\Sysnative"

if "%~1"=="" goto check
if /i "%~1"=="/certificate" goto check
if /i "%~1"=="/aero" goto check
echo usage: uninstall.cmd [/certificate or /aero]
echo.
echo   /certificate   stop trusting the test certificate as well
echo   /aero          take back what "install.cmd /aero" set, and end
echo.
echo Takes the driver's packages out of the driver store. The device is uninstalled in Device
echo Manager.
echo.
echo Exit codes: 0 no package is left in the driver store; 1 it failed; 2 wrong usage;
echo             4 not an administrator
exit /b 2

:check
"%tools%\fsutil.exe" dirty query %SystemDrive% >nul 2>&1
if not "%errorlevel%"=="0" (
  echo uninstall: this needs an administrator: start cmd as administrator and run this there.
  exit /b 4
)

if /i "%~1"=="/aero" goto aero

rem The INF itself says whose it is; what pnputil prints depends on the language of Windows.
set "found=0"
set "failed=0"
for /f "delims=" %%f in ('%tools%\findstr.exe /m /i /l /c:"aerogpu.sys" "%SystemRoot%\inf\oem*.inf" 2^>nul') do call :remove "%%~nxf"
if "%found%"=="0" echo No AeroGPU package is in the driver store.
if "%failed%"=="1" (
  echo uninstall: a package stays. Start in safe mode, or in Device Manager give the device
  echo            the "Standard VGA Graphics Adapter", and run this again.
  exit /b 1
)
set "kept=0"
if /i "%~1"=="/certificate" call :distrust
if "%found%"=="1" echo The package is no longer in the driver store.
echo.
echo A device that has the driver keeps it, restarted or not. To take it away: in Device Manager,
echo under "Display adapters", uninstall "AeroGPU Display Adapter", with
echo "Delete the driver software for this device" if that is offered, and restart. Windows then
echo gives the device its own VGA driver. Files in System32 and the entry of the service aerogpu
echo may stay, unused.
if "%kept%"=="1" exit /b 1
exit /b 0

:aero
"%tools%\reg.exe" add "HKCU\Software\Microsoft\Windows\DWM" /v CompositionPolicy /t REG_DWORD /d 0 /f >nul
if not "%errorlevel%"=="0" goto unaero
"%tools%\reg.exe" query "HKLM\Software\Microsoft\Windows\DWM" /v CompositionPolicy >nul 2>&1
if not "%errorlevel%"=="0" goto uxsms
"%tools%\reg.exe" delete "HKLM\Software\Microsoft\Windows\DWM" /v CompositionPolicy /f >nul
if not "%errorlevel%"=="0" goto unaero

:uxsms
"%tools%\net.exe" stop UxSms >nul 2>&1
"%tools%\net.exe" start UxSms >nul
if not "%errorlevel%"=="0" goto unaero
echo Windows composes the desktop by its own assessment again.
exit /b 0

:unaero
echo uninstall: CompositionPolicy could not be set back, or the service UxSms not be started again.
exit /b 1

:remove
set "found=1"
echo Removing %~1 ...
"%tools%\pnputil.exe" -f -d %~1
if not "%errorlevel%"=="0" set "failed=1"
exit /b 0

:distrust
call :forget Root
call :forget TrustedPublisher
if "%kept%"=="1" exit /b 0
echo The test certificate is no longer trusted. "bcdedit /set testsigning off" ends test signing.
exit /b 0

rem -2146893807 and -2146885628: it is not there.
:forget
"%tools%\certutil.exe" -delstore %~1 "AeroGPU Test Signing" >nul
set "result=%errorlevel%"
if "%result%"=="0" exit /b 0
if "%result%"=="-2146893807" exit /b 0
if "%result%"=="-2146885628" exit /b 0
set "kept=1"
echo uninstall: the test certificate stays in the store %~1: certutil ended with %result%.
exit /b 0
