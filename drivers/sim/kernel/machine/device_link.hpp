// SPDX-License-Identifier: MIT
/// \file The device model as the simulated bus reaches it, whatever backend is behind it.
#pragma once

#include <cstdint>

namespace aerogpu::sim {

/// One thread at a time; the bus sees to that. Implemented once, by `machine<Backend>`.
class device_link {
 public:
  virtual ~device_link() = default;
  [[nodiscard]] virtual auto read_register(std::uint64_t offset) noexcept -> std::uint32_t = 0;
  virtual void write_register(std::uint64_t offset, std::uint32_t value) noexcept = 0;
  [[nodiscard]] virtual auto read_config(std::uint32_t offset, std::uint32_t size) noexcept
      -> std::uint32_t = 0;
  virtual void write_config(std::uint32_t offset, std::uint32_t value,
                            std::uint32_t size) noexcept = 0;
  virtual void tick() noexcept = 0;
  [[nodiscard]] virtual auto next_deadline_ns() noexcept -> std::uint64_t = 0;
  virtual void wait_idle() noexcept = 0;
  virtual void reset() noexcept = 0;
};

}  // namespace aerogpu::sim
