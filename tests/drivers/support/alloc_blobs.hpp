// SPDX-License-Identifier: MIT
/// \file Private data of allocations as a user-mode driver fills it.
#pragma once

#include "aerogpu/abi/wddm_alloc.h"
#include "aerogpu/memory/alloc_private_data.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace aerogpu::test {

using blob = std::vector<std::byte>;

inline constexpr std::uint32_t shared_flag = AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED;
inline constexpr std::uint32_t cpu_visible_flag = AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE;

[[nodiscard]] inline auto to_blob(const alloc_private_data& data) -> blob {
  blob bytes(alloc_private_data_bytes(data.version) != 0 ? alloc_private_data_bytes(data.version)
                                                         : sizeof data);
  std::memcpy(bytes.data(), &data, bytes.size());
  return bytes;
}

[[nodiscard]] inline auto parse_blob(const blob& bytes) -> alloc_private_data {
  alloc_private_data data{};
  std::memcpy(&data, bytes.data(), bytes.size() < sizeof data ? bytes.size() : sizeof data);
  return data;
}

/// A texture of the user-mode driver.
struct texture_description {
  std::uint32_t id = 1;
  std::uint32_t width = 64;
  std::uint32_t height = 32;
  std::uint32_t dxgi = 87;  ///< B8G8R8A8.
  std::uint32_t bytes_per_pixel = 4;
  std::uint32_t flags = 0;
  std::uint32_t handle = 0;  ///< Version 3 when it is not 0.
};

[[nodiscard]] inline auto texture_blob(const texture_description& of) -> blob {
  alloc_private_data data{};
  data.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  data.version =
      of.handle != 0 ? AEROGPU_WDDM_ALLOC_PRIV_VERSION_3 : AEROGPU_WDDM_ALLOC_PRIV_VERSION_2;
  data.alloc_id = of.id;
  data.flags = of.flags;
  data.kind = AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D;
  data.width = of.width;
  data.height = of.height;
  data.format = of.dxgi;
  data.row_pitch_bytes = of.width * of.bytes_per_pixel;
  data.size_bytes = std::uint64_t{data.row_pitch_bytes} * of.height;
  data.resource_handle = of.handle;
  return to_blob(data);
}

[[nodiscard]] inline auto buffer_blob(std::uint32_t id, std::uint64_t size_bytes,
                                      std::uint32_t flags = 0,
                                      std::uint32_t version = AEROGPU_WDDM_ALLOC_PRIV_VERSION)
    -> blob {
  alloc_private_data data{};
  data.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  data.version = version;
  data.alloc_id = id;
  data.flags = flags;
  data.size_bytes = size_bytes;
  data.kind = AEROGPU_WDDM_ALLOC_KIND_BUFFER;  // From version 2 on.
  return to_blob(data);
}

}  // namespace aerogpu::test
