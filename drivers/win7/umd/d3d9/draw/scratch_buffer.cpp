// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/scratch_buffer.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"
#include "drivers/win7/umd/d3d9/submit/upload.hpp"

#include <array>

namespace aerogpu::umd {

auto scratch_buffer::upload(device& on, const_bytes bytes) noexcept -> HRESULT {
  if (bytes.size() > most_bytes) return E_INVALIDARG;
  const HRESULT grown = grow(on, bytes.size());
  if (FAILED(grown)) return grown;
  const const_bytes whole = bytes.first(bytes.size() / 4 * 4);
  const HRESULT sent = upload_bytes(on.commands, handle_, 0, whole, 4);
  if (FAILED(sent) || whole.size() == bytes.size()) return sent;
  std::array<std::byte, 4> last{};
  copy_bytes(mutable_bytes{last}.first(bytes.size() - whole.size()), bytes.subspan(whole.size()));
  return upload_bytes(on.commands, handle_, whole.size(), last, 4);
}

auto scratch_buffer::grow(device& on, std::uint64_t size_bytes) noexcept -> HRESULT {
  if (handle_ != resource_handle{} && size_bytes <= size_bytes_) return S_OK;
  std::uint64_t wanted = size_bytes_ == 0 ? first_size_bytes : size_bytes_;
  while (wanted < size_bytes) wanted *= 2;
  const resource_handle made = on.adapter.handles.next_resource();
  const HRESULT created = emit<aerogpu_cmd_create_buffer>(on.commands, [&](auto& packets) {
    return packets.create_buffer(
        {.buffer = made,
         .usage_flags = AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER | AEROGPU_RESOURCE_USAGE_INDEX_BUFFER,
         .size_bytes = wanted});
  });
  if (FAILED(created)) return created;
  destroy(on);
  handle_ = made;
  size_bytes_ = wanted;
  return S_OK;
}

void scratch_buffer::destroy(device& on) noexcept {
  if (handle_ == resource_handle{}) return;
  static_cast<void>(emit<aerogpu_cmd_destroy_resource>(
      on.commands, [&](auto& packets) { return packets.destroy_resource(handle_); }));
  handle_ = {};
  size_bytes_ = 0;
}

}  // namespace aerogpu::umd
