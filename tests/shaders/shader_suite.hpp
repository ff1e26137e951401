// SPDX-License-Identifier: MIT
/// \file What tests of running shaders share: text to a module, operands to inputs, results beside
/// what they should be.
#pragma once

#include "d3d9_to_spirv/program.hpp"
#include "d3d9_to_spirv/translate.hpp"
#include "tests/catch.hpp"
#include "tests/support/shaders/shader_arithmetic.hpp"
#include "tests/support/shaders/shader_device.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace aerogpu::test {

/// The device; this program does not start without one.
[[nodiscard]] auto device() -> shader_device&;

[[nodiscard]] auto program_of(std::string_view text) -> d3d9::program;
[[nodiscard]] auto translated(std::string_view text, const d3d9::translate_options& options = {})
    -> d3d9::translation;

/// What r0 holds at the end of a shader that has `body` as its code; it starts as zero.
[[nodiscard]] auto run_body(std::string_view version, std::string_view body,
                            const d3d9::constant_block& constants) -> float4;

/// `text` with each whole word of `names` replaced.
[[nodiscard]] auto with_names(
    std::string_view text,
    std::initializer_list<std::pair<std::string_view, std::string_view>> names) -> std::string;

/// The words of a list that spaces part.
[[nodiscard]] auto split(std::string_view list) -> std::vector<std::string>;

}  // namespace aerogpu::test
