// SPDX-License-Identifier: MIT
/// \file What a replay needs of a machine, whatever the backend.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/device/rgba8_image.hpp"
#include "tools/aerogpu/guest/guest_host.hpp"
#include "tools/aerogpu/guest/guest_submission.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aerogpu::tool {

struct context_state;
struct state_resource;

/// Chosen once for a recording; what replays is compiled once for all backends.
class replay_machine {
 public:
  replay_machine() = default;
  replay_machine(const replay_machine&) = delete;
  auto operator=(const replay_machine&) -> replay_machine& = delete;
  virtual ~replay_machine() = default;

  // As a guest_machine has them.
  [[nodiscard]] virtual auto start(std::uint64_t buffer_bytes, std::string& why) -> bool = 0;
  [[nodiscard]] virtual auto submit(const guest_submission& work) -> bool = 0;
  [[nodiscard]] virtual auto read(std::uint32_t offset) -> std::uint32_t = 0;
  [[nodiscard]] virtual auto completed_fence() -> fence_value = 0;
  [[nodiscard]] virtual auto host() -> guest_host& = 0;

  // What only the machine's owner sees.
  /// Whether scanout 0 shows what a display can.
  [[nodiscard]] virtual auto has_presented() -> bool = 0;
  /// Reads that. Precondition: has_presented().
  [[nodiscard]] virtual auto read_presented(std::uint64_t limit_bytes, rgba8_image& image)
      -> result<void> = 0;
  /// Reads mip 0 of layer 0 as it is stored.
  [[nodiscard]] virtual auto read_texture(resource_handle texture, mutable_bytes out)
      -> result<void> = 0;
  [[nodiscard]] virtual auto resources() -> std::vector<state_resource> = 0;
  /// Of the device's own, until it changes; nothing of a context that was never used.
  [[nodiscard]] virtual auto state_of(context_id context) -> std::optional<context_state> = 0;
};

}  // namespace aerogpu::tool
