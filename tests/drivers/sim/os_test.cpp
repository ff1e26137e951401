// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/system/os.hpp"

#include "aerogpu/abi/mmio.h"
#include "tests/drivers/support/simulated_pc.hpp"

#include <cstring>
#include <thread>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::kmd;
using sim::stop_code;

namespace {

using machine = test::simulated_pc<>;
using stops = std::vector<stop_code>;

}  // namespace

TEST_CASE("pool memory is zeroed, aligned and counted until it is released", "[sim][os]") {
  machine m;
  auto* const memory = os::allocate(100, os::pool_owner::device);
  REQUIRE(memory != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(memory) % 16 == 0);
  CHECK(std::memchr(memory, 1, 100) == nullptr);
  CHECK(m.pc.pool.bytes() == 100);
  CHECK(m.pc.leaks() == "AGUd: 1 blocks, 100 bytes\n");
  os::release(memory, os::pool_owner::device);
  CHECK(m.pc.leaks().empty());
}

TEST_CASE("wrong uses of the pool are bug checks", "[sim][os]") {
  machine m;
  auto* const memory = static_cast<unsigned char*>(os::allocate(8, os::pool_owner::device));
  SECTION("another owner's tag") {
    os::release(memory, os::pool_owner::context);
    CHECK(m.take_stops() == stops{stop_code::bad_pool_caller});
  }
  SECTION("a second release") {
    os::release(memory, os::pool_owner::device);
    os::release(memory, os::pool_owner::device);
    CHECK(m.take_stops() == stops{stop_code::bad_pool_caller});
  }
  SECTION("a byte behind the block") {
    memory[8] = 1;
    os::release(memory, os::pool_owner::device);
    CHECK(m.take_stops() == stops{stop_code::bad_pool_caller});
  }
  SECTION("an allocation at DISPATCH_LEVEL") {
    os::release(memory, os::pool_owner::device);
    void* other = nullptr;
    {
      const sim::irql_scope raised{sim::dispatch_level};
      other = os::allocate(8, os::pool_owner::device);
    }
    CHECK(m.take_stops() == stops{stop_code::irql_not_less_or_equal});
    os::release(other, os::pool_owner::device);
  }
}

TEST_CASE("the nth pool allocation fails, and only that one", "[sim][os]") {
  machine m;
  m.pc.faults.fail(sim::fault_point::pool, 1);
  auto* const first = os::allocate(8, os::pool_owner::device);
  CHECK(os::allocate(8, os::pool_owner::device) == nullptr);
  auto* const third = os::allocate(8, os::pool_owner::device);
  CHECK(first != nullptr);
  CHECK(third != nullptr);
  CHECK(m.pc.faults.has_fired(sim::fault_point::pool));
  os::release(first, os::pool_owner::device);
  os::release(third, os::pool_owner::device);
}

TEST_CASE("contiguous memory is guest memory at its physical address", "[sim][os]") {
  machine m;
  auto memory = os::allocate_contiguous(5000, MmCached);
  REQUIRE(memory);
  CHECK(memory.physical % sim::page_bytes == 0);
  const std::uint32_t value = 0x12345678;
  std::memcpy(memory.bytes + 4996, &value, 4);
  std::uint32_t read = 0;
  CHECK(m.pc.ram.read(gpa{memory.physical + 4996}, mutable_bytes_of(read)));
  CHECK(read == value);
  CHECK(m.pc.ram.pages_in_use() == 2);
  os::release_contiguous(memory, MmCached);
  CHECK(m.pc.ram.pages_in_use() == 0);
  CHECK_FALSE(memory);
}

TEST_CASE("a spin lock raises to DISPATCH_LEVEL and back", "[sim][os]") {
  machine m;
  os::spin_lock lock;
  const auto before = os::acquire(lock);
  CHECK(before == os::passive_level);
  CHECK(os::current_irql() == os::dispatch_level);
  os::release(lock, before);
  CHECK(os::current_irql() == os::passive_level);
}

TEST_CASE("wrong uses of spin locks are bug checks", "[sim][os]") {
  machine m;
  os::spin_lock first;
  os::spin_lock second;
  SECTION("taken twice") {
    const auto before = os::acquire(first);
    static_cast<void>(os::acquire(first));
    CHECK(m.take_stops() == stops{stop_code::spin_lock_already_owned});
    os::release(first, before);
  }
  SECTION("released and not taken") {
    os::release(first, os::passive_level);
    CHECK(m.take_stops() == stops{stop_code::spin_lock_not_owned});
  }
  SECTION("two orders") {
    const auto a = os::acquire(first);
    const auto b = os::acquire(second);
    os::release(second, b);
    os::release(first, a);
    CHECK(m.pc.bugs.count() == 0);
    const auto c = os::acquire(second);
    const auto d = os::acquire(first);
    os::release(first, d);
    os::release(second, c);
    CHECK(m.take_stops() == stops{stop_code::driver_verifier_detected_violation});
  }
  SECTION("taken above DISPATCH_LEVEL") {
    const sim::irql_scope raised{sim::device_level};
    const auto before = os::acquire(first);
    CHECK(m.take_stops() == stops{stop_code::irql_not_less_or_equal});
    os::release(first, before);
    static_cast<void>(m.take_stops());
  }
  SECTION("sleeping under one") {
    const auto before = os::acquire(first);
    os::sleep_100ns(10);
    CHECK(m.take_stops() == stops{stop_code::attempted_switch_from_dpc});
    os::release(first, before);
  }
}

TEST_CASE("a spin lock keeps other threads out", "[sim][os]") {
  machine m;
  os::spin_lock lock;
  int counter = 0;
  const auto work = [&] {
    const sim::thread_scope here{m.pc};
    for (int i = 0; i < 1000; ++i) {
      const auto before = os::acquire(lock);
      ++counter;
      os::release(lock, before);
    }
  };
  std::thread other{work};
  work();
  other.join();
  CHECK(counter == 2000);
}

TEST_CASE("user memory is copied once, may change between reads, and may vanish", "[sim][os]") {
  machine m;
  const std::uint32_t value = 7;
  auto* const user = m.pc.user.place(bytes_of(value));
  m.pc.user.watch();
  CHECK_FALSE(os::is_kernel_address(user));
  CHECK(os::is_kernel_address(&m));
  std::uint32_t copy = 0;
  REQUIRE(os::copy_from_user(mutable_bytes_of(copy), user));
  CHECK(copy == 7);
  CHECK(m.pc.user.bytes_read_twice() == 0);
  m.pc.user.before_copy = [](std::byte* at, std::size_t) { *at = std::byte{9}; };
  REQUIRE(os::copy_from_user(mutable_bytes_of(copy), user));
  CHECK(copy == 9);
  CHECK(m.pc.user.bytes_read_twice() == 4);
  m.pc.user.before_copy = {};
  std::uint64_t wide = 0;
  CHECK_FALSE(os::copy_from_user(mutable_bytes_of(wide), user));
  m.pc.user.release(user);
  CHECK_FALSE(os::copy_from_user(mutable_bytes_of(copy), user));
  CHECK_FALSE(os::copy_from_user(mutable_bytes_of(copy), &value));
}

TEST_CASE("a timer ticks at DISPATCH_LEVEL on the simulated clock", "[sim][os]") {
  machine m;
  std::vector<os::irql> levels;
  os::periodic_timer timer;
  timer.context = &levels;
  timer.on_tick = [](void* context) {
    static_cast<std::vector<os::irql>*>(context)->push_back(os::current_irql());
  };
  os::start_timer(timer, 10);
  m.pc.clock.advance(999);
  CHECK(levels.empty());
  m.pc.clock.advance(2001);
  CHECK(levels == std::vector<os::irql>{2, 2, 2});
  os::stop_timer(timer);
  m.pc.clock.advance(10'000);
  CHECK(levels.size() == 3);
}

TEST_CASE("registry values are found by key and name", "[sim][os]") {
  machine m;
  m.pc.set_registry("\\Service", "Knob", 5);
  m.pc.set_registry(sim::device_registry_key, "Other", 6);
  WCHAR path[] = u"\\Service";
  const UNICODE_STRING key{sizeof path - 2, sizeof path, path};
  std::uint32_t value = 1;
  CHECK_FALSE(os::read_registry_dword(key, "Absent", value));
  CHECK(value == 1);
  CHECK(os::read_registry_dword(key, "Knob", value));
  CHECK(value == 5);
  CHECK(os::read_device_dword(nullptr, "Other", value));
  CHECK(value == 6);
}

TEST_CASE("a value that a driver writes is in the device's key, and no number", "[sim][os]") {
  machine m;
  const std::uint32_t data = 7;
  os::write_device_value(nullptr, "Written", bytes_of(data));
  const auto written = m.pc.written_registry(sim::device_registry_key, "Written");
  REQUIRE(written.size() == sizeof data);
  CHECK(load<std::uint32_t>(written.data()) == 7);
  std::uint32_t value = 1;
  CHECK_FALSE(os::read_device_dword(nullptr, "Written", value));
  CHECK(m.pc.written_registry(sim::device_registry_key, "Absent").empty());
}
