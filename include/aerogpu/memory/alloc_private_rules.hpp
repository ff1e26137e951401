// SPDX-License-Identifier: MIT
/// \file Whether an allocation may be created or opened with the private data it carries.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/memory/alloc_private_data.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

namespace detail {

/// An id of the user-mode driver, or a standard allocation's: 0 until the kernel driver chooses
/// one, which no blob may do for it (kmd.md 3.4, row 4).
[[nodiscard]] constexpr auto check_alloc_id(const alloc_private_data& data,
                                            std::uint32_t most) noexcept -> result<void> {
  const bool is_user_mode = data.alloc_id != 0 && data.alloc_id <= AEROGPU_WDDM_ALLOC_ID_UMD_MAX;
  if (is_user_mode || (is_standard_allocation(data) && data.alloc_id <= most)) return {};
  return make_error(error_code::invalid_parameter, "alloc_id is not in the user-mode range",
                    data.alloc_id, AEROGPU_WDDM_ALLOC_ID_UMD_MAX);
}

/// A shared resource is one allocation, because one token names one (kmd.md 3.4, row 5).
[[nodiscard]] constexpr auto check_sharing(const alloc_private_data& data,
                                           std::uint32_t allocation_count) noexcept
    -> result<void> {
  if (is_shared(data) && allocation_count != 1) {
    return make_error(error_code::unsupported, "shared resource has several allocations",
                      allocation_count, 1);
  }
  if (!is_shared(data) && data.share_token != 0) {
    return make_error(error_code::invalid_parameter, "share_token without the shared flag",
                      data.share_token);
  }
  return {};
}

[[nodiscard]] constexpr auto check_pitch(const alloc_private_data& data) noexcept -> result<void> {
  const std::uint64_t pitch = row_pitch_bytes(data);
  if (pitch <= allocation_bytes(data)) return {};
  return make_error(error_code::invalid_parameter, "row pitch exceeds the allocation", pitch,
                    allocation_bytes(data));
}

}  // namespace detail

/// Rows 4 to 9 of kmd.md 3.4, in their order, for a parsed blob of a resource with
/// `allocation_count` allocations. Errors and what a driver answers: invalid_parameter
/// (STATUS_INVALID_PARAMETER), unsupported (STATUS_NOT_SUPPORTED), size_overflow
/// (STATUS_INTEGER_OVERFLOW); out_of_bounds of the parse is STATUS_BUFFER_TOO_SMALL.
[[nodiscard]] constexpr auto check_alloc_create(const alloc_private_data& data,
                                                std::uint32_t allocation_count,
                                                std::uint64_t max_bytes = SIZE_MAX) noexcept
    -> result<void> {
  constexpr std::uint32_t most = AEROGPU_WDDM_ALLOC_ID_UMD_MAX;
  if (const auto good = detail::check_alloc_id(data, most); !good) return good.why();
  if (const auto good = detail::check_sharing(data, allocation_count); !good) return good.why();
  if (const auto good = detail::check_pitch(data); !good) return good.why();
  const std::uint64_t size = allocation_bytes(data);
  if (size == 0) return make_error(error_code::invalid_parameter, "allocation has no bytes");
  if (size > max_bytes) {
    return make_error(error_code::size_overflow, "allocation exceeds the address space", size,
                      max_bytes);
  }
  return {};
}

/// Who opens an allocation: its creator, as part of creating it, or anybody later.
enum class alloc_opening : std::uint8_t { create, existing };

/// What the kernel driver remembers of the allocation that is opened.
struct alloc_identity {
  alloc_id id;
  share_token token;  ///< 0 = not shared.
};

/// The rules of OpenAllocation in kmd.md 3.4. Only a creator's opening may then write to the blob.
/// Errors as for `check_alloc_create`.
[[nodiscard]] constexpr auto check_alloc_open(const alloc_private_data& data,
                                              std::uint32_t allocation_count, alloc_opening opening,
                                              const alloc_identity& opened) noexcept
    -> result<void> {
  if (const auto good = detail::check_alloc_id(data, UINT32_MAX); !good) return good.why();
  if (is_shared(data) && allocation_count != 1) {
    return make_error(error_code::unsupported, "shared resource has several allocations",
                      allocation_count, 1);
  }
  if (const auto good = detail::check_pitch(data); !good) return good.why();
  if (opening == alloc_opening::create) return {};

  const auto refused = [](const char* what, std::uint64_t detail, std::uint64_t limit = 0) {
    return make_error(error_code::invalid_parameter, what, detail, limit);
  };
  if (!is_standard_allocation(data)) {
    if (!is_shared(data)) return refused("allocation is not shared", data.flags);
    if (data.share_token == 0) return refused("share_token is zero", 0);
    if (data.size_bytes == 0) return refused("size_bytes is zero", 0);
  }
  if (data.alloc_id != raw(opened.id)) {
    return refused("alloc_id is not the allocation's", data.alloc_id, raw(opened.id));
  }
  if (data.share_token != raw(opened.token)) {
    return refused("share_token is not the allocation's", data.share_token, raw(opened.token));
  }
  return {};
}

}  // namespace aerogpu
