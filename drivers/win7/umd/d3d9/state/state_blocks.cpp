// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/state/state_blocks.hpp"

#include "aerogpu/core/check.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/state_block_types.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace aerogpu::umd {

namespace {

/// Where in a value of the group a pointer to an object stands; none otherwise.
[[nodiscard]] auto object_offset(state_group group) noexcept -> std::size_t {
  switch (group) {
    case state_group::texture:
    case state_group::declaration:
    case state_group::vertex_shader:
    case state_group::pixel_shader: return 0;
    case state_group::stream: return offsetof(stream_source, buffer);
    case state_group::indices: return offsetof(index_source, buffer);
    default: return SIZE_MAX;
  }
}

}  // namespace

auto state_block::add(state_key key, const_bytes value) noexcept -> bool {
  AEROGPU_CHECK(value.size() == state_bytes(key.group));
  const auto offset = static_cast<std::uint32_t>(values_.size());
  if (!values_.append(value)) return false;
  if (records_.push_back({key, offset})) return true;
  values_.truncate(offset);
  return false;
}

auto state_block::finish() noexcept -> bool {
  // By key, the latest of each first.
  std::sort(records_.begin(), records_.end(), [](const record& a, const record& b) {
    return a.key != b.key ? a.key < b.key : a.offset_bytes > b.offset_bytes;
  });
  const auto last = std::unique(records_.begin(), records_.end(),
                                [](const record& a, const record& b) { return a.key == b.key; });
  records_.truncate(static_cast<std::size_t>(last - records_.begin()));
  // Values in the order of their records, so that runs of registers lie together.
  heap_array<std::byte> sorted;
  if (!sorted.reserve(values_.size())) return false;
  for (record& each : records_) {
    const auto value =
        std::as_const(values_).view().subspan(each.offset_bytes, state_bytes(each.key.group));
    each.offset_bytes = static_cast<std::uint32_t>(sorted.size());
    if (!sorted.append(value)) return false;
  }
  values_ = std::move(sorted);
  return true;
}

void state_block::capture(const device_state& state) noexcept {
  for (const record& each : records_) {
    read_state(state, each.key,
               values_.view().subspan(each.offset_bytes, state_bytes(each.key.group)));
  }
}

auto state_block::run_at(std::size_t first) const noexcept -> std::size_t {
  const state_key start = records_[first].key;
  if (start.group < state_group::vertex_float) return 1;
  std::size_t count = 1;
  while (first + count < records_.size()) {
    const state_key next = records_[first + count].key;
    if (next.group != start.group || next.index != start.index + count) break;
    ++count;
  }
  return count;
}

auto state_block::apply_run(device& on, std::size_t first, std::size_t count) const noexcept
    -> HRESULT {
  const record& start = records_[first];
  const auto bytes =
      values_.view().subspan(start.offset_bytes, count * state_bytes(start.key.group));
  return set_states(on, start.key, bytes);
}

auto state_block::apply(device& on) const noexcept -> HRESULT {
  if (on.blocks.is_open(*this)) return D3DERR_INVALIDCALL;
  HRESULT first_error = S_OK;
  for (std::size_t i = 0; i < records_.size();) {
    const std::size_t count = run_at(i);
    const HRESULT applied = apply_run(on, i, count);
    if (FAILED(applied) && SUCCEEDED(first_error)) first_error = applied;
    i += count;
  }
  return first_error;
}

void state_block::forget(const void* object) noexcept {
  for (const record& each : records_) {
    const std::size_t offset = object_offset(each.key.group);
    if (offset == SIZE_MAX) continue;
    std::byte* const at = values_.data() + each.offset_bytes + offset;
    if (load<const void*>(at) == object) store<const void*>(at, nullptr);
  }
}

auto state_blocks::begin(state_block*& out) noexcept -> HRESULT {
  out = nullptr;
  if (is_recording()) return D3DERR_INVALIDCALL;
  const HRESULT kept = keep(std::unique_ptr<state_block>{new (std::nothrow) state_block}, open_);
  out = open_;
  return kept;
}

auto state_blocks::end() noexcept -> HRESULT {
  if (!is_recording()) return D3DERR_INVALIDCALL;
  return std::exchange(open_, nullptr)->finish() ? S_OK : E_OUTOFMEMORY;
}

auto state_blocks::create(const device_state& state, D3DSTATEBLOCKTYPE type,
                          state_block*& out) noexcept -> HRESULT {
  out = nullptr;
  if (is_recording()) return D3DERR_INVALIDCALL;
  std::unique_ptr<state_block> made{new (std::nothrow) state_block};
  if (made == nullptr || !add_states_of(*made, state, type) || !made->finish()) {
    return E_OUTOFMEMORY;
  }
  return keep(std::move(made), out);
}

auto state_blocks::keep(std::unique_ptr<state_block> block, state_block*& out) noexcept -> HRESULT {
  if (block == nullptr) return E_OUTOFMEMORY;
  state_block* const kept = block.get();
  if (!blocks_.push_back(std::move(block))) return E_OUTOFMEMORY;
  out = kept;
  return S_OK;
}

auto state_blocks::find(const void* handle) const noexcept -> state_block* {
  for (const auto& block : blocks_) {
    if (block.get() == handle) return block.get();
  }
  return nullptr;
}

auto state_blocks::destroy(const state_block* block) noexcept -> HRESULT {
  if (block == nullptr || find(block) == nullptr) return E_INVALIDARG;
  if (block == open_) open_ = nullptr;
  blocks_.erase_if([&](const auto& each) { return each.get() == block; });
  return S_OK;
}

auto state_blocks::record(state_key key, const_bytes value) noexcept -> HRESULT {
  AEROGPU_CHECK(is_recording());
  return open_->add(key, value) ? S_OK : E_OUTOFMEMORY;
}

void state_blocks::forget(const void* object) noexcept {
  for (const auto& block : blocks_) block->forget(object);
}

}  // namespace aerogpu::umd
