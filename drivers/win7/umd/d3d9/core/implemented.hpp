// SPDX-License-Identifier: MIT
/// \file Features that caps offer only when all of their parts stand; what is false here is work.
#pragma once

namespace aerogpu::umd {

struct implemented_features {
  bool fixed_function = true;  ///< Section 3 of umd-d3d9.md: lights, all stages, fog, texgen.
  bool mip_generation = true;  ///< Section 2.8.6.
};

/// What this build of the driver does.
inline constexpr implemented_features implemented{};

}  // namespace aerogpu::umd
