// SPDX-License-Identifier: MIT
/// \file A host on any backend: what a program of goldens makes one of.
#pragma once

#include "tests/golden/hosts/host.hpp"

#include <cstdint>

namespace aerogpu::golden {

/// `backend` outlives it. Derive to say what `host` asks about the backend itself.
template <backend B>
class backend_host : public host {
 public:
  explicit backend_host(B& backend) : backend_(backend), path_(backend, memory_, limits{}) {}

  auto run(const test::byte_vector& stream, std::uint32_t context,
           const conformance::table_entries& entries) -> error override {
    const error why = path_.submit(stream, context, entries);
    path_.finish();
    return why;
  }
  [[nodiscard]] auto memory() -> test::fake_memory& override { return memory_; }
  [[nodiscard]] auto presented() -> const texture_desc* override {
    return path_.processor().presented();
  }
  [[nodiscard]] auto read_presented(mutable_bytes out) -> bool override {
    return static_cast<bool>(path_.processor().read_presented(out));
  }
  [[nodiscard]] auto renders() const -> bool override { return true; }
  [[nodiscard]] auto features() -> host_features override { return {}; }
  [[nodiscard]] auto validation_errors() -> std::uint64_t override { return 0; }
  [[nodiscard]] auto live_objects() -> std::uint64_t override {
    return static_cast<std::uint64_t>(backend_.live_objects());
  }
  void reset() override { path_.reset(); }

 protected:
  [[nodiscard]] auto on() -> B& { return backend_; }

 private:
  B& backend_;
  test::fake_memory memory_;
  conformance::direct_path<B> path_;
};

}  // namespace aerogpu::golden
