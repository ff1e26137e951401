// SPDX-License-Identifier: MIT
/// \file A command processor with its backend and guest memory, watched for broken promises.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backend_traits.hpp"
#include "tests/conformance/device/device_path.hpp"
#include "tests/conformance/processor/processor_path.hpp"
#include "tests/support/failing_backend.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/owned_backend.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace aerogpu::conformance {

/// How streams reach the processor.
enum class stream_route {
  direct,          ///< By a call; completions as the backend gives them.
  through_device,  ///< By ring and doorbell.
};

/// What every run of the suite holds, whatever the case asks: each submission ends once and in
/// order after its write-backs, objects in the backend never outnumber the processor's, the
/// backend is used as its concept says, and nothing that was promised inside the host breaks.
template <backend B>
class processor_rig {
 public:
  using watched_backend = test::failing_backend<B>;

  processor_rig(test::memory_mood mood, stream_route route, const limits& most = {})
      : memory_(mood), inner_(backend_traits<B>::make()) {
    REQUIRE(inner_ != nullptr);
    backend_.emplace(*inner_);
    if (route == stream_route::direct) {
      path_ = std::make_unique<direct_path<watched_backend>>(*backend_, memory_, most);
    } else {
      path_ = std::make_unique<device_path<watched_backend>>(*backend_, memory_, most);
    }
  }

  /// Executes a stream; its completion may still be pending. Returns why it failed.
  auto submit(const byte_vector& stream, std::uint32_t context, const table_entries& entries)
      -> error {
    const error why = path_->submit(stream, context, entries);
    CHECK(why.code != error_code::internal);
    check_objects();
    return why;
  }
  /// Waits until all submissions are complete.
  void finish() { path_->finish(); }

  /// Forgets everything, and checks that nothing is left in the backend.
  void reset() {
    path_->reset();
    CHECK(backend_->live_objects() == 0);
    CHECK(processor().counts() == object_counts{});
    CHECK(backend_->broken_rules() == 0);
  }

  /// Calls `see` whenever a completion becomes visible to the guest.
  void observe_completions(std::function<void()> see) {
    path_->observe_completions(std::move(see));
  }
  [[nodiscard]] auto memory() -> test::fake_memory& { return memory_; }
  [[nodiscard]] auto backend() -> watched_backend& { return *backend_; }
  [[nodiscard]] auto processor() -> command_processor<watched_backend>& {
    return path_->processor();
  }
  [[nodiscard]] auto pending() -> std::size_t { return path_->pending(); }

 private:
  void check_objects() {
    const object_counts counts = processor().counts();
    CHECK(backend_->live_objects() <=
          static_cast<std::int64_t>(counts.buffers + counts.textures + counts.views +
                                    counts.shaders + counts.input_layouts + counts.samplers));
  }

  test::fake_memory memory_;
  test::owned_backend<B> inner_;
  std::optional<watched_backend> backend_;
  std::unique_ptr<processor_path<watched_backend>> path_;
};

}  // namespace aerogpu::conformance
