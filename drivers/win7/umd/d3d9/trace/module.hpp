// SPDX-License-Identifier: MIT
/// \file The driver's module in its process: how it comes and goes.
#pragma once

namespace aerogpu::umd {

/// As the process loads the driver: reads the environment, starts the tracer, names the module.
void attach_module() noexcept;
/// As it unloads it: the trace's dump, when the environment asks for one. Takes no memory and no
/// lock of the driver.
void detach_module() noexcept;
/// The line of the log that names the module, once in a process.
void log_module_path() noexcept;

}  // namespace aerogpu::umd
