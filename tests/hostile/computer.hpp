// SPDX-License-Identifier: MIT
/// \file A device in a machine, whatever the backend: attacks compile once for all of them.
#pragma once

#include "aerogpu/device/config.hpp"
#include "aerogpu/device/events.hpp"
#include "aerogpu/device/rgba8_image.hpp"
#include "aerogpu/processor/object_counts.hpp"
#include "tests/hostile/machine.hpp"
#include "vulkan/backend_options.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace aerogpu::hostile {

enum class backend_kind : std::uint8_t { null, vulkan };

/// Small apertures and a short watchdog: what is tested is limits, not their defaults.
[[nodiscard]] auto default_config() -> device_config;
[[nodiscard]] auto default_options() -> vulkan::backend_options;

struct computer_options {
  backend_kind backend = backend_kind::vulkan;
  device_config device = default_config();
  vulkan::backend_options vulkan = default_options();
  std::size_t ram_bytes = 256u << 20;
};

/// What a backend did since it was made; zeros where it has none of it.
struct backend_counters {
  std::uint64_t pipelines = 0;
  std::uint64_t batches = 0;
  std::uint64_t device_losses = 0;
  std::uint32_t validation_errors = 0;
};

class computer {
 public:
  /// Fails the case with a sentence when the backend cannot be made.
  [[nodiscard]] static auto create(const computer_options& options) -> std::unique_ptr<computer>;
  computer() = default;
  computer(const computer&) = delete;
  auto operator=(const computer&) -> computer& = delete;
  virtual ~computer() = default;

  [[nodiscard]] virtual auto memory() -> machine& = 0;
  [[nodiscard]] virtual auto read(std::uint64_t offset, std::uint32_t size) -> std::uint64_t = 0;
  virtual void write(std::uint64_t offset, std::uint64_t value, std::uint32_t size) = 0;
  [[nodiscard]] virtual auto bar1_read(std::uint64_t offset, std::uint32_t size)
      -> std::uint64_t = 0;
  virtual void bar1_write(std::uint64_t offset, std::uint64_t value, std::uint32_t size) = 0;
  virtual void config_write(std::uint32_t offset, std::uint32_t value, std::uint32_t size) = 0;
  virtual void tick() = 0;
  [[nodiscard]] virtual auto next_deadline_ns() -> std::uint64_t = 0;
  virtual void wait_idle() = 0;
  virtual void set_tap(const submission_tap& tap) = 0;
  [[nodiscard]] virtual auto is_idle() -> bool = 0;
  [[nodiscard]] virtual auto read_display(rgba8_image& image) -> error_code = 0;
  [[nodiscard]] virtual auto save(std::vector<std::byte>& out) -> error_code = 0;
  [[nodiscard]] virtual auto load(const_bytes snapshot) -> error_code = 0;
  [[nodiscard]] virtual auto statistics() -> device_statistics = 0;
  [[nodiscard]] virtual auto counts() -> object_counts = 0;
  [[nodiscard]] virtual auto counters() -> backend_counters = 0;
  [[nodiscard]] virtual auto draws() const -> bool = 0;
};

}  // namespace aerogpu::hostile
