/// \file Streams whose elements lie where Vulkan may not read them: odd addresses and strides, and
/// elements that overlap.
#pragma once

#include "vulkan/program_sources.hpp"
#include "vulkan/vertex_bindings.hpp"

#include <cstdint>

namespace aerogpu::vulkan {

/// What one draw may have copied. Direct3D aligns elements, so that no honest draw comes near.
struct vertex_copy_limits {
  /// Elements of one stream that are copied one by one: all that 16-bit indices can name.
  std::uint64_t scattered_elements = 65'536;
  /// The same of all streams: each element costs the driver a region of a copy.
  std::uint64_t scattered_elements_per_draw = 262'144;
  /// Bytes of all copies of a draw: what a batch may stage.
  std::uint64_t bytes_per_draw = 64ull << 20;
};

/// Puts the elements that a draw can reach into buffers of their own, which end where they end:
/// what lies behind them reads zero.
class vertex_copier {
 public:
  explicit vertex_copier(const program_sources& from) noexcept : from_(from) {}

  /// Fills `placed` for the misplaced bindings. Ends the open pass. Errors: unsupported beyond the
  /// limits; out_of_memory, device_lost.
  [[nodiscard]] auto copy(const vertex_bindings& bindings, const pipeline_key& key,
                          const vertex_shift& shift, const draw_call<vulkan_backend>& call,
                          placed_bindings& placed) -> result<void>;
  /// Announces that a draw reads the copies.
  void use() noexcept;

 private:
  /// Elements of a stream, in the numbers of the guest.
  struct element_run {
    buffer_record* source = nullptr;
    std::uint64_t start_bytes = 0;  ///< Of the first element.
    std::uint64_t count = 0;
    std::uint32_t step_bytes = 0;
    std::uint32_t size_bytes = 0;
    std::uint32_t copy_step_bytes = 0;

    [[nodiscard]] auto is_scattered() const noexcept -> bool {
      return count > 1 && copy_step_bytes != step_bytes;
    }
    [[nodiscard]] auto copy_bytes() const noexcept -> std::uint64_t {
      return (count - 1) * copy_step_bytes + size_bytes;
    }
  };

  [[nodiscard]] static auto find_run(const vertex_bindings& bindings, std::uint32_t i,
                                     std::int64_t first, std::uint64_t most_count) noexcept
      -> element_run;
  [[nodiscard]] auto count(const element_run& run) -> result<void>;
  [[nodiscard]] auto copy(const element_run& run) -> result<VkBuffer>;
  void record(const element_run& run, VkBuffer to) noexcept;

  program_sources from_;
  access_epochs copies_;
  // Of the draw in hand.
  std::uint64_t scattered_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace aerogpu::vulkan
