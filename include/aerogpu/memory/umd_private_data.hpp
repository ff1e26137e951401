// SPDX-License-Identifier: MIT
/// \file The adapter blob with which the kernel driver describes the device to the user-mode one.
#pragma once

#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/umd_private.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aerogpu {

/// What the kernel driver read from the device when it started it.
struct device_identity {
  std::uint32_t mmio_magic;   ///< BAR0 word 0.
  std::uint32_t abi_version;  ///< BAR0 word 1; a legacy device's version register.
  std::uint64_t features;
  bool has_fence_page;  ///< A page is programmed and used, not only supported.
};

/// The blob for a device (wire.md 12.3). A legacy device has no feature bits.
[[nodiscard]] constexpr auto make_umd_private(const device_identity& device) noexcept
    -> aerogpu_umd_private_v1 {
  const bool is_legacy = device.mmio_magic == AEROGPU_UMDPRIV_MMIO_MAGIC_LEGACY_ARGP;
  const std::uint64_t features = is_legacy ? 0 : device.features;
  std::uint32_t flags = 0;
  if (is_legacy) flags |= AEROGPU_UMDPRIV_FLAG_IS_LEGACY;
  if ((features & AEROGPU_UMDPRIV_FEATURE_VBLANK) != 0) flags |= AEROGPU_UMDPRIV_FLAG_HAS_VBLANK;
  if (device.has_fence_page) flags |= AEROGPU_UMDPRIV_FLAG_HAS_FENCE_PAGE;
  aerogpu_umd_private_v1 blob{};
  blob.size_bytes = sizeof blob;
  blob.struct_version = AEROGPU_UMDPRIV_STRUCT_VERSION_V1;
  blob.device_mmio_magic = device.mmio_magic;
  blob.device_abi_version_u32 = device.abi_version;
  blob.device_features = features;
  blob.flags = flags;
  return blob;
}

/// Answers the adapter query into the caller's buffer (kmd.md 3.20): 64 bytes and more take the
/// blob, and zeros after it; exactly 4 take the version word alone.
/// Error: no_space for any other size, and nothing is written.
[[nodiscard]] inline auto write_umd_private(mutable_bytes out,
                                            const aerogpu_umd_private_v1& blob) noexcept
    -> result<void> {
  if (out.size() == sizeof blob.device_abi_version_u32) {
    store(out.data(), std::uint32_t{blob.device_abi_version_u32});
    return {};
  }
  if (out.size() < sizeof blob) {
    return make_error(error_code::no_space, "adapter blob does not fit", sizeof blob, out.size());
  }
  std::memset(out.data(), 0, out.size());
  store(out.data(), blob);
  return {};
}

/// Copies the blob out of what the OS handed over; a longer one is a newer driver's.
/// Errors: out_of_bounds when the bytes or size_bytes are too few; bad_version.
[[nodiscard]] inline auto parse_umd_private(const_bytes bytes) noexcept
    -> result<aerogpu_umd_private_v1> {
  constexpr std::size_t needed = sizeof(aerogpu_umd_private_v1);
  if (bytes.size() < needed) {
    return make_error(error_code::out_of_bounds, "adapter blob is too short", bytes.size(), needed);
  }
  const auto blob = load<aerogpu_umd_private_v1>(bytes.data());
  if (blob.size_bytes < needed) {
    return make_error(error_code::out_of_bounds, "size_bytes is less than the adapter blob",
                      blob.size_bytes, needed);
  }
  if (blob.struct_version != AEROGPU_UMDPRIV_STRUCT_VERSION_V1) {
    return make_error(error_code::bad_version, "adapter blob version is unknown",
                      blob.struct_version, AEROGPU_UMDPRIV_STRUCT_VERSION_V1);
  }
  return blob;
}

}  // namespace aerogpu
