/// \file How run_service.exe talks to the driver that plays dxgkrnl.
#pragma once

namespace aerogpu::run_service {

/// CTL_CODE(FILE_DEVICE_UNKNOWN, 0x800 and 0x801, METHOD_BUFFERED, FILE_ANY_ACCESS).
inline constexpr unsigned control_run = 0x00222000;
inline constexpr unsigned control_report = 0x00222004;
inline constexpr unsigned report_bytes = 16384;
/// The report's last line when nothing is wrong.
inline constexpr char report_closing_line[] = "dxgkrnl saw aerogpu.sys to its end";

}  // namespace aerogpu::run_service
