// SPDX-License-Identifier: MIT
/// \file Shaders by key, as many as fit; the one that was used longest ago makes room.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/fixed/shader_factory.hpp"
#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_key.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::umd::fixed {

/// Owns its shaders. A search compares hashes in a row; the last answer is tried first. Nothing is
/// allocated before the first shader, and room for all then.
template <class Key>
class shader_cache {
 public:
  shader_cache(shader_stage stage, std::size_t capacity) noexcept
      : stage_(stage), capacity_(capacity) {}

  /// The shader of a key, now the most recently used; nullptr when there is none.
  [[nodiscard]] auto find(const Key& key) noexcept -> const shader_handle* {
    const std::size_t at = index_of(key);
    if (at == entries_.size()) return nullptr;
    last_ = at;
    entries_[at].used = ++clock_;
    return &entries_[at].shader;
  }

  /// Makes the shader of a key that is not there from `tokens`. The evicted one, if any, is
  /// destroyed first and its place is empty should making fail. Errors: E_OUTOFMEMORY; the
  /// factory's.
  [[nodiscard]] auto add(const Key& key, std::span<const std::uint32_t> tokens,
                         shader_factory& factory, shader_handle& out) noexcept -> HRESULT {
    if (!entries_.reserve(capacity_) || !hashes_.reserve(capacity_)) return E_OUTOFMEMORY;
    if (entries_.size() == capacity_) evict(factory);
    shader_handle made{};
    const HRESULT result = factory.create(stage_, tokens, made);
    if (result != S_OK) return result;
    last_ = entries_.size();
    if (!hashes_.push_back(hash_of(key)) || !entries_.push_back({key, made, ++clock_})) {
      factory.destroy(stage_, made);  // Not reached: there was room.
      return E_OUTOFMEMORY;
    }
    out = made;
    return S_OK;
  }

  /// Destroys every shader, once each.
  void clear(shader_factory& factory) noexcept {
    for (const entry& e : entries_) factory.destroy(stage_, e.shader);
    forget();
  }
  /// Drops them all without a word to the host, which has lost them.
  void forget() noexcept {
    entries_.clear();
    hashes_.clear();
    last_ = 0;
  }

  [[nodiscard]] auto size() const noexcept -> std::size_t { return entries_.size(); }
  [[nodiscard]] auto capacity() const noexcept -> std::size_t { return capacity_; }

 private:
  struct entry {
    Key key;
    shader_handle shader{};
    std::uint64_t used = 0;
  };

  [[nodiscard]] auto index_of(const Key& key) const noexcept -> std::size_t {
    if (last_ < entries_.size() && entries_[last_].key == key) return last_;
    const std::uint32_t hash = hash_of(key);
    std::size_t at = 0;
    while (at < entries_.size() && !(hashes_[at] == hash && entries_[at].key == key)) ++at;
    return at;
  }

  void evict(shader_factory& factory) noexcept {
    std::size_t oldest = 0;
    for (std::size_t i = 1; i < entries_.size(); ++i) {
      if (entries_[i].used < entries_[oldest].used) oldest = i;
    }
    factory.destroy(stage_, entries_[oldest].shader);
    entries_[oldest] = entries_.back();
    hashes_[oldest] = hashes_.back();
    entries_.pop_back();
    hashes_.pop_back();
  }

  shader_stage stage_;
  std::size_t capacity_;
  heap_array<entry> entries_;
  heap_array<std::uint32_t> hashes_;
  std::size_t last_ = 0;
  std::uint64_t clock_ = 0;
};

}  // namespace aerogpu::umd::fixed
