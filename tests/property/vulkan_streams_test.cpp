// SPDX-License-Identifier: MIT
// Random guests on the Vulkan backend: whatever they do, the validation layers have nothing to say,
// and what the null backend accepts is accepted.
#include "tests/catch.hpp"
#include "tests/property/backend_pair.hpp"
#include "tests/property/stream_generator.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace aerogpu::property {
namespace {

/// One device for all seeds, closed before the layers go.
auto open_backend() -> vulkan::vulkan_backend* {
  static std::unique_ptr<vulkan::vulkan_backend> backend;
  if (backend != nullptr) return backend.get();
  vulkan::backend_options options;
  options.validate = true;
  auto made = vulkan::vulkan_backend::create(options);
  if (!made) {
    UNSCOPED_INFO(made.why().what);
    return nullptr;
  }
  backend = *std::move(made);
  std::atexit([] { backend.reset(); });
  return backend.get();
}

auto number_from_environment(const char* name, std::uint64_t otherwise) -> std::uint64_t {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST_CASE("streams of random guests are accepted or refused, and validation is silent",
          "[property]") {
  vulkan::vulkan_backend* const backend = open_backend();
  REQUIRE(backend != nullptr);
  const std::uint64_t first = number_from_environment("AEROGPU_SEED", 1);
  const std::uint64_t seeds = number_from_environment("AEROGPU_SEEDS", 16);
  constexpr int streams_of_a_guest = 24;
  pair_counts sum;
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    seeded_choices random{seed};
    stream_generator guest{random};
    backend_pair pair{*backend};
    guest.settle(pair.run(guest.first_stream(), context_id{0}));
    for (int i = 0; i < streams_of_a_guest; ++i) {
      INFO("seed " << seed << ", stream " << i);
      const auto stream = guest.next_stream(1 + random.below(8));
      const context_id context{random.one_in(4) ? 1u : 0u};
      guest.settle(pair.run(stream, context));
      CHECK(pair.complaint() == "");
      if (!pair.complaint().empty()) break;
    }
    pair.reset();
    CHECK(pair.complaint() == "");
    sum.streams += pair.counts().streams;
    sum.accepted += pair.counts().accepted;
    sum.refused_by_both += pair.counts().refused_by_both;
    sum.refused_by_device += pair.counts().refused_by_device;
    for (const auto& [why, count] : pair.counts().refusals) sum.refusals[why] += count;
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  const auto& done = backend->counters();
  std::printf(
      "%llu streams in %.1f s: %llu accepted, %llu refused, %llu beyond the device; "
      "%llu draws, %llu dispatches, %llu clears, %llu pipelines\n",
      static_cast<unsigned long long>(sum.streams), taken.count(),
      static_cast<unsigned long long>(sum.accepted),
      static_cast<unsigned long long>(sum.refused_by_both),
      static_cast<unsigned long long>(sum.refused_by_device),
      static_cast<unsigned long long>(done.draws), static_cast<unsigned long long>(done.dispatches),
      static_cast<unsigned long long>(done.clears),
      static_cast<unsigned long long>(done.pipelines));
  for (const auto& [why, count] : sum.refusals) {
    std::printf("%6llu x %s\n", static_cast<unsigned long long>(count), why.c_str());
  }
  CHECK(sum.accepted * 3 > sum.streams);  // What is refused at once proves little.
  CHECK(done.draws > seeds * 8);
}

}  // namespace
}  // namespace aerogpu::property
