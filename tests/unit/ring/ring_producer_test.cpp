// SPDX-License-Identifier: MIT
// Tests of aerogpu/ring/ring_producer.hpp.
#include "aerogpu/ring/ring_producer.hpp"

#include "aerogpu/ring/ring_consumer.hpp"
#include "tests/catch.hpp"
#include "tests/unit/ring/ring_memory.hpp"

#include <algorithm>
#include <deque>
#include <random>
#include <string>
#include <thread>

using namespace aerogpu;
using test::mapped_memory;

namespace {

/// Writes down what the producer does to the machine, and where tail stood then.
struct logging_port {
  mapped_memory* memory;
  std::string log;
  std::uint32_t tail_at_barrier = 0;
  std::uint32_t tail_at_doorbell = 0;

  void full_barrier() noexcept {
    log += 'b';
    tail_at_barrier = tail();
  }
  void write_doorbell() noexcept {
    log += 'd';
    tail_at_doorbell = tail();
  }
  [[nodiscard]] auto tail() const -> std::uint32_t {
    return load<std::uint32_t>(memory->mapping().data() + offsetof(aerogpu_ring_header, tail));
  }
};
static_assert(ring_port<logging_port>);

struct quiet_port {
  void full_barrier() noexcept { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
  void write_doorbell() noexcept {}
};

auto signal(std::uint64_t fence) -> ring_submission {
  return {.flags = 0,
          .context = {},
          .commands = {},
          .alloc_table = {},
          .signal_fence = static_cast<fence_value>(fence)};
}

void set_word(mapped_memory& memory, std::size_t offset, std::uint32_t value) {
  store(memory.mapping().data() + offset, value);
}

auto snapshot(mapped_memory& memory) -> std::vector<std::byte> {
  const auto bytes = memory.mapping();
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("a two-slot ring with one submission is wire.md 15.4's golden ring", "[ring]") {
  mapped_memory memory{192};
  auto ring = ring_producer::create(memory.mapping(), 2, 64);
  REQUIRE(ring);
  quiet_port port;
  REQUIRE(ring->push({.flags = AEROGPU_SUBMIT_FLAG_PRESENT,
                      .context = {},
                      .commands = {gpa{0x200000}, 392},
                      .alloc_table = {gpa{0x201000}, 88},
                      .signal_fence = fence_value{0x100000001}},
                     port));
  std::vector<std::uint8_t> golden(192);
  const std::uint8_t header[] = {0x41, 0x52, 0x4e, 0x47, 4, 0, 1, 0, 0xc0, 0, 0, 0, 2, 0, 0, 0,
                                 0x40, 0,    0,    0,    0, 0, 0, 0, 0,    0, 0, 0, 1, 0, 0, 0};
  const std::uint8_t slot[] = {0x40, 0, 0, 0, 1,    0,    0,    0, 0, 0, 0,    0, 0,    0,
                               0,    0, 0, 0, 0x20, 0,    0,    0, 0, 0, 0x88, 1, 0,    0,
                               0,    0, 0, 0, 0,    0x10, 0x20, 0, 0, 0, 0,    0, 0x58, 0,
                               0,    0, 0, 0, 0,    0,    1,    0, 0, 0, 1,    0, 0,    0};
  std::copy(std::begin(header), std::end(header), golden.begin());
  std::copy(std::begin(slot), std::end(slot), golden.begin() + 64);
  CHECK(snapshot(memory) == std::vector<std::byte>(std::as_bytes(std::span{golden}).begin(),
                                                   std::as_bytes(std::span{golden}).end()));
}

TEST_CASE("a ring uses the bytes of its slots and promises the whole mapping", "[ring]") {
  mapped_memory memory{20480};
  const auto ring = ring_producer::create(memory.mapping(), 256, 64);
  REQUIRE(ring);
  CHECK(ring->layout().size_bytes() == 16448);
  CHECK(ring->mapped_bytes() == 20480);
}

TEST_CASE("a ring that does not fit its mapping is not formatted", "[ring]") {
  mapped_memory memory{4096};
  const auto [count, stride] = GENERATE(
      table<std::uint32_t, std::uint32_t>({{64, 64}, {0, 64}, {3, 64}, {8, 63}, {UINT32_MAX, 64}}));
  CHECK(ring_producer::create(memory.mapping(), count, stride).why().code ==
        error_code::cmd_decode);
  CHECK(memory.mapping()[0] == std::byte{0});
}

TEST_CASE("a ring mapping is 8-byte aligned", "[ring]") {
  mapped_memory memory{4096};
  CHECK(ring_producer::create(memory.mapping().subspan(4), 8, 64).why().code ==
        error_code::invalid_parameter);
}

TEST_CASE("the slot is visible before tail, and tail before the doorbell", "[ring]") {
  mapped_memory memory{4096};
  auto ring = ring_producer::create(memory.mapping(), 8, 64);
  REQUIRE(ring);
  logging_port port{.memory = &memory, .log = {}};
  REQUIRE(ring->push(signal(1), port));
  CHECK(port.log == "b");
  CHECK(port.tail_at_barrier == 0);
  CHECK(port.tail() == 1);
  ring->notify(port);
  CHECK(port.log == "bbd");
  CHECK(port.tail_at_barrier == 1);
  CHECK(port.tail_at_doorbell == 1);
}

TEST_CASE("a full ring refuses a push and writes nothing", "[ring]") {
  mapped_memory memory{4096};
  auto ring = ring_producer::create(memory.mapping(), 8, 64);
  REQUIRE(ring);
  quiet_port port;
  for (std::uint64_t fence = 1; fence <= 8; ++fence) {
    CHECK(*ring->free_slots() != 0);
    REQUIRE(ring->push(signal(fence), port));
  }
  CHECK(*ring->free_slots() == 0);
  const auto before = snapshot(memory);
  CHECK(ring->push(signal(9), port).why().code == error_code::no_space);
  CHECK(snapshot(memory) == before);
  set_word(memory, offsetof(aerogpu_ring_header, head), 1);
  CHECK(*ring->free_slots() != 0);
  CHECK(ring->push(signal(9), port));
}

TEST_CASE("a submission whose buffers are malformed is not pushed", "[ring]") {
  mapped_memory memory{4096};
  auto ring = ring_producer::create(memory.mapping(), 8, 64);
  REQUIRE(ring);
  quiet_port port;
  const auto before = snapshot(memory);
  ring_submission work = signal(1);
  work.commands = {gpa{0x1000}, 0};
  CHECK(ring->push(work, port).why().code == error_code::cmd_decode);
  work = signal(1);
  work.alloc_table = {gpa{UINT64_MAX}, 24};
  CHECK(ring->push(work, port).why().code == error_code::out_of_bounds);
  CHECK(snapshot(memory) == before);
}

TEST_CASE("a ring that changed under the driver is unusable, and is not written", "[ring]") {
  struct row {
    const char* field;
    std::size_t offset;
    std::uint32_t value;
  };
  const row rows[] = {
      {"magic", 0, 0},
      {"major", 4, 0x20004},
      {"size", 8, 4096},
      {"entry_count", 12, 4},
      {"stride", 16, 128},
      {"head ahead of tail", 24, 3},
      {"head far behind", 24, 0xFFFFFFF0},
      {"tail", 28, 5},
  };
  for (const row& r : rows) {
    CAPTURE(r.field);
    mapped_memory memory{4096};
    auto ring = ring_producer::create(memory.mapping(), 8, 64);
    REQUIRE(ring);
    quiet_port port;
    REQUIRE(ring->push(signal(1), port));
    set_word(memory, r.offset, r.value);
    const auto before = snapshot(memory);
    CHECK(ring->free_slots().why().code == error_code::corrupt);
    CHECK(ring->push(signal(2), port).why().code == error_code::corrupt);
    CHECK(snapshot(memory) == before);
  }
}

TEST_CASE("a minor version, flags and reserved fields do not make a ring unusable", "[ring]") {
  mapped_memory memory{4096};
  const auto ring = ring_producer::create(memory.mapping(), 8, 64);
  REQUIRE(ring);
  set_word(memory, offsetof(aerogpu_ring_header, abi_version), 0x10063);
  set_word(memory, offsetof(aerogpu_ring_header, flags), ~0u);
  set_word(memory, offsetof(aerogpu_ring_header, reserved0), ~0u);
  CHECK(ring->free_slots());
}

TEST_CASE("a push returns the tail that says when its memory is free", "[ring]") {
  mapped_memory memory{4096};
  auto ring = ring_producer::create(memory.mapping(), 8, 64, 0xFFFFFFFF);
  REQUIRE(ring);
  quiet_port port;
  const auto after = ring->push(signal(1), port);
  REQUIRE(after);
  CHECK(*after == 0);
  CHECK_FALSE(index_reached(ring->head(), *after));
  set_word(memory, offsetof(aerogpu_ring_header, head), 0);
  CHECK(index_reached(ring->head(), *after));
}

TEST_CASE("what the guest pushes is what the host takes, in order, through the wrap of 2^32",
          "[ring]") {
  const auto seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  mapped_memory memory{4096};
  auto ring = ring_producer::create(memory.mapping(), 8, 128, 0xFFFFFF00);
  REQUIRE(ring);
  quiet_port port;
  std::mt19937 random{seed};
  std::deque<std::uint64_t> model;
  std::uint64_t next = 1;
  for (int step = 0; step < 2'000; ++step) {
    for (auto n = random() % 6; n != 0; --n) {
      const auto pushed = ring->push(signal(next), port);
      CHECK(static_cast<bool>(pushed) == (model.size() < 8));
      if (pushed) model.push_back(next++);
    }
    auto view = open_ring(memory, mapped_memory::base, ring->mapped_bytes());
    REQUIRE(view);
    CHECK(view->remaining() == model.size());
    for (auto n = random() % 10; n != 0 && view->remaining() != 0; --n) {
      const auto entry = view->fetch();
      REQUIRE(entry);
      REQUIRE(entry->is_valid());
      CHECK(raw(entry->fence()) == model.front());
      model.pop_front();
      view->consume();
      CHECK(ring->head() == view->head());
    }
  }
  CHECK(ring->tail() < 0xFFFFFF00);
}

TEST_CASE("a host on another thread takes whole descriptors only", "[ring][threads]") {
  constexpr std::uint64_t last = 20'000;
  mapped_memory memory{64 + 8 * 64};
  auto ring = ring_producer::create(memory.mapping(), 8, 64, 0xFFFFFFFC);
  REQUIRE(ring);
  bool in_order = true;
  std::thread host{[&] {
    for (std::uint64_t expected = 1; expected <= last;) {
      auto view = open_ring(memory, mapped_memory::base, ring->mapped_bytes());
      if (!view) {
        in_order = false;
        return;
      }
      for (; view->remaining() != 0; view->consume(), ++expected) {
        const auto entry = view->fetch();
        in_order = in_order && entry && entry->is_valid() && raw(entry->fence()) == expected &&
                   entry->desc.context_id == static_cast<std::uint32_t>(expected);
      }
      std::this_thread::yield();
    }
  }};
  quiet_port port;
  for (std::uint64_t fence = 1; fence <= last;) {
    ring_submission work = signal(fence);
    work.context = static_cast<context_id>(static_cast<std::uint32_t>(fence));
    if (ring->push(work, port)) {
      ++fence;
    } else {
      std::this_thread::yield();
    }
  }
  host.join();
  CHECK(in_order);
}
