// SPDX-License-Identifier: MIT
/// \file The state of one context as JSON: what a draw at that point would use.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/processor/bindings/binding_slots.hpp"
#include "aerogpu/processor/resources/resource.hpp"
#include "aerogpu/processor/state/constants.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aerogpu::tool {

/// What a live handle names.
struct state_resource {
  std::uint32_t handle = 0;
  std::uint64_t serial = 0;
  resource_kind kind = resource_kind::none;
  buffer_desc buffer{};
  texture_desc texture{};  ///< Also of the texture that a view views.
};

/// Everything of a context that does not depend on the backend.
struct context_state {
  context_id id{};
  const fixed_function_state& fixed;
  const d3d9_state& d3d9;
  const std::array<constant_file, shader_stage_count>& constants;
  const binding_slots& bound;
  std::vector<state_resource> resources;
};

/// Where in a recording a state is of.
struct state_place {
  std::string trace;
  std::uint64_t submission = 0;
  std::optional<std::uint64_t> offset;
  std::string picture;  ///< Empty = none.
};

/// The contract of docs/replay-json.md.
[[nodiscard]] auto state_as_json(const context_state& state, const state_place& place)
    -> std::string;

}  // namespace aerogpu::tool
