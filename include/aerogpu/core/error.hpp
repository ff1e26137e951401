// SPDX-License-Identifier: MIT
/// \file What failed and where: error codes and the error value.
#pragma once

#include "aerogpu/core/language.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Kinds of failure. The spec's names (host.md 2.2) are what `kind_name` returns.
enum class error_code : std::uint32_t {
  none = 0,
  // Stream processing, host.md 2.2.
  framing,                 ///< Stream or packet structure.
  invalid_handle,          ///< Handle 0 where an object is needed.
  unknown_handle,          ///< Handle that names no live object.
  handle_in_use,           ///< Create or import onto a live or reserved id.
  wrong_kind,              ///< Live handle of another kind; shader of another stage.
  invalid_parameter,       ///< Bad enumerator, size, alignment, count or slot.
  unsupported_format,      ///< Format outside the enumeration, or incompatible.
  size_overflow,           ///< Arithmetic on guest numbers does not fit.
  missing_alloc_table,     ///< An allocation id is needed and there is no table.
  unknown_alloc_id,        ///< The table does not hold the id.
  alloc_out_of_bounds,     ///< Range exceeds the allocation.
  resource_out_of_bounds,  ///< Range or rectangle exceeds the resource.
  read_only,               ///< Write-back into an allocation flagged READONLY.
  not_guest_backed,        ///< Write-back on a host-owned destination.
  rebind_mismatch,         ///< CREATE on a live handle with other immutables.
  invalid_share_token,     ///< Token 0.
  unknown_share_token,     ///< Import of a token that maps to nothing.
  share_token_retired,     ///< Export of a released token.
  share_token_in_use,      ///< Export of a token bound to another resource.
  alias_already_bound,     ///< Import onto an alias of another resource.
  missing_binding,         ///< Draw or dispatch without something it needs.
  unsupported,             ///< Legal, but not implemented by this host.
  guest_memory_fault,      ///< The machine has no memory there.
  device_lost,             ///< The graphics API lost its device.
  out_of_memory,           ///< A limit or the host's memory is exhausted.
  // Device decode, host.md 1.7 and 1.10.
  cmd_decode,     ///< Ring, descriptor, table or stream header is malformed.
  out_of_bounds,  ///< Address arithmetic overflows, or a size exceeds its container.
  // Library.
  no_space,     ///< The sink is full; nothing was written.
  bad_version,  ///< Container or snapshot of a version this reader does not know.
  corrupt,      ///< Checksum or structure of a container or snapshot is wrong.
  internal,     ///< A host invariant broke.
};

/// Name of a code as host.md 2.2 spells it, for logs and JSON.
constexpr auto kind_name(error_code code) noexcept -> const char* {
  constexpr std::array<const char*, 32> names{
      "None",
      "Framing",
      "InvalidHandle",
      "UnknownHandle",
      "HandleInUse",
      "WrongKind",
      "InvalidParameter",
      "UnsupportedFormat",
      "SizeOverflow",
      "MissingAllocTable",
      "UnknownAllocId",
      "AllocOutOfBounds",
      "ResourceOutOfBounds",
      "ReadOnly",
      "NotGuestBacked",
      "RebindMismatch",
      "InvalidShareToken",
      "UnknownShareToken",
      "ShareTokenRetired",
      "ShareTokenInUse",
      "AliasAlreadyBound",
      "MissingBinding",
      "Unsupported",
      "GuestMemoryFault",
      "DeviceLost",
      "OutOfMemory",
      "CmdDecode",
      "OutOfBounds",
      "NoSpace",
      "BadVersion",
      "Corrupt",
      "Internal",
  };
  const auto index = static_cast<std::size_t>(code);
  return index < names.size() ? names[index] : "Internal";
}

/// What failed and where. `what` is a static sentence in the present tense that names the field;
/// `detail` is the offending value and `limit` what it was compared with (0 when there is none).
struct error {
  error_code code = error_code::none;
  std::uint32_t opcode = 0;  ///< Packet opcode, or 0 outside a packet.
  std::uint64_t offset = 0;  ///< Bytes from the start of the stream or container.
  std::uint64_t detail = 0;
  std::uint64_t limit = 0;
  const char* what = "";  ///< Never null; storage is static.
};

/// An error with a sentence and values, outside any packet.
constexpr auto make_error(error_code code, const char* what, std::uint64_t detail = 0,
                          std::uint64_t limit = 0) noexcept -> error {
  return error{code, 0, 0, detail, limit, what};
}

}  // namespace aerogpu
