// SPDX-License-Identifier: MIT
/// The device's mutex: who owns the bias, who takes it away, and that nobody is inside beside
/// another one.
#include "drivers/win7/umd/d3d9/core/biased_mutex.hpp"

#include "drivers/win7/umd/d3d9/core/os_native.hpp"
#include "tests/catch.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace aerogpu::umd::test {

namespace {

/// Linux, which counts the barriers and may have none.
class barrier_system final : public os::native_system {
 public:
  explicit barrier_system(bool has_barrier = os::linux_has_process_barrier())
      : has_barrier_(has_barrier), before_(os::install(this)) {}
  ~barrier_system() { os::install(before_); }

  auto has_process_barrier() noexcept -> bool override { return has_barrier_; }
  void process_barrier() noexcept override {
    ++barriers_;
    os::linux_process_barrier();
  }
  [[nodiscard]] auto barriers() const -> std::uint32_t { return barriers_; }
  /// How many revocations ask for: none where there is no bias, as under ThreadSanitizer.
  [[nodiscard]] auto expected(std::uint32_t revocations) const -> std::uint32_t {
    return has_barrier_ ? revocations : 0;
  }

 private:
  const bool has_barrier_;
  std::atomic<std::uint32_t> barriers_{0};
  os::native_system* before_;
};

void use(biased_mutex& mutex, std::uint32_t times) {
  for (std::uint32_t i = 0; i < times; ++i) {
    mutex.lock();
    mutex.unlock();
  }
}
void earn_bias(biased_mutex& mutex) {
  use(mutex, biased_mutex::calls_before_bias);
}
/// Runs `work` to its end on a thread of its own.
template <class Work>
void elsewhere(Work&& work) {
  std::thread{work}.join();
}

/// A number that only who holds the mutex changes, in two steps that others must not see.
struct guarded_count {
  biased_mutex mutex;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint64_t torn = 0;

  void add_often(std::uint32_t times) {
    for (std::uint32_t i = 0; i < times; ++i) {
      mutex.lock();
      add();
      mutex.unlock();
    }
  }
  void add() {
    torn += first != second ? 1 : 0;
    ++first;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    ++second;
  }
};

}  // namespace

TEST_CASE("one thread alone never asks for a barrier", "[umd][mutex]") {
  const barrier_system system;
  biased_mutex mutex;
  use(mutex, 1000);
  CHECK(mutex.try_lock());
  mutex.unlock();
  CHECK(system.barriers() == 0);
}

TEST_CASE("another thread takes the bias away once, and the owner still gets in", "[umd][mutex]") {
  const barrier_system system;
  biased_mutex mutex;
  earn_bias(mutex);
  elsewhere([&] { use(mutex, 5); });
  CHECK(system.barriers() == system.expected(1));
  use(mutex, 5);
  CHECK(system.barriers() == system.expected(1));
}

TEST_CASE("a bias belongs to who took the mutex often enough, not before", "[umd][mutex]") {
  const barrier_system system;
  biased_mutex mutex;
  use(mutex, biased_mutex::calls_before_bias - 1);
  elsewhere([&] { use(mutex, 1); });
  CHECK(system.barriers() == 0);
}

TEST_CASE("another thread waits until the owner is outside", "[umd][mutex]") {
  const barrier_system system;
  biased_mutex mutex;
  earn_bias(mutex);
  std::atomic<bool> is_outside{false}, was_outside{false}, begins{false};
  mutex.lock();
  std::thread other{[&] {
    begins = true;
    mutex.lock();
    was_outside = is_outside.load();
    mutex.unlock();
  }};
  while (!begins) std::this_thread::yield();
  while (system.barriers() != system.expected(1)) std::this_thread::yield();
  is_outside = true;
  mutex.unlock();
  other.join();
  CHECK(was_outside);
}

TEST_CASE("to try waits for nobody, and leaves the bias to an owner at work", "[umd][mutex]") {
  const barrier_system system;
  biased_mutex mutex;
  earn_bias(mutex);
  bool got_in = true;
  mutex.lock();
  elsewhere([&] { got_in = mutex.try_lock(); });
  CHECK_FALSE(got_in);
  CHECK_FALSE(mutex.try_lock());  // Not recursive.
  CHECK(system.barriers() == 0);
  mutex.unlock();
  elsewhere([&] {
    got_in = mutex.try_lock();
    if (got_in) mutex.unlock();
  });
  CHECK(got_in);
  CHECK(system.barriers() == system.expected(1));
}

TEST_CASE("a mutex that is held says no to who tries, with a bias and without", "[umd][mutex]") {
  const barrier_system system;
  biased_mutex mutex;
  if (GENERATE(false, true)) earn_bias(mutex);
  REQUIRE(mutex.try_lock());
  CHECK_FALSE(mutex.try_lock());
  mutex.unlock();
  CHECK(mutex.try_lock());
  mutex.unlock();
}

TEST_CASE("threads by turns ask for few barriers, and then for none", "[umd][mutex]") {
  const barrier_system system;
  biased_mutex mutex;
  const auto calls = GENERATE(1u, biased_mutex::calls_before_bias, 100u);
  for (int turn = 0; turn < 40; ++turn) {
    use(mutex, calls);
    elsewhere([&] { use(mutex, calls); });
  }
  const std::uint32_t most =
      calls < biased_mutex::calls_before_bias ? 0 : biased_mutex::most_biases;
  CHECK(system.barriers() == system.expected(most));
}

/// The next thread may have the name of the one that ended, and then has its bias.
TEST_CASE("an owner that has ended keeps nobody out", "[umd][mutex]") {
  const barrier_system system;
  guarded_count count;
  for (int thread = 0; thread < 3; ++thread) {
    elsewhere([&] { count.add_often(100); });
  }
  count.add_often(1);
  CHECK(count.first == 301);
  CHECK(count.torn == 0);
  CHECK(system.barriers() <= system.expected(biased_mutex::most_biases));
}

TEST_CASE("without a barrier of the system nobody gets a bias", "[umd][mutex]") {
  const barrier_system system{false};
  guarded_count count;
  std::thread other{[&] { count.add_often(5000); }};
  count.add_often(5000);
  other.join();
  CHECK(system.barriers() == 0);
  CHECK(count.first == 10'000);
  CHECK(count.torn == 0);
}

TEST_CASE("each mutex has a bias of its own", "[umd][mutex]") {
  const barrier_system system;
  biased_mutex mine, other;
  earn_bias(mine);
  elsewhere([&] { use(other, 100); });
  use(mine, 100);
  CHECK(system.barriers() == 0);
}

/// Revocations come at any moment of an owner's call; each mutex has few, so there are many.
TEST_CASE("nobody is inside beside another thread, whenever a bias is taken away",
          "[umd][mutex][threads]") {
  const barrier_system system;
  constexpr std::size_t mutexes = 300;
  constexpr std::uint32_t owner_calls = 20000;
  std::vector<guarded_count> counts(mutexes);
  std::array<std::atomic<std::uint64_t>, 2> guests{};
  std::atomic<std::size_t> owned{0};  // Where the owner is.
  std::vector<std::thread> threads;
  for (std::uint32_t id = 0; id < guests.size(); ++id) {
    threads.emplace_back([&, id] {
      std::uint32_t random = 0x9E3779B9u + id;
      for (std::size_t at = 0; (at = owned.load()) < mutexes;) {
        random = random * 1664525 + 1013904223;
        for (std::uint32_t wait = random >> 20; wait != 0; --wait)
          std::atomic_signal_fence(std::memory_order_seq_cst);
        guarded_count& count = counts[at];
        if ((random >> 16 & 1) != 0)
          count.mutex.lock();
        else if (!count.mutex.try_lock())
          continue;
        count.add();
        count.mutex.unlock();
        ++guests[id];
      }
    });
  }
  for (guarded_count& count : counts) {
    count.add_often(owner_calls);
    ++owned;
  }
  for (std::thread& each : threads) each.join();
  std::uint64_t first = 0, second = 0, torn = 0;
  for (const guarded_count& count : counts) {
    first += count.first;
    second += count.second;
    torn += count.torn;
  }
  const std::uint64_t expected = mutexes * owner_calls + guests[0] + guests[1];
  CHECK(first == expected);
  CHECK(second == expected);
  CHECK(torn == 0);
}

}  // namespace aerogpu::umd::test
