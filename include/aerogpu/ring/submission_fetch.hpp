// SPDX-License-Identifier: MIT
/// \file What a descriptor names, copied out of guest memory: allocation table and command stream.
#pragma once

#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/memory/alloc_table.hpp"
#include "aerogpu/memory/guest_memory.hpp"
#include "aerogpu/ring/submit_desc.hpp"
#include "aerogpu/stream/reader.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Where a copy goes. `reserve(n)` lends exactly n bytes until the next call, or fewer when the
/// storage cannot grow that far.
template <class S>
concept byte_storage = requires(S& storage, std::size_t size) {
  { storage.reserve(size) }
  noexcept->std::same_as<mutable_bytes>;
};

namespace detail {

/// Checks a fetched header and says how many bytes, header included, are in use.
[[nodiscard]] constexpr auto used_bytes(const aerogpu_alloc_table_header& header,
                                        std::uint32_t capacity_bytes,
                                        std::uint32_t limit_bytes) noexcept
    -> result<std::uint32_t> {
  const auto good = check_alloc_table_header(header, capacity_bytes, limit_bytes);
  if (!good) return good.why();
  return header.size_bytes;
}

[[nodiscard]] inline auto used_bytes(const aerogpu_cmd_stream_header& header,
                                     std::uint32_t capacity_bytes,
                                     std::uint32_t limit_bytes) noexcept -> result<std::uint32_t> {
  if (const auto good = check_stream_header(header); !good) {
    error why = good.why();
    why.code = error_code::cmd_decode;  // the device's word for it (host.md 1.7)
    return why;
  }
  if (header.size_bytes > capacity_bytes) {
    return make_error(error_code::out_of_bounds, "stream size_bytes exceeds the descriptor's",
                      header.size_bytes, capacity_bytes);
  }
  if (header.size_bytes > limit_bytes) {
    return make_error(error_code::cmd_decode, "stream size_bytes exceeds the host's limit",
                      header.size_bytes, limit_bytes);
  }
  return header.size_bytes;
}

/// Copies a buffer that starts with a `Header`: the header once, then the rest once.
template <class Header, guest_memory Memory, byte_storage Storage>
[[nodiscard]] auto fetch_buffer(Memory& memory, const submission_buffer& buffer,
                                std::uint32_t limit_bytes, Storage& storage) noexcept
    -> result<const_bytes> {
  if (const auto good = check_buffer(buffer); !good) return good.why();
  if (buffer.is_absent()) return const_bytes{};
  if (buffer.capacity_bytes < sizeof(Header)) {
    return make_error(error_code::cmd_decode, "buffer is smaller than its header",
                      buffer.capacity_bytes, sizeof(Header));
  }
  Header header{};
  if (!read_object(memory, buffer.first, header)) {
    return make_error(error_code::cmd_decode, "buffer header is not in memory", raw(buffer.first));
  }
  const auto used = used_bytes(header, buffer.capacity_bytes, limit_bytes);
  if (!used) return used.why();
  const mutable_bytes copy = storage.reserve(*used);
  if (copy.size() != *used) {
    return make_error(error_code::out_of_memory, "no memory for a copy of the buffer", *used);
  }
  store(copy.data(), header);
  const mutable_bytes rest = copy.subspan(sizeof header);
  if (!rest.empty() && !memory.read(advance(buffer.first, sizeof header), rest)) {
    return make_error(error_code::cmd_decode, "buffer is not in memory", raw(buffer.first));
  }
  return const_bytes{copy};
}

}  // namespace detail

/// Copies a descriptor's allocation table, for `alloc_table::parse`; no bytes when it has none.
/// Errors in the order of host.md 1.10: cmd_decode, out_of_bounds; out_of_memory when `storage`
/// is too small. Nothing is reserved before the header was found good.
template <guest_memory Memory, byte_storage Storage>
[[nodiscard]] auto fetch_alloc_table(Memory& memory, const aerogpu_submit_desc& desc,
                                     std::uint32_t limit_bytes, Storage& storage) noexcept
    -> result<const_bytes> {
  return detail::fetch_buffer<aerogpu_alloc_table_header>(memory, alloc_table_of(desc), limit_bytes,
                                                          storage);
}

/// Copies the used bytes of a descriptor's command stream, for `parse_stream_header`; no bytes for
/// an empty submission. Errors in the order of host.md 1.10: cmd_decode, out_of_bounds;
/// out_of_memory when `storage` is too small. Nothing is reserved before the header was found good.
template <guest_memory Memory, byte_storage Storage>
[[nodiscard]] auto fetch_commands(Memory& memory, const aerogpu_submit_desc& desc,
                                  std::uint32_t limit_bytes, Storage& storage) noexcept
    -> result<const_bytes> {
  return detail::fetch_buffer<aerogpu_cmd_stream_header>(memory, commands_of(desc), limit_bytes,
                                                         storage);
}

}  // namespace aerogpu
