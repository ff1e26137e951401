// SPDX-License-Identifier: MIT
/// \file Shaders, input layouts and samplers as the processor holds them.
#pragma once

#include "aerogpu/backend/backend.hpp"
#include "aerogpu/backend/input_layout.hpp"
#include "aerogpu/backend/objects.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/shader/shader_program.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace aerogpu {

/// A live shader. Without `native` it is poisoned (well formed, but nobody here can run it), or
/// untried: of a snapshot, and no draw or dispatch needed it since.
template <backend B>
struct shader_object {
  std::optional<typename B::shader> native;
  heap_array<std::byte> bytes;  ///< The processor's own copy of `program.code`.
  shader_program program;       ///< `code` lies in `bytes`.
  const char* why_poisoned = "";
  std::uint64_t serial = 0;
  context_id owner{};  ///< It goes with that context.
  bool is_untried = false;

  [[nodiscard]] auto is_poisoned() const noexcept -> bool {
    return !native.has_value() && !is_untried;
  }
};

/// A live input layout.
template <backend B>
struct layout_object {
  typename B::input_layout native;
  heap_array<std::byte> bytes;  ///< The blob.
  input_layout layout;
  std::uint64_t serial = 0;
  context_id owner{};
};

/// A live sampler object. CREATE_SAMPLER on its handle replaces what it holds: the slots that name
/// it stay bound, and `revision` tells the two apart.
template <backend B>
struct sampler_object {
  typename B::sampler native;
  sampler_desc desc;
  std::uint64_t serial = 0;
  std::uint64_t revision = 0;
  context_id owner{};
};

}  // namespace aerogpu
