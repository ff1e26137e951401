// SPDX-License-Identifier: MIT
/// \file Who the device is, and what the driver says of it: device, private blob, features,
/// segments.
#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/umd_private.h"
#include "drivers/win7/tests/guest/tests.hpp"

#include <algorithm>

namespace aerogpu::guest {
namespace {

auto is_known_magic(std::uint32_t magic) noexcept -> bool {
  return magic == AEROGPU_UMDPRIV_MMIO_MAGIC_NEW_AGPU ||
         magic == AEROGPU_UMDPRIV_MMIO_MAGIC_LEGACY_ARGP;
}

void run_device_state(session& with, report& to) {
  aerogpu_escape_query_device_out device{};
  aerogpu_escape_query_device_v2_out device_v2{};
  aerogpu_escape_query_error_out error{};
  if (!with.ask(to, "QUERY_DEVICE answers", AEROGPU_ESCAPE_OP_QUERY_DEVICE, device) ||
      !with.ask(to, "QUERY_DEVICE_V2 answers", AEROGPU_ESCAPE_OP_QUERY_DEVICE_V2, device_v2) ||
      !with.ask(to, "QUERY_ERROR answers", AEROGPU_ESCAPE_OP_QUERY_ERROR, error)) {
    return;
  }
  const std::uint32_t magic = device_v2.detected_mmio_magic;
  const std::uint32_t version = device_v2.abi_version_u32;
  const std::uint32_t flags = error.flags;
  to.check(is_known_magic(magic), "the magic is known", message{hex{magic}});
  to.check(version != 0, "there is an ABI version", message{version >> 16, ".", version & 0xFFFF});
  to.check(device.mmio_version == version, "both queries give one version",
           message{hex{device.mmio_version}, " and ", hex{version}});
  to.check((flags & AEROGPU_DBGCTL_QUERY_ERROR_FLAGS_VALID) != 0, "the error flags are valid",
           message{hex{flags}});
  to.check((flags & AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_LATCHED) == 0, "no error is latched",
           message{"code ", std::uint32_t{error.error_code}, ", count ",
                   std::uint32_t{error.error_count}});
}

auto query_adapter(session& with, KMTQUERYADAPTERINFOTYPE type, void* answer, UINT size_bytes)
    -> NTSTATUS {
  const D3DKMT_QUERYADAPTERINFO asked{with.adapter(), type, answer, size_bytes};
  return with.calls().D3DKMTQueryAdapterInfo(&asked);
}

auto query_private(session& with, report& to, aerogpu_umd_private_v1& blob) -> bool {
  const NTSTATUS status = query_adapter(with, KMTQAITYPE_UMDRIVERPRIVATE, &blob, UINT{sizeof blob});
  return NT_SUCCESS(status) ||
         to.check(false, "UMDRIVERPRIVATE answers", message{"refused with ", status_of(status)});
}

void run_umd_private(session& with, report& to) {
  aerogpu_umd_private_v1 blob{};
  if (!query_private(with, to, blob)) return;
  const std::uint32_t magic = blob.device_mmio_magic;
  const std::uint32_t flags = blob.flags;
  const std::uint64_t features = blob.device_features;
  const bool is_legacy = (flags & AEROGPU_UMDPRIV_FLAG_IS_LEGACY) != 0;
  const auto implies = [&](std::uint32_t flag, std::uint64_t feature) {
    return (flags & flag) == 0 || (features & feature) != 0;
  };
  to.check(blob.size_bytes >= sizeof blob, "the blob has 64 bytes",
           message{std::uint32_t{blob.size_bytes}});
  to.check(blob.struct_version == AEROGPU_UMDPRIV_STRUCT_VERSION_V1, "its version is 1",
           message{std::uint32_t{blob.struct_version}});
  to.check(is_known_magic(magic), "the magic is known", message{hex{magic}});
  to.check(is_legacy == (magic == AEROGPU_UMDPRIV_MMIO_MAGIC_LEGACY_ARGP),
           "the legacy flag goes with the legacy magic", message{hex{flags}});
  to.check(implies(AEROGPU_UMDPRIV_FLAG_HAS_VBLANK, AEROGPU_UMDPRIV_FEATURE_VBLANK),
           "HAS_VBLANK has its feature", message{hex{features}});
  to.check(implies(AEROGPU_UMDPRIV_FLAG_HAS_FENCE_PAGE, AEROGPU_UMDPRIV_FEATURE_FENCE_PAGE),
           "HAS_FENCE_PAGE has its feature", message{hex{features}});
}

void run_transfer_feature(session& with, report& to) {
  aerogpu_escape_query_device_v2_out device{};
  aerogpu_umd_private_v1 blob{};
  if (!with.ask(to, "QUERY_DEVICE_V2 answers", AEROGPU_ESCAPE_OP_QUERY_DEVICE_V2, device) ||
      !query_private(with, to, blob)) {
    return;
  }
  constexpr std::uint32_t first_with_transfer = 1u << 16 | 1;
  const std::uint32_t version = device.abi_version_u32;
  if (version < first_with_transfer)
    return to.skip(
        message{"the device's ABI ", version >> 16, ".", version & 0xFFFF, " is older than 1.1"});
  const std::uint64_t seen_by_escape = device.features_lo;
  const std::uint64_t seen_by_blob = blob.device_features;
  to.check((seen_by_escape & AEROGPU_FEATURE_TRANSFER) != 0, "QUERY_DEVICE_V2 has TRANSFER",
           message{hex{seen_by_escape}});
  to.check((seen_by_blob & AEROGPU_UMDPRIV_FEATURE_TRANSFER) != 0, "the private blob has TRANSFER",
           message{hex{seen_by_blob}});
}

/// As the driver clamps it (kmd.md 3.19).
auto expected_aperture_mib(const aperture_setting& set) noexcept -> std::uint64_t {
  constexpr std::uint32_t usual = 512;
  constexpr std::uint32_t least = 128;
  const std::uint32_t most = set.is_64_bit_windows ? 2048 : 1024;
  return std::clamp(set.mebibytes == 0 ? usual : set.mebibytes, least, most);
}

void run_segment_budget(session& with, report& to) {
  D3DKMT_SEGMENTSIZEINFO sizes{};
  const NTSTATUS status =
      query_adapter(with, KMTQAITYPE_GETSEGMENTSIZE, &sizes, UINT{sizeof sizes});
  if (!to.check(NT_SUCCESS(status), "the segments' sizes can be had", message{status_of(status)}))
    return;
  const std::uint64_t shared_mib = sizes.SharedSystemMemorySize >> 20;
  const std::uint64_t expected_mib = expected_aperture_mib(with.around().aperture());
  to.note("dedicated video memory", message{sizes.DedicatedVideoMemorySize >> 20, " MiB"});
  to.check(shared_mib >= 128, "shared memory is 128 MiB or more", message{shared_mib, " MiB"});
  to.check(shared_mib == expected_mib, "it is what the registry asks for",
           message{shared_mib, " of ", expected_mib, " MiB"});
  if (shared_mib < 512) to.note("less than the usual 512 MiB", message{shared_mib, " MiB"});
}

}  // namespace

constexpr std::uint32_t query_limit_ms = 10'000;
const guest_test device_state_sanity{
    "device_state_sanity", "the device has a known magic and version, and no error is latched",
    query_limit_ms, &run_device_state};
const guest_test umd_private_sanity{
    "umd_private_sanity", "the blob for the user-mode driver agrees with itself and the device",
    query_limit_ms, &run_umd_private};
const guest_test transfer_feature_sanity{"transfer_feature_sanity",
                                         "a device of ABI 1.1 or later offers TRANSFER",
                                         query_limit_ms, &run_transfer_feature};
const guest_test segment_budget_sanity{"segment_budget_sanity",
                                       "the aperture segment is as large as the registry asks",
                                       query_limit_ms, &run_segment_budget};

}  // namespace aerogpu::guest
