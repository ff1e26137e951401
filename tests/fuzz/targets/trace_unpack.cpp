// SPDX-License-Identifier: MIT
// Fuzzes unpacking: compressed data of any kind stays within its limits, and what it holds is read.
#include "aerogpu/trace.hpp"
#include "aerogpu/trace/zstd.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace aerogpu;

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  constexpr zstd_limits within{.unpacked_bytes = 1u << 20, .window_log = 20};
  memory_sink sink;
  const auto content = zstd_unpack(std::as_bytes(std::span{data, size}), sink, within);
  fuzz::claim(sink.bytes().size() <= within.unpacked_bytes, "unpacking keeps its limit");
  if (!content) return 0;
  fuzz::claim(content->bytes == sink.bytes().size(), "all that was unpacked is in the sink");
  const auto found = recover_trace(sink.bytes());
  if (found) (void)trace_blob_index::create(found->trace);
  return 0;
}
