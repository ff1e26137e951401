// SPDX-License-Identifier: MIT
/// \file The host of a fake runtime: holds every stream to all rules, and runs it without a GPU.
#pragma once

#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/stream/packet_cursor.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace aerogpu::umd::test {

using byte_vector = std::vector<std::byte>;

/// Why, as a person reads it.
[[nodiscard]] auto describe(const error& why) -> std::string;

/// Errors and warnings that the strict validator has about a stream; none is the rule.
[[nodiscard]] auto findings_of(const_bytes stream) -> std::vector<std::string>;

template <class Packet>
struct found_packet {
  Packet fields;
  byte_vector payload;  ///< With its padding.
};

/// The packets of one kind in a stream, in order.
template <class Packet>
[[nodiscard]] auto packets_of(const_bytes stream) -> std::vector<found_packet<Packet>> {
  std::vector<found_packet<Packet>> found;
  const auto parsed = parse_stream_header(stream);
  if (!parsed) return found;
  for (packet_cursor at{*parsed}; at.next();) {
    const const_bytes bytes = at.packet().bytes();
    if (at.packet().opcode() != packet_traits<Packet>::opcode || bytes.size() < sizeof(Packet)) {
      continue;
    }
    const const_bytes payload = bytes.subspan(sizeof(Packet));
    found.push_back({load<Packet>(bytes.data()), {payload.begin(), payload.end()}});
  }
  return found;
}

/// What the backend was asked for.
struct host_counters {
  std::uint64_t clears = 0;
  std::uint64_t draws = 0;
};

/// A command processor on the null backend and guest memory made of allocations: each lies at an
/// address of its own, with a gap behind it.
class stream_host {
 public:
  stream_host();
  ~stream_host();
  stream_host(const stream_host&) = delete;
  auto operator=(const stream_host&) -> stream_host& = delete;

  /// Guest memory of one allocation. Its storage neither moves nor ends before `unmap`.
  [[nodiscard]] auto map(byte_vector& storage) -> gpa;
  void unmap(gpa at);

  /// Runs one submission to its end; why it failed.
  auto run(const_bytes stream, const std::vector<aerogpu_alloc_entry>& entries,
           std::uint32_t context = 1) -> error;

  [[nodiscard]] auto read_presented(mutable_bytes out) -> result<void>;
  [[nodiscard]] auto counters() const -> host_counters;

 private:
  struct parts;  // Not seen by tests: compiling a processor takes long.
  std::unique_ptr<parts> parts_;
};

}  // namespace aerogpu::umd::test
