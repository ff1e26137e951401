// SPDX-License-Identifier: MIT
/// \file Streams whose elements lie where Vulkan may not read them: odd addresses and strides, and
/// elements that overlap.
#pragma once

#include "vulkan/draw/vertex_bindings.hpp"
#include "vulkan/memory/bound_memory.hpp"
#include "vulkan/programs/program_sources.hpp"

#include <cstdint>

namespace aerogpu::vulkan {

/// Puts the elements that a draw can reach into buffers of their own, which end where they end:
/// what lies behind them reads zero. Elements that must be spread go through the rows of an image,
/// a few commands for as many as it has rows.
class vertex_copier {
 public:
  explicit vertex_copier(const program_sources& from) noexcept : from_(from) {}
  ~vertex_copier();
  vertex_copier(const vertex_copier&) = delete;
  auto operator=(const vertex_copier&) -> vertex_copier& = delete;

  /// Fills `placed` for the misplaced bindings. Ends the open pass. Errors: unsupported beyond
  /// backend_limits; out_of_memory, device_lost.
  [[nodiscard]] auto copy(const vertex_bindings& bindings, const pipeline_key& key,
                          const vertex_shift& shift, const draw_call<vulkan_backend>& call,
                          placed_bindings& placed) -> result<void>;
  /// Announces that a draw reads the copies.
  void use() noexcept;

 private:
  /// Elements of a stream, and how far apart their copies are.
  struct element_run {
    buffer_record* source = nullptr;
    std::uint64_t start_bytes = 0;  ///< Of the first element.
    std::uint64_t count = 0;
    std::uint32_t step_bytes = 0;
    std::uint32_t size_bytes = 0;
    std::uint32_t copy_step_bytes = 0;

    [[nodiscard]] auto is_spread() const noexcept -> bool {
      return count > 1 && copy_step_bytes != step_bytes;
    }
    [[nodiscard]] auto copy_bytes() const noexcept -> std::uint64_t {
      return (count - 1) * copy_step_bytes + size_bytes;
    }
  };

  [[nodiscard]] static auto find_run(const vertex_bindings& bindings, std::uint32_t i,
                                     std::int64_t first, std::uint64_t most_count) noexcept
      -> element_run;
  [[nodiscard]] auto copy(const element_run& run) -> result<VkBuffer>;
  [[nodiscard]] auto resolve_rows() -> result<void>;
  void spread(const element_run& run, VkBuffer to) noexcept;
  void move_rows(VkImageLayout from, VkImageLayout to) noexcept;

  program_sources from_;
  access_epochs copies_;
  bound<VkImage> rows_;  ///< Made when it is first needed.
  std::uint32_t row_count_ = 0;
  std::uint64_t copied_bytes_ = 0;  ///< Of the draw in hand.
};

}  // namespace aerogpu::vulkan
