// SPDX-License-Identifier: MIT
/// \file A device that executes nothing: it hands submissions to a worker, which decodes them and
/// says later what is done. Of the library it includes no command processor and no backend.
#include "aerogpu/device/bridging_device.hpp"
#include "aerogpu/stream/dump.hpp"
#include "aerogpu/stream/reader.hpp"
#include "examples/minimal_emulator/guest.hpp"
#include "examples/threaded_emulator/machine.hpp"

#include <cinttypes>
#include <deque>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

namespace {

using gpu = bridging_device<machine>;

/// Between two threads here; a socket or shared memory between processes.
template <class T>
class channel {
 public:
  void send(T item) {
    const std::lock_guard held{lock_};
    items_.push_back(std::move(item));
    arrived_.notify_one();
  }
  [[nodiscard]] auto poll() -> std::optional<T> {
    const std::lock_guard held{lock_};
    return pop();
  }
  /// Nothing when it was closed and is empty.
  [[nodiscard]] auto wait() -> std::optional<T> {
    std::unique_lock held{lock_};
    arrived_.wait(held, [&] { return !items_.empty() || is_closed_; });
    return pop();
  }
  void close() {
    const std::lock_guard held{lock_};
    is_closed_ = true;
    arrived_.notify_one();
  }

 private:
  auto pop() -> std::optional<T> {
    if (items_.empty()) return std::nullopt;
    std::optional<T> first{std::move(items_.front())};
    items_.pop_front();
    return first;
  }

  std::mutex lock_;
  std::condition_variable arrived_;
  std::deque<T> items_;
  bool is_closed_ = false;
};

/// Prints a submission's packets, which is all that this worker does with them.
struct standard_output {
  void append(std::string_view text) noexcept { std::fwrite(text.data(), 1, text.size(), stdout); }
};

auto execute(const captured_submission& work) -> error {
  std::printf("context %" PRIu32 "  fence %" PRIu64 "  %zu bytes of stream, %zu of table\n",
              raw(work.context), raw(work.fence), work.stream.size(), work.table.size());
  const auto stream = parse_stream_header(work.stream.view());
  if (!stream) return stream.why();
  standard_output out;
  return dump_text(out, *stream);
}

auto fail(const char* what, const error& why = {}) -> int {
  std::fprintf(stderr, "bridge: %s: %s\n", what, why.what);
  return 1;
}

/// The device's loop. The worker's answers come when they come, and in any order.
void run_frame(gpu& card, machine& pc, channel<captured_submission>& work,
               channel<external_completion>& done) {
  pc.clock.resume();
  while (!pc.irq.is_high() && pc.now_ns() < 10'000'000'000) {
    if (card.next_deadline_ns() <= pc.now_ns()) card.tick();
    for (captured_submission taken; card.take_submission(taken);) work.send(std::move(taken));
    while (const auto finished = done.poll()) card.complete(*finished);
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
}

auto run() -> int {
  machine pc;
  no_backend nothing;
  const auto made = gpu::create(pc, nothing, {.executor = executor_mode::external_bridge});
  if (!made) return fail("no device", made.why());
  gpu& card = **made;
  guest driver{card, pc.ram};
  if (const auto submitted = driver.boot_and_draw(); !submitted) {
    return fail("the guest cannot submit", submitted.why());
  }

  channel<captured_submission> work;
  channel<external_completion> done;
  std::thread worker{[&] {
    while (const auto taken = work.wait()) done.send(taken->completion(execute(*taken)));
  }};
  run_frame(card, pc, work, done);
  work.close();
  worker.join();

  const auto fence = driver.completed_fence();
  std::printf("fence %" PRIu64 ", errors %" PRIu64 "\n", raw(fence), card.statistics().errors);
  if (fence != decltype(driver)::last_fence || card.statistics().errors != 0) {
    return fail("the submission did not finish");
  }
  return 0;
}

}  // namespace

auto main(int argc, char** argv) -> int {
  if (argc == 1) return run();
  const bool is_asked = argc == 2 && std::string_view{argv[1]} == "--help";
  std::fputs("usage: bridge\nHands a guest's submission to a worker, which prints its packets.\n",
             is_asked ? stdout : stderr);
  return is_asked ? 0 : 2;
}
