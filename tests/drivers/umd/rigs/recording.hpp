// SPDX-License-Identifier: MIT
/// \file Small operations that tests of submission record.
#pragma once

#include "aerogpu/memory/alloc_private_data.hpp"
#include "drivers/win7/umd/d3d9/device/device_call.hpp"
#include "tests/drivers/umd/rigs/device_rig.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd::test {

/// One packet that needs nothing.
inline void record_viewport(recorder& to) {
  REQUIRE(to.reserve(packet_bytes<aerogpu_cmd_set_viewport>()) == S_OK);
  REQUIRE(to.packets().set_viewport({0, 0, 4, 4, 0, 1}));
}

/// Memory of a buffer in the kernel; the test frees it.
[[nodiscard]] inline auto allocate_backing(device_rig& rig, std::uint64_t size_bytes)
    -> guest_backing {
  alloc_private_data data{};
  data.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_3;
  data.alloc_id = raw(rig.adapter.ids.next());
  data.size_bytes = size_bytes;
  data.kind = AEROGPU_WDDM_ALLOC_KIND_BUFFER;
  guest_backing made{{}, alloc_id{data.alloc_id}, {}, size_bytes};
  REQUIRE(rig.runtime.allocate({.private_data = mutable_bytes_of(data)}, made.allocation) == S_OK);
  return made;
}

/// UPLOAD_RESOURCE, as large as fits each time.
[[nodiscard]] inline auto upload_in_pieces(recorder& to, resource_handle buffer,
                                           const_bytes content) -> bool {
  constexpr std::uint64_t header = packet_bytes<aerogpu_cmd_upload_resource>();
  for (std::size_t at = 0; at < content.size();) {
    const std::size_t room = to.room_bytes() > header ? to.room_bytes() - header : 0;
    const std::size_t wanted =
        std::min(content.size() - at, std::max<std::size_t>(room / 4 * 4, 4));
    if (to.reserve(header + wanted) != S_OK) return false;
    if (!to.packets().upload_resource(buffer, at, content.subspan(at, wanted))) return false;
    at += wanted;
  }
  return true;
}

}  // namespace aerogpu::umd::test
