// SPDX-License-Identifier: MIT
/// \file Descriptor and pipeline layouts: one for each set of registers that programs use.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/bounded_cache.hpp"
#include "vulkan/device_parts.hpp"
#include "vulkan/memory/retired_list.hpp"
#include "vulkan/pipeline/shader_store.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace aerogpu::vulkan {

inline constexpr std::size_t most_descriptor_sets = dxbc::descriptor_set_count;

/// A pipeline layout with the sets that it is made of. Set numbers follow dxbc::descriptor_set_of
/// for SM4+ programs; SM1-3 ones have constants in set 0 and samplers in set 1.
struct pipeline_layout {
  std::uint64_t id = 0;  ///< Never the same for two: part of pipeline keys.
  VkPipelineLayout handle = VK_NULL_HANDLE;
  std::array<VkDescriptorSetLayout, most_descriptor_sets> sets{};
  std::uint32_t set_count = 0;
  std::unique_ptr<pipeline_layout> next_retired;
};

/// One binding of a set.
struct set_binding {
  std::uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  VkShaderStageFlags stages = 0;

  friend auto operator==(const set_binding&, const set_binding&) -> bool = default;
};

/// A set by its bindings, wherever they lie.
struct set_layout_probe {
  std::span<const set_binding> bindings;

  void hash_into(keyed_hash& hash) const noexcept { hash.add(std::as_bytes(bindings)); }
};
/// The same with its own copy of them.
struct set_layout_key {
  heap_array<set_binding> bindings;

  void hash_into(keyed_hash& hash) const noexcept {
    set_layout_probe{bindings.view()}.hash_into(hash);
  }
  friend auto operator==(const set_layout_key& a, const set_layout_probe& b) noexcept -> bool {
    return std::ranges::equal(a.bindings.view(), b.bindings);
  }
};

/// A pipeline layout by the numbers of its sets; 0 = no set.
struct pipeline_layout_key {
  std::array<std::uint64_t, most_descriptor_sets> sets{};
  bool has_push_constants = false;

  void hash_into(keyed_hash& hash) const noexcept {
    for (const std::uint64_t set : sets) hash.add(set);
    hash.add(std::uint64_t{has_push_constants});
  }
  friend auto operator==(const pipeline_layout_key&, const pipeline_layout_key&) -> bool = default;
};

/// What is found holds for the open batch.
class pipeline_layouts {
 public:
  pipeline_layouts(device_parts& device, const backend_options& options) noexcept;

  /// For SM1-3 programs. `samplers` has bits 0..15 for s# of the pixel shader and 16..19 for those
  /// of the vertex shader. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto resolve_d3d9(std::uint32_t samplers) -> result<const pipeline_layout*>;
  /// For SM4+ programs. Sets beyond `bindings` do not exist. Errors: as above.
  [[nodiscard]] auto resolve(std::span<const heap_array<set_binding>> bindings)
      -> result<const pipeline_layout*>;

 private:
  struct set_layout {
    std::uint64_t id = 0;
    VkDescriptorSetLayout handle = VK_NULL_HANDLE;
  };
  using set_cache = bounded_cache<set_layout_key, set_layout>;
  /// The sets of a layout, which stay as long as this.
  class pinned_sets {
   public:
    explicit pinned_sets(set_cache& from) noexcept : cache_(&from) {}
    pinned_sets(pinned_sets&& other) noexcept
        : cache_(other.cache_),
          sets_(std::exchange(other.sets_, {})),
          count_(std::exchange(other.count_, 0)) {}
    auto operator=(pinned_sets&&) -> pinned_sets& = delete;
    ~pinned_sets() {
      for (set_cache::entry* const set : view()) cache_->unpin(*set);
    }
    void add(set_cache::entry& set) noexcept {
      cache_->pin(set);
      sets_[count_++] = &set;
    }
    [[nodiscard]] auto view() const noexcept -> std::span<set_cache::entry* const> {
      return std::span{sets_}.first(count_);
    }

   private:
    set_cache* cache_;
    std::array<set_cache::entry*, most_descriptor_sets> sets_{};
    std::size_t count_ = 0;
  };
  struct known_layout {
    std::unique_ptr<pipeline_layout> layout;
    pinned_sets sets;
  };
  using layout_cache = bounded_cache<pipeline_layout_key, known_layout>;

  [[nodiscard]] auto resolve_set(std::span<const set_binding> bindings, pinned_sets& to)
      -> result<void>;
  [[nodiscard]] auto create_set(std::span<const set_binding> bindings)
      -> result<VkDescriptorSetLayout>;
  [[nodiscard]] auto resolve_layout(pinned_sets&& sets, bool has_push_constants)
      -> result<const pipeline_layout*>;
  [[nodiscard]] auto create_layout(pipeline_layout& made, bool has_push_constants) -> result<void>;
  void discard(std::unique_ptr<pipeline_layout> old) noexcept;

  device_parts& device_;
  std::uint64_t next_id_ = 1;
  retired_list<pipeline_layout> retired_;
  set_cache sets_;
  layout_cache layouts_;  ///< Goes first: it holds pins of `sets_`.
};

}  // namespace aerogpu::vulkan
