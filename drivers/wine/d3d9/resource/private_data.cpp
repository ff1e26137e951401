// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/resource/private_data.hpp"

#include "drivers/wine/d3d9/api/flags.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::d3d9 {

private_data::~private_data() {
  // A release may come back here: the list is empty by then.
  for (const auto& one : std::exchange(entries_, {})) {
    if (one.interface != nullptr) one.interface->Release();
  }
}

auto private_data::find(const GUID& name) const -> std::vector<entry>::const_iterator {
  return std::find_if(entries_.begin(), entries_.end(),
                      [&](const entry& one) { return is_same(one.name, name); });
}

auto private_data::set(const GUID& name, const void* data, DWORD bytes, DWORD flags) -> HRESULT {
  const bool is_interface = (flags & private_data_is_unknown) != 0;
  if (is_interface && bytes != sizeof(IUnknown*)) return D3DERR_INVALIDCALL;
  if (data == nullptr && (is_interface || bytes != 0)) return D3DERR_INVALIDCALL;
  entry made;
  made.name = name;
  if (is_interface) {
    // The interface is the program's, of which only IUnknown is used: it is never written to.
    made.interface = static_cast<IUnknown*>(const_cast<void*>(data));
  } else {
    const auto* const first = static_cast<const std::byte*>(data);
    made.bytes.assign(first, first + bytes);
  }
  entries_.reserve(entries_.size() + 1);
  if (is_interface) made.interface->AddRef();
  static_cast<void>(free(name));
  entries_.push_back(std::move(made));
  return S_OK;
}

auto private_data::get(const GUID& name, void* data, DWORD* bytes) const -> HRESULT {
  const auto found = find(name);
  if (found == entries_.end()) return D3DERR_NOTFOUND;
  if (bytes == nullptr) return D3DERR_INVALIDCALL;
  const bool is_interface = found->interface != nullptr;
  const auto size = static_cast<DWORD>(is_interface ? sizeof(IUnknown*) : found->bytes.size());
  const auto room = std::exchange(*bytes, size);
  if (data == nullptr) return S_OK;
  if (room < size) return D3DERR_MOREDATA;
  if (is_interface) {
    found->interface->AddRef();
    std::memcpy(data, &found->interface, sizeof found->interface);
  } else if (size != 0) {
    std::memcpy(data, found->bytes.data(), size);
  }
  return S_OK;
}

auto private_data::free(const GUID& name) -> HRESULT {
  const auto found = find(name);
  if (found == entries_.end()) return D3DERR_NOTFOUND;
  auto* const interface = found->interface;
  entries_.erase(found);
  if (interface != nullptr) interface->Release();
  return S_OK;
}

}  // namespace aerogpu::d3d9
