// SPDX-License-Identifier: MIT
/// \file Swap chains: the buffers that one window shows in turn (umd-d3d9.md 2.14.1).
#pragma once

#include "aerogpu/hosted/heap_array.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

class device;

/// What a runtime asks for; also what a chain is, with nothing left open.
struct swap_chain_shape {
  std::uint32_t width = 0;  ///< 0 = as wide as the window's client area, or the primary.
  std::uint32_t height = 0;
  std::uint32_t format = 0;        ///< D3DFORMAT; 0 = the display's.
  std::uint32_t buffer_count = 0;  ///< 0 = one.
  std::uint32_t swap_effect = 0;   ///< D3DSWAPEFFECT
  void* window = nullptr;          ///< HWND
  bool is_windowed = true;
};

/// A runtime's handle of it is its address.
class swap_chain {
 public:
  explicit swap_chain(const swap_chain_shape& of) noexcept : shape(of) {}

  swap_chain_shape shape;
  heap_array<resource*> buffers;  ///< Of the device; the first one is drawn to.
  swap_chain* next = nullptr;     ///< In the order of creation.
};

/// The chains of one device. The device's mutex guards it.
class swap_chain_set {
 public:
  swap_chain_set() noexcept = default;
  swap_chain_set(const swap_chain_set&) = delete;
  auto operator=(const swap_chain_set&) -> swap_chain_set& = delete;
  ~swap_chain_set();

  /// The one that presents without another name go to; null without chains.
  [[nodiscard]] auto current() const noexcept -> swap_chain* { return current_; }
  /// Null for what is no chain of the device.
  [[nodiscard]] auto at(std::size_t index) const noexcept -> swap_chain*;
  [[nodiscard]] auto contains(const swap_chain* chain) const noexcept -> bool;
  /// The chain that a buffer belongs to, or null.
  [[nodiscard]] auto find_owner(const resource& buffer) const noexcept -> swap_chain*;
  /// E_INVALIDARG for what is no chain of the device.
  [[nodiscard]] auto make_current(swap_chain* chain) noexcept -> HRESULT;

  void insert(swap_chain& made) noexcept;
  /// The first of the rest becomes current in its place.
  void remove(swap_chain& gone) noexcept;
  /// A buffer that is destroyed leaves its chain.
  void forget(const resource& gone) noexcept;

 private:
  swap_chain* first_ = nullptr;
  swap_chain* current_ = nullptr;
};

/// Makes the buffers, and binds the first one as render target 0 when nothing is bound. The first
/// chain is current. Errors as of `create_resource`; nothing is kept then.
[[nodiscard]] auto create_swap_chain(device& on, const swap_chain_shape& wanted,
                                     swap_chain*& out) noexcept -> HRESULT;
/// E_INVALIDARG for what is no chain. Also on a lost device.
auto destroy_swap_chain(device& on, swap_chain* gone) noexcept -> HRESULT;
/// Makes it the current one. E_INVALIDARG for what is no chain.
[[nodiscard]] auto set_swap_chain(device& on, swap_chain* chain) noexcept -> HRESULT;

/// Reset and ResetEx: the current chain becomes `wanted`. Buffers that it keeps are the same
/// resources, bound where they were; the others go or come. All other resources stay; presents in
/// flight are forgotten. S_OK without a chain. Errors as of creation, and D3DERR_INVALIDCALL while
/// a buffer is locked; the chain is as before then.
[[nodiscard]] auto reset_swap_chain(device& on, const swap_chain_shape& wanted) noexcept -> HRESULT;

}  // namespace aerogpu::umd
