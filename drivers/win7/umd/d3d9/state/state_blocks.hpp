// SPDX-License-Identifier: MIT
/// \file State blocks: values of named states, recorded or captured, and applied again.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"
#include "drivers/win7/umd/d3d9/state/state_key.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace aerogpu::umd {

class device;
struct device_state;

/// The runtime's handle of it is its address.
class state_block {
 public:
  /// Adds a state; the value of the last one counts. False without memory.
  [[nodiscard]] auto add(state_key key, const_bytes value) noexcept -> bool;
  /// Brings the states into the order in which they apply, each once.
  [[nodiscard]] auto finish() noexcept -> bool;

  /// Reads the same states from the device again.
  void capture(const device_state& state) noexcept;
  /// Sets them on the device, or records them where another block is open. The first error, after
  /// all; D3DERR_INVALIDCALL of the open block itself.
  [[nodiscard]] auto apply(device& on) const noexcept -> HRESULT;
  /// Replaces every reference to an object that is destroyed by none.
  void forget(const void* object) noexcept;

 private:
  struct record {
    state_key key;
    std::uint32_t offset_bytes;  ///< Of its value.
  };
  [[nodiscard]] auto apply_run(device& on, std::size_t first, std::size_t count) const noexcept
      -> HRESULT;
  [[nodiscard]] auto run_at(std::size_t first) const noexcept -> std::size_t;

  heap_array<record> records_;
  heap_array<std::byte> values_;
};

/// The blocks of one device (umd-d3d9.md 2.12). D3DERR_INVALIDCALL for a call out of turn.
class state_blocks {
 public:
  /// While a block is open, settings go into it and not to the device. It can be found by its
  /// handle from now on.
  [[nodiscard]] auto begin(state_block*& out) noexcept -> HRESULT;
  [[nodiscard]] auto end() noexcept -> HRESULT;
  /// Snapshots the states of a type; one that is unknown is D3DSBT_ALL.
  [[nodiscard]] auto create(const device_state& state, D3DSTATEBLOCKTYPE type,
                            state_block*& out) noexcept -> HRESULT;
  /// E_INVALIDARG for none and for one that is not ours, here and in `find`.
  [[nodiscard]] auto destroy(const state_block* block) noexcept -> HRESULT;
  [[nodiscard]] auto find(const void* handle) const noexcept -> state_block*;

  [[nodiscard]] auto is_recording() const noexcept -> bool { return open_ != nullptr; }
  [[nodiscard]] auto is_open(const state_block& block) const noexcept -> bool {
    return open_ == &block;
  }
  /// The open block, or null.
  [[nodiscard]] auto recording() const noexcept -> state_block* { return open_; }
  /// E_OUTOFMEMORY. Precondition: is_recording().
  [[nodiscard]] auto record(state_key key, const_bytes value) noexcept -> HRESULT;
  template <class T>
  [[nodiscard]] auto record_value(state_key key, const T& value) noexcept -> HRESULT {
    return record(key, bytes_of(value));
  }
  void forget(const void* object) noexcept;

 private:
  [[nodiscard]] auto keep(std::unique_ptr<state_block> block, state_block*& out) noexcept
      -> HRESULT;

  heap_array<std::unique_ptr<state_block>> blocks_;
  state_block* open_ = nullptr;  ///< One of them.
};

}  // namespace aerogpu::umd
