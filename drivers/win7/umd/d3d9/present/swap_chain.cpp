// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/present/swap_chain.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/present/display.hpp"
#include "drivers/win7/umd/d3d9/present/rotation.hpp"
#include "drivers/win7/umd/d3d9/resource/creation.hpp"
#include "drivers/win7/umd/d3d9/resource/destruction.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <span>

namespace aerogpu::umd {

namespace {

/// Direct3D 9Ex's own limit: D3DPRESENT_BACK_BUFFERS_MAX_EX.
constexpr std::uint32_t most_buffers = 30;

/// Fills in what was left open.
void complete(const device& on, swap_chain_shape& shape) noexcept {
  shape.buffer_count = std::max(shape.buffer_count, 1u);
  if (shape.format == 0) shape.format = display_format;
  if (shape.width != 0 && shape.height != 0) return;
  const os::window_state window =
      shape.is_windowed ? os::ask_window(shape.window) : os::window_state{};
  const os::display_mode mode = current_mode(on.adapter);
  if (shape.width == 0) shape.width = window.client_width != 0 ? window.client_width : mode.width;
  if (shape.height == 0) {
    shape.height = window.client_height != 0 ? window.client_height : mode.height;
  }
}

void destroy_all(device& on, heap_array<resource*>& buffers) noexcept {
  for (resource* const each : buffers) static_cast<void>(destroy_resource(on, each));
  buffers.clear();
}

/// All buffers of the shape, or none.
[[nodiscard]] auto make_buffers(device& on, const swap_chain_shape& shape,
                                heap_array<resource*>& out) noexcept -> HRESULT {
  if (shape.buffer_count > most_buffers) return D3DERR_INVALIDCALL;
  if (!out.reserve(shape.buffer_count)) return E_OUTOFMEMORY;
  resource_request request;
  request.kind = resource_kind::surface;
  request.flags.is_render_target = true;
  request.format = shape.format;
  request.width = shape.width;
  request.height = shape.height;
  for (std::uint32_t i = 0; i < shape.buffer_count; ++i) {
    resource* made = nullptr;
    if (const HRESULT created = create_resource(on, request, made); FAILED(created)) {
      destroy_all(on, out);
      return created;
    }
    static_cast<void>(out.push_back(made));  // Room was made.
  }
  return S_OK;
}

[[nodiscard]] auto bind_first_buffer(device& on, const swap_chain& chain) noexcept -> HRESULT {
  if (on.state.render_targets[0].resource != nullptr || chain.buffers.empty()) return S_OK;
  return set_render_target(on, 0, {chain.buffers[0], 0});
}

[[nodiscard]] auto has_locked_buffer(const swap_chain& chain) noexcept -> bool {
  return std::any_of(chain.buffers.begin(), chain.buffers.end(),
                     [](const resource* each) { return !each->locks.empty(); });
}

/// The buffers that stay become what the fresh ones are, those become what was before, and are for
/// the caller to destroy; the rest comes or goes. Nothing changed on failure.
[[nodiscard]] auto adopt_buffers(device& on, swap_chain& chain,
                                 heap_array<resource*>& fresh) noexcept -> HRESULT {
  const std::size_t kept = std::min(chain.buffers.size(), fresh.size());
  if (!chain.buffers.reserve(fresh.size())) return E_OUTOFMEMORY;
  const auto exchange = [&] {
    for (std::size_t i = 0; i < kept; ++i) swap_identities(*chain.buffers[i], *fresh[i]);
  };
  exchange();
  if (const HRESULT bound = bind_again(on, std::span{chain.buffers.data(), kept}); FAILED(bound)) {
    exchange();
    return bound;
  }
  // Each leaves the chain as it is destroyed.
  while (chain.buffers.size() > kept) {
    static_cast<void>(destroy_resource(on, chain.buffers.back()));
  }
  for (std::size_t i = kept; i < fresh.size(); ++i) {
    static_cast<void>(chain.buffers.push_back(fresh[i]));  // Room was made.
  }
  while (fresh.size() > kept) fresh.pop_back();
  return S_OK;
}

}  // namespace

swap_chain_set::~swap_chain_set() {
  while (first_ != nullptr) {
    const std::unique_ptr<swap_chain> ended{first_};
    first_ = ended->next;
  }
}

auto swap_chain_set::at(std::size_t index) const noexcept -> swap_chain* {
  swap_chain* found = first_;
  for (; found != nullptr && index != 0; --index) found = found->next;
  return found;
}

auto swap_chain_set::contains(const swap_chain* chain) const noexcept -> bool {
  const swap_chain* found = first_;
  while (found != nullptr && found != chain) found = found->next;
  return found != nullptr;
}

auto swap_chain_set::find_owner(const resource& buffer) const noexcept -> swap_chain* {
  for (swap_chain* each = first_; each != nullptr; each = each->next) {
    const auto& buffers = each->buffers;
    if (std::find(buffers.begin(), buffers.end(), &buffer) != buffers.end()) return each;
  }
  return nullptr;
}

auto swap_chain_set::make_current(swap_chain* chain) noexcept -> HRESULT {
  if (chain == nullptr || !contains(chain)) return E_INVALIDARG;
  current_ = chain;
  return S_OK;
}

void swap_chain_set::insert(swap_chain& made) noexcept {
  swap_chain** end = &first_;
  while (*end != nullptr) end = &(*end)->next;
  *end = &made;
  if (current_ == nullptr) current_ = &made;
}

void swap_chain_set::remove(swap_chain& gone) noexcept {
  swap_chain** link = &first_;
  while (*link != &gone) link = &(*link)->next;
  *link = gone.next;
  if (current_ == &gone) current_ = first_;
}

void swap_chain_set::forget(const resource& gone) noexcept {
  swap_chain* const owner = find_owner(gone);
  if (owner == nullptr) return;
  auto& buffers = owner->buffers;
  std::rotate(std::find(buffers.begin(), buffers.end(), &gone), buffers.end() - 1, buffers.end());
  buffers.pop_back();
}

auto create_swap_chain(device& on, const swap_chain_shape& wanted, swap_chain*& out) noexcept
    -> HRESULT {
  out = nullptr;
  std::unique_ptr<swap_chain> made{new (std::nothrow) swap_chain{wanted}};
  if (made == nullptr) return E_OUTOFMEMORY;
  complete(on, made->shape);
  HRESULT result = make_buffers(on, made->shape, made->buffers);
  if (SUCCEEDED(result)) result = bind_first_buffer(on, *made);
  if (FAILED(result)) {
    destroy_all(on, made->buffers);
    return result;
  }
  on.swap_chains.insert(*made);
  out = made.release();
  return S_OK;
}

auto destroy_swap_chain(device& on, swap_chain* gone) noexcept -> HRESULT {
  if (gone == nullptr || !on.swap_chains.contains(gone)) return E_INVALIDARG;
  const std::unique_ptr<swap_chain> owned{gone};
  on.swap_chains.remove(*gone);
  destroy_all(on, gone->buffers);
  const swap_chain* const left = on.swap_chains.current();
  if (left != nullptr) static_cast<void>(bind_first_buffer(on, *left));
  return S_OK;
}

auto set_swap_chain(device& on, swap_chain* chain) noexcept -> HRESULT {
  return on.swap_chains.make_current(chain);
}

auto reset_swap_chain(device& on, const swap_chain_shape& wanted) noexcept -> HRESULT {
  if (on.loss.is_lost()) return on.loss.code();
  on.presents.latency.reset();
  swap_chain* const chain = on.swap_chains.current();
  if (chain == nullptr) return S_OK;
  if (has_locked_buffer(*chain)) return D3DERR_INVALIDCALL;
  swap_chain_shape shape = wanted;
  complete(on, shape);
  heap_array<resource*> fresh;
  HRESULT result = make_buffers(on, shape, fresh);
  if (FAILED(result)) return result;
  result = adopt_buffers(on, *chain, fresh);
  destroy_all(on, fresh);
  if (FAILED(result)) return result;
  chain->shape = shape;
  return bind_first_buffer(on, *chain);
}

}  // namespace aerogpu::umd
