// SPDX-License-Identifier: MIT
/// \file Effective shader stage of a packet: base stage, stage_ex and the stream's minor.
#pragma once

#include "aerogpu/abi/shader_stage.h"
#include "aerogpu/core/check.hpp"
#include "aerogpu/core/result.hpp"

#include <cstdint>

namespace aerogpu {

/// The six stages, after stage_ex is resolved. Values index per-stage tables.
enum class shader_stage : std::uint8_t { vertex, pixel, compute, geometry, hull, domain };

inline constexpr std::uint32_t shader_stage_count = 6;

/// Stage named by (stage, stage_ex) in a stream of `abi_minor`, by the truth table of wire.md 8
/// with host.md 2.11's addition that writers of raw 4 and 5 mean hull and domain.
/// Errors: invalid_parameter, detail = the offending field.
[[nodiscard]] constexpr auto resolve_stage(std::uint32_t stage, std::uint32_t stage_ex,
                                           std::uint32_t abi_minor) noexcept
    -> result<shader_stage> {
  if (stage >= shader_stage_count) [[unlikely]] {
    return make_error(error_code::invalid_parameter, "shader stage is unknown", stage);
  }
  // All values but COMPUTE, behind which stage_ex may name another, are those of shader_stage.
  if (stage != AEROGPU_SHADER_STAGE_COMPUTE) [[likely]]
    return static_cast<shader_stage>(stage);
  if (abi_minor < AEROGPU_STAGE_EX_MIN_ABI_MINOR) return shader_stage::compute;
  switch (stage_ex) {
    case AEROGPU_SHADER_STAGE_EX_NONE:
    case AEROGPU_SHADER_STAGE_EX_COMPUTE: return shader_stage::compute;
    case AEROGPU_SHADER_STAGE_EX_GEOMETRY: return shader_stage::geometry;
    case AEROGPU_SHADER_STAGE_EX_HULL: return shader_stage::hull;
    case AEROGPU_SHADER_STAGE_EX_DOMAIN: return shader_stage::domain;
    default: return make_error(error_code::invalid_parameter, "stage_ex is unknown", stage_ex);
  }
}

/// The same without raw 4 and 5, as writers are held to it (wire.md 8, rule 4): what tools check.
[[nodiscard]] constexpr auto resolve_stage_strict(std::uint32_t stage, std::uint32_t stage_ex,
                                                  std::uint32_t abi_minor) noexcept
    -> result<shader_stage> {
  if (stage > AEROGPU_SHADER_STAGE_GEOMETRY) {
    return make_error(error_code::invalid_parameter, "shader stage is unknown", stage);
  }
  return resolve_stage(stage, stage_ex, abi_minor);
}

/// The two words that name a stage in a packet.
struct encoded_stage {
  std::uint32_t stage = AEROGPU_SHADER_STAGE_VERTEX;
  std::uint32_t stage_ex = AEROGPU_SHADER_STAGE_EX_NONE;
};

namespace detail {
inline constexpr encoded_stage encoded_stages[shader_stage_count] = {
    {AEROGPU_SHADER_STAGE_VERTEX, AEROGPU_SHADER_STAGE_EX_NONE},
    {AEROGPU_SHADER_STAGE_PIXEL, AEROGPU_SHADER_STAGE_EX_NONE},
    {AEROGPU_SHADER_STAGE_COMPUTE, AEROGPU_SHADER_STAGE_EX_NONE},
    {AEROGPU_SHADER_STAGE_GEOMETRY, AEROGPU_SHADER_STAGE_EX_NONE},
    {AEROGPU_SHADER_STAGE_COMPUTE, AEROGPU_SHADER_STAGE_EX_HULL},
    {AEROGPU_SHADER_STAGE_COMPUTE, AEROGPU_SHADER_STAGE_EX_DOMAIN},
};
}  // namespace detail

/// How a writer names `stage` (wire.md 8, rule 6): hull and domain through stage_ex, which streams
/// below its minor do not have; the others without.
[[nodiscard]] constexpr auto encode_stage(shader_stage stage) noexcept -> encoded_stage {
  const auto index = static_cast<std::uint32_t>(stage);
  AEROGPU_CHECK(index < shader_stage_count);
  return detail::encoded_stages[index];
}

}  // namespace aerogpu
