// SPDX-License-Identifier: MIT
// Compressed recordings through libzstd.
#include "aerogpu/trace/zstd.hpp"
#include "tools/aerogpu/files/trace_packing.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace aerogpu::tool {

namespace {

class zstd_packer : public trace_packer {
 public:
  explicit zstd_packer(zstd_sink<file_sink>&& sink) : sink_(std::move(sink)) {}
  auto append(const_bytes bytes) noexcept -> bool override { return sink_.append(bytes); }
  auto flush() noexcept -> bool override { return sink_.flush(); }
  auto finish() noexcept -> bool override { return static_cast<bool>(sink_.finish()); }
  [[nodiscard]] auto why() const noexcept -> error override { return sink_.why(); }

 private:
  zstd_sink<file_sink> sink_;
};

/// A small file that unpacks to very much is a trap; recordings shrink to a hundredth.
auto most_unpacked(const_bytes packed) -> std::uint64_t {
  return std::max<std::uint64_t>(4ull << 30, std::uint64_t{1000} * packed.size());
}

}  // namespace

auto make_trace_packer(file_sink& to, std::string& why) -> std::unique_ptr<trace_packer> {
  auto sink = zstd_sink<file_sink>::create(to);
  if (!sink) {
    why = sink.why().what;
    return nullptr;
  }
  return std::make_unique<zstd_packer>(*std::move(sink));
}

auto unpack_trace(const_bytes packed, std::string& why) -> std::optional<unpacked_trace> {
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) {
    why = std::string{"no temporary file to unpack into: "} + std::strerror(errno);
    return std::nullopt;
  }
  file_sink sink{file};
  const auto content = zstd_unpack(packed, sink, {.unpacked_bytes = most_unpacked(packed)});
  if (!content || !sink.flush()) {
    why = content ? sink.why().what : content.why().what;
    return std::nullopt;
  }
  auto bytes = file_bytes::map_open(fileno(file), why);
  if (!bytes) return std::nullopt;
  unpacked_trace unpacked{*std::move(bytes), {}};
  if (content->why.code != error_code::none) {
    unpacked.flaw = packing_flaw{content->why, !content->ends_early};
  }
  return unpacked;
}

}  // namespace aerogpu::tool
