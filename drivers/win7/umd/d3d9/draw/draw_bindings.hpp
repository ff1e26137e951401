// SPDX-License-Identifier: MIT
/// \file What a draw refers to, and bindings that last for one draw.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"
#include "drivers/win7/umd/d3d9/submit/allocation_tracker.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::umd {

class device;

/// Everything that is bound, and its guest memory: targets written, the rest read. A device has
/// one, so that no draw clears it.
class draw_uses {
 public:
  void gather(const device_state& state) noexcept;
  /// Whether a draw of the submission with this fence and list noted all that is bound already:
  /// then another one has nothing to list and nothing to note.
  [[nodiscard]] static auto are_noted(const device_state& state, fence_value fence,
                                      std::uint64_t list) noexcept -> bool;
  [[nodiscard]] auto memory() noexcept -> std::span<const allocation_use>;
  /// A draw was recorded: what it read and wrote is in this list and in use by the submission that
  /// will hold it, and its targets are newer on the host than in guest memory.
  void note_drawn(fence_value fence, std::uint64_t list) const noexcept;

 private:
  static constexpr std::size_t written_bindings = render_target_count + 1;
  static constexpr std::size_t bindings = written_bindings + sampler_count + stream_count + 1;

  void add(resource* bound) noexcept {
    if (bound != nullptr) bound_[bound_count_++] = bound;
  }
  std::array<resource*, bindings> bound_{};
  std::array<allocation_use, bindings> uses_{};
  std::size_t bound_count_ = 0;
  std::size_t written_count_ = 0;  ///< The first ones of `bound_`.
};

/// Streams and indices from scratch buffers, until it goes.
class binding_override {
 public:
  explicit binding_override(device& on) noexcept : device_(on) {}
  binding_override(const binding_override&) = delete;
  auto operator=(const binding_override&) -> binding_override& = delete;
  /// Binds again what the application had bound.
  ~binding_override();

  /// Uploads `vertices` and binds them. Errors of sending, E_INVALIDARG for more than 2 GiB.
  [[nodiscard]] auto use_vertices(std::uint32_t stream, const_bytes vertices,
                                  std::uint32_t stride_bytes) noexcept -> HRESULT;
  /// Binds the application's buffer of a stream `skipped_bytes` further on.
  [[nodiscard]] auto skip_vertices(std::uint32_t stream, std::uint64_t skipped_bytes) noexcept
      -> HRESULT;
  [[nodiscard]] auto use_indices(const_bytes indices, std::uint32_t index_bytes) noexcept
      -> HRESULT;

 private:
  device& device_;
  std::uint32_t streams_ = 0;  ///< Bit n = stream n is overridden.
  bool has_indices_ = false;
};

}  // namespace aerogpu::umd
