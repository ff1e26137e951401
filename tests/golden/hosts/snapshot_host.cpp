// SPDX-License-Identifier: MIT
/// \file The goldens on Vulkan backends that take turns: between any two submissions all state and
/// content is saved, and goes on in a processor of its own on the other backend.
#include "tests/golden/hosts/host.hpp"
#include "tests/golden/hosts/vulkan_variants.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

namespace aerogpu::golden {

namespace {

using vulkan::vulkan_backend;
using path_type = conformance::direct_path<vulkan_backend>;

class snapshot_host final : public host {
 public:
  explicit snapshot_host(const std::array<vulkan_backend*, 2>& backends) : backends_(backends) {
    move();
  }

  auto run(const test::byte_vector& stream, std::uint32_t context,
           const conformance::table_entries& entries) -> error override {
    move();
    const error why = path_->submit(stream, context, entries);
    path_->finish();
    return why;
  }
  [[nodiscard]] auto memory() -> test::fake_memory& override { return memory_; }
  [[nodiscard]] auto presented() -> const texture_desc* override {
    return path_->processor().presented();
  }
  [[nodiscard]] auto read_presented(mutable_bytes out) -> bool override {
    return static_cast<bool>(path_->processor().read_presented(out));
  }
  [[nodiscard]] auto renders() const -> bool override { return true; }
  [[nodiscard]] auto features() -> host_features override { return features_of(*backends_[0]); }
  [[nodiscard]] auto validation_errors() -> std::uint64_t override {
    return backends_[0]->validation_errors() + backends_[1]->validation_errors();
  }
  [[nodiscard]] auto live_objects() -> std::uint64_t override {
    return backends_[0]->live_objects() + backends_[1]->live_objects();
  }
  void reset() override { path_->reset(); }

 private:
  /// To the other backend. A second save must give the same bytes.
  void move() {
    turn_ = 1 - turn_;
    auto next = std::make_unique<path_type>(*backends_[turn_], memory_, limits{});
    if (path_ != nullptr) {
      snapshot_writer saved;
      REQUIRE(path_->processor().save(saved));
      snapshot_reader in{saved.bytes()};
      REQUIRE(next->processor().load(in));
      snapshot_writer again;
      REQUIRE(next->processor().save(again));
      CHECK(std::ranges::equal(saved.bytes(), again.bytes()));
    }
    path_ = std::move(next);
  }

  std::array<vulkan_backend*, 2> backends_;
  std::size_t turn_ = 0;
  test::fake_memory memory_;
  std::unique_ptr<path_type> path_;
};

using backend_pair = std::array<std::unique_ptr<vulkan_backend>, 2>;

auto the_backends() -> std::map<host_variant, backend_pair>& {
  static auto* const only = new std::map<host_variant, backend_pair>;
  return *only;
}

}  // namespace

auto make_host(host_variant variant) -> std::unique_ptr<host> {
  backend_pair& pair = the_backends()[variant];
  for (auto& backend : pair) {
    if (backend != nullptr) continue;
    backend = open_variant(variant);
    if (backend == nullptr) return nullptr;
    // Registered after the layers were loaded, so that they still live when this runs.
    std::atexit([] { the_backends().clear(); });
  }
  return std::make_unique<snapshot_host>(std::array{pair[0].get(), pair[1].get()});
}

}  // namespace aerogpu::golden
