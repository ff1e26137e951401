// SPDX-License-Identifier: MIT
// A submission that ends while DMA is off, with no memory to keep its write-back in (host.md 1.4).
#include "null/null_backend.hpp"
#include "tests/catch.hpp"
#include "tests/support/device_harness.hpp"
#include "tests/support/failing_heap.hpp"
#include "tests/support/wrapped_calls.hpp"

#include <cstdint>
#include <memory>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// Reports write-backs to somebody who has no memory for them, and ends submissions as it is told.
class exhausting_backend : public wrapped_backend<exhausting_backend, null_backend> {
  friend wrapped_backend<exhausting_backend, null_backend>;

 public:
  explicit exhausting_backend(error_code end) noexcept : end_(end) {}
  [[nodiscard]] auto inner() noexcept -> null_backend& { return inner_; }
  [[nodiscard]] auto inner() const noexcept -> const null_backend& { return inner_; }

  auto begin_submission(const submission_info& info) noexcept -> result<void> {
    return inner_.begin_submission(info);
  }
  auto end_submission(submission_end end) noexcept -> result<void> {
    return inner_.end_submission(end);
  }
  template <completion_sink Sink>
  void poll(Sink& sink) noexcept {
    exhausting_sink<Sink> without_memory{sink, end_};
    inner_.poll(without_memory);
  }
  void wait_idle() noexcept { inner_.wait_idle(); }
  void reset() noexcept { inner_.reset(); }

 private:
  template <class Sink>
  struct exhausting_sink {
    Sink& sink;
    error_code end;

    void on_write_back(submission_id id, const guest_rows& to, const_bytes rows) noexcept {
      failing_heap::plan(1);
      {
        const heap_scope armed;
        sink.on_write_back(id, to, rows);
      }
      CHECK(failing_heap::has_failed());
      failing_heap::plan(0);
    }
    void on_complete(submission_id id, const error&) noexcept {
      sink.on_complete(id, error{.code = end, .what = "told by a test"});
    }
  };

  template <call_kind, class Call>
  auto around(Call&& call) noexcept -> decltype(call()) {
    return call();
  }

  null_backend inner_{null_completion::held};
  error_code end_;
};

}  // namespace

TEST_CASE("of two failures of a submission that ends without DMA the last is recorded, once",
          "[exhaustion][snapshot]") {
  const auto [end, recorded, code] = GENERATE(table<error_code, error_code, std::uint32_t>({
      {error_code::none, error_code::out_of_memory, 3},  // BACKEND
      {error_code::internal, error_code::internal, 0xFFFF},
  }));
  device_harness<exhausting_backend> rig{std::make_unique<exhausting_backend>(end)};
  rig.start();
  rig.machine.ram.map(gpa{0x5000}, 64);
  rig.push(
      guest_submission{.fence = 1,
                       .stream = stream_builder{}
                                     .create_buffer(1, 64)
                                     .create_buffer(2, 64, {.alloc_id = 1})
                                     .copy_buffer(2, 0, 1, 0, 64, AEROGPU_COPY_FLAG_WRITEBACK_DST)
                                     .bytes(),
                       .table = {{{1, 0, 0x5000, 64, 0}}}});
  rig.ring();
  rig.set_bus_master(false);
  snapshot_writer saved;
  REQUIRE(rig.dev->save(saved));  // Takes what ended out of the backend.
  CHECK(rig.error_count() == 0);
  rig.set_bus_master(true);
  rig.dev->tick();
  CHECK(rig.completed() == 1);
  CHECK(rig.error_count() == 1);
  CHECK(rig.error_code_register() == code);
  REQUIRE(rig.machine.errors.size() == 1);
  CHECK(rig.machine.errors[0].why.code == recorded);
  CHECK(rig.machine.ram.writes(gpa{0x5000}, 64) == 0);
}
