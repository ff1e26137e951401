// SPDX-License-Identifier: MIT
/// \file The tracer's lines of text (umd-d3d9.md 5.2).
#pragma once

#include "drivers/win7/umd/d3d9/trace/environment.hpp"
#include "drivers/win7/umd/d3d9/trace/filter.hpp"
#include "drivers/win7/umd/d3d9/trace/record_buffer.hpp"

#include <string_view>

namespace aerogpu::umd::trace {

/// That the tracer is on, and how.
void write_banner(const trace_settings& settings, const entry_filter& filter) noexcept;
/// A header with `reason`, then a line for each record.
void write_dump(std::string_view reason, const trace_settings& settings, const entry_filter& filter,
                const record_buffer& records) noexcept;

}  // namespace aerogpu::umd::trace
