// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_u/runtime_portable.hpp"

#include <algorithm>

namespace aerogpu::umd::front_u {

namespace {

constexpr std::uint32_t first_bytes = 64 * 1024;
constexpr std::uint32_t list_entries = 4096;  // Of a list that nobody reads.

}  // namespace

auto runtime_portable::space() noexcept -> recording_space {
  return {commands_.data(), static_cast<std::uint32_t>(commands_.size()), list_entries};
}

auto runtime_portable::create_context(recording_space& out) noexcept -> HRESULT {
  if (!commands_.resize(first_bytes)) return E_OUTOFMEMORY;
  out = space();
  return S_OK;
}

void runtime_portable::destroy_context() noexcept {
  commands_.clear();
}

auto runtime_portable::acquire(std::uint32_t needed_bytes, recording_space& out) noexcept
    -> HRESULT {
  const auto now = static_cast<std::uint32_t>(commands_.size());
  const std::uint32_t wanted = std::max(needed_bytes, now);
  if (wanted > now && !commands_.resize(wanted)) return E_OUTOFMEMORY;
  out = space();
  return S_OK;
}

auto runtime_portable::submit(const submission& work, recording_space& out) noexcept -> HRESULT {
  submitted_.store(raw(work.fence));
  out = space();
  return S_OK;
}

auto runtime_portable::poll_completed(fence_value& out) noexcept -> bool {
  out = fence_value{submitted_.load()};
  return true;
}

}  // namespace aerogpu::umd::front_u
