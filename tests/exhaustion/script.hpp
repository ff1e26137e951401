// SPDX-License-Identifier: MIT
/// \file What the guest of an exhaustion test submits: streams made beforehand, so that a run of
/// them allocates nothing itself.
#pragma once

#include "tests/support/byte_patterns.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::test {

/// One submission.
struct script_step {
  const char* name = "";
  byte_vector stream;
  std::uint32_t context = 0;
};

/// A guest's whole life, in parts between which other things happen to its device.
struct exhaustion_script {
  std::vector<script_step> work;        ///< Creates, uploads, draws, copies, shares, presents.
  std::vector<script_step> afterwards;  ///< The same objects again, after a snapshot was loaded.
  script_step captured;                 ///< For an executor outside the device.
  std::vector<script_step> last;        ///< Destroys all objects.
};

/// Whether the shaders of Direct3D 10 and 11 are part of it.
enum class script_shaders : std::uint8_t { d3d9, all };

/// Allocations of the guest: ids 1 to `script_allocations`, a page each.
inline constexpr std::uint32_t script_allocations = 8;
inline constexpr std::uint32_t script_page_bytes = 4096;
/// Those that write-backs fill: the picture, and bytes.
inline constexpr std::uint32_t script_picture_alloc = 3, script_bytes_alloc = 4;

[[nodiscard]] auto make_exhaustion_script(script_shaders shaders) -> exhaustion_script;

}  // namespace aerogpu::test
