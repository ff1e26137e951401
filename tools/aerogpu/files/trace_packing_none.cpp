// SPDX-License-Identifier: MIT
// Compressed recordings in a program without zstd: a sentence.
#include "tools/aerogpu/files/trace_packing.hpp"

namespace aerogpu::tool {

namespace {

constexpr const char* sentence =
    "it is compressed, and this program was built without zstd; 'zstd -d' unpacks such files";

}  // namespace

auto make_trace_packer(file_sink&, std::string& why) -> std::unique_ptr<trace_packer> {
  why = "a name in .zst asks for compression, and this program was built without zstd";
  return nullptr;
}

auto unpack_trace(const_bytes, std::string& why) -> std::optional<unpacked_trace> {
  why = sentence;
  return std::nullopt;
}

}  // namespace aerogpu::tool
