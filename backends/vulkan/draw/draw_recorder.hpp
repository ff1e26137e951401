// SPDX-License-Identifier: MIT
/// \file Draws and clears of the guest as commands of the open batch.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "vulkan/draw/draw_cost.hpp"
#include "vulkan/draw/target_views.hpp"
#include "vulkan/draw/vertex_bindings.hpp"
#include "vulkan/draw/vertex_copier.hpp"
#include "vulkan/pipeline/dynamic_state.hpp"
#include "vulkan/programs/d3d9_programs.hpp"
#include "vulkan/programs/dxbc_programs.hpp"

#include <cstdint>

namespace aerogpu::vulkan {

/// The indices of a draw, of which those past the end of their buffer read 0. Of these so many are
/// drawn (docs/vulkan.md, "Bounds"): the rest would only repeat them.
[[nodiscard]] auto drawn_count(const draw_call<vulkan_backend>& call) noexcept -> std::uint32_t;

class draw_recorder {
 public:
  explicit draw_recorder(const program_sources& from) noexcept;

  /// Draws the next piece of what is left of a draw. Preconditions: a batch is open; the
  /// processor's checks passed; something is left. Errors: out_of_memory, device_lost; unsupported,
  /// also for a piece that is far too much work and cannot be cut.
  [[nodiscard]] auto draw(const draw_call<vulkan_backend>& call, draw_rest& left) -> result<void>;
  [[nodiscard]] auto clear(const clear_call<vulkan_backend>& call) -> result<void>;

  /// Objects came or went: addresses may mean others than at the last draw.
  void forget_objects() noexcept { is_known_ = false; }

 private:
  using call_of = draw_call<vulkan_backend>;

  /// Where the indices of a draw lie. `buffer` null = not indexed.
  struct index_source {
    buffer_record* record = nullptr;
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceSize offset_bytes = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  /// What the open command buffer has bound.
  struct recorded_state {
    std::uint64_t batch = 0;
    VkPipeline pipeline = VK_NULL_HANDLE;
    bool has_dynamic = false;
    dynamic_state dynamic;
    VkBuffer index_buffer = VK_NULL_HANDLE;
    VkDeviceSize index_offset = 0;
    VkIndexType index_type = VK_INDEX_TYPE_UINT16;
    vertex_shift shift;
  };

  [[nodiscard]] auto changes_of(const call_of& call) noexcept -> std::uint32_t;
  [[nodiscard]] auto choose_programs(const draw_state_of& state) noexcept -> bool;
  [[nodiscard]] auto resolve(const draw_state_of& state, std::uint32_t changes) -> result<void>;
  [[nodiscard]] auto is_described(std::uint32_t changes) const noexcept -> bool;
  [[nodiscard]] auto resolve_pipeline() -> result<void>;
  [[nodiscard]] auto cuts_of(const call_of& call) const noexcept -> draw_cuts;
  [[nodiscard]] auto record(const call_of& call, std::uint32_t changes) -> result<void>;
  [[nodiscard]] auto resolve_indices(const call_of& call) -> result<index_source>;
  [[nodiscard]] auto pad_indices(const call_of& call) -> result<index_source>;
  [[nodiscard]] auto place_vertices(const call_of& call) -> result<void>;
  [[nodiscard]] auto enter_pass(const index_source& indices) -> result<void>;
  [[nodiscard]] auto materialize(const pass_targets& targets) -> result<void>;
  [[nodiscard]] auto use_inputs(const index_source& indices) -> result<void>;
  void resolve_feedback() noexcept;
  [[nodiscard]] auto bind(const draw_state_of& state, std::uint32_t changes) -> result<void>;
  void bind_dynamic_state(const draw_state_of& state) noexcept;
  void bind_vertex_buffers() noexcept;
  void issue(const call_of& call, const index_source& indices) noexcept;
  [[nodiscard]] auto clear_targets(const pass_targets& targets,
                                   const clear_call<vulkan_backend>& call) -> result<void>;

  program_sources from_;
  d3d9_programs d3d9_;
  dxbc_programs dxbc_;
  program_binder* programs_ = &d3d9_;  ///< Of the last draw.

  // Of the context that drew last.
  bool is_known_ = false;
  context_id context_{};
  pass_targets targets_;
  pipeline_key key_;
  pipeline_key found_key_;  ///< Whose pipeline `pipeline_` is.
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  vertex_bindings vertices_;
  vertex_copier copier_;
  // Of the draw in hand.
  vertex_shift shift_;
  placed_bindings placed_;  ///< Where streams are moved or copied.
  access_epochs padding_;   ///< Of indices.

  recorded_state recorded_;
};

}  // namespace aerogpu::vulkan
