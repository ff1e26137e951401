// SPDX-License-Identifier: MIT
/// \file What a device knows of its presents: how many, when, and how many may be in flight.
#pragma once

#include "aerogpu/sync/frame_latency.hpp"
#include "drivers/win7/ddi/hresults.hpp"

#include <atomic>
#include <cstdint>

namespace aerogpu::umd {

/// How a flip of profile M reaches a host (umd-d3d9.md 2.14.6). Exactly one for each device.
enum class flip_policy : std::uint8_t {
  show_on_host,  ///< PRESENT_EX shows the host's texture.
  write_back,    ///< For hosts that scan out guest memory: a copy into the allocation.
};
#ifdef AEROGPU_UMD_WRITES_BACK_FLIPS
inline constexpr flip_policy default_flip_policy = flip_policy::write_back;
#else
inline constexpr flip_policy default_flip_policy = flip_policy::show_on_host;
#endif

/// GetPresentStats. The host tells no refresh count of its own: every count is that of presents.
struct present_statistics {
  std::uint32_t present_count = 0;
  std::uint32_t present_refresh_count = 0;
  std::uint32_t sync_refresh_count = 0;
  std::uint64_t sync_ticks = 0;  ///< QueryPerformanceCounter at the last present.
  std::uint64_t sync_gpu_time = 0;
};

/// The device's mutex guards it, but for `count`.
class presentation {
 public:
  static constexpr std::int32_t most_gpu_priority = 7;        ///< And least, negative.
  static constexpr std::uint32_t most_portable_latency = 16;  ///< Of profile U (umd-d3d9.md 2.15).

  flip_policy flips = default_flip_policy;
  /// AEROGPU_D3D9_OCCLUDE_INVISIBLE: a window that is not visible is occluded.
  bool occludes_invisible = false;
  frame_latency latency;

  /// Presents that were accepted, occluded ones as well: GetLastPresentCount. Any thread.
  [[nodiscard]] auto count() const noexcept -> std::uint32_t { return count_.load(); }
  [[nodiscard]] auto statistics() const noexcept -> present_statistics;
  void note_present() noexcept;

  /// E_INVALIDARG for 0; more than the most are the most.
  [[nodiscard]] auto set_portable_latency(std::uint32_t frames) noexcept -> HRESULT;

  /// What is outside of the range counts as its end.
  void set_gpu_priority(std::int32_t priority) noexcept;
  [[nodiscard]] auto gpu_priority() const noexcept -> std::int32_t { return gpu_priority_; }

 private:
  std::atomic<std::uint32_t> count_{0};
  std::uint64_t last_ticks_ = 0;
  std::int32_t gpu_priority_ = 0;
};

}  // namespace aerogpu::umd
