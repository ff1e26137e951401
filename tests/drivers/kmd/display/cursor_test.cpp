// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/display/cursor.hpp"

#include "aerogpu/abi/format.h"
#include "tests/drivers/kmd/display/display_session.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::kmd;
using test::display_session;
using test::display_setup;
using test::register_write;
using table_type = DRIVER_INITIALIZATION_DATA;

namespace {

constexpr UINT monochrome = 1, color = 2, masked_color = 4;
constexpr std::uint32_t black = 0xFF000000, white = 0xFFFFFFFF;

struct shape_case {
  const char* name;
  UINT flags, width, height, pitch;
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint32_t> expected;
  std::uint32_t format;
};

[[nodiscard]] auto bytes_of_pixels(std::initializer_list<std::uint32_t> pixels)
    -> std::vector<std::uint8_t> {
  std::vector<std::uint8_t> out(pixels.size() * 4);
  std::memcpy(out.data(), pixels.begin(), out.size());
  return out;
}

[[nodiscard]] auto shape_cases() -> std::vector<shape_case> {
  return {
      // AND 0011, XOR 0101: black, white, transparent, inverted.
      {"monochrome",
       monochrome,
       4,
       1,
       1,
       {0x30, 0x50},
       {black, white, 0, white},
       AEROGPU_FORMAT_B8G8R8A8_UNORM},
      {"monochrome, two rows in pitch 2",
       monochrome,
       2,
       2,
       2,
       {0x00, 0xEE, 0xC0, 0xEE, 0x40, 0xEE, 0x00, 0xEE},
       {black, white, 0, 0},
       AEROGPU_FORMAT_B8G8R8A8_UNORM},
      {"monochrome, nine wide",
       monochrome,
       9,
       1,
       2,
       {0xFF, 0x80, 0x00, 0x80},
       {0, 0, 0, 0, 0, 0, 0, 0, white},
       AEROGPU_FORMAT_B8G8R8A8_UNORM},
      {"colour with alpha",
       color,
       2,
       1,
       8,
       bytes_of_pixels({0x80112233, 0x00445566}),
       {0x80112233, 0x00445566},
       AEROGPU_FORMAT_B8G8R8A8_UNORM},
      {"colour without alpha",
       color,
       2,
       1,
       8,
       bytes_of_pixels({0x00112233, 0x00000000}),
       {0xFF112233, 0xFF000000},
       AEROGPU_FORMAT_B8G8R8X8_UNORM},
      {"colour in a wide pitch",
       color,
       1,
       2,
       8,
       bytes_of_pixels({0xFF000001, 0xDEADBEEF, 0xFF000002, 0xDEADBEEF}),
       {0xFF000001, 0xFF000002},
       AEROGPU_FORMAT_B8G8R8A8_UNORM},
      {"masked colour",
       masked_color,
       4,
       1,
       16,
       bytes_of_pixels({0x00112233, 0x00000000, 0xFF000000, 0xFF00FF00}),
       {0xFF112233, black, 0, 0xFF00FF00},
       AEROGPU_FORMAT_B8G8R8A8_UNORM},
  };
}

[[nodiscard]] auto shape_of(const shape_case& one) -> DXGKARG_SETPOINTERSHAPE {
  DXGKARG_SETPOINTERSHAPE shape{};
  shape.Flags.Value = one.flags;
  shape.Width = one.width;
  shape.Height = one.height;
  shape.Pitch = one.pitch;
  shape.pPixels = one.bytes.data();
  return shape;
}

struct pointer_session : display_session {
  using display_session::display_session;

  [[nodiscard]] auto set_shape(const DXGKARG_SETPOINTERSHAPE& shape) -> NTSTATUS {
    return call(&table_type::DxgkDdiSetPointerShape, &shape);
  }
  [[nodiscard]] auto set_position(INT x, INT y, bool is_visible = true) -> NTSTATUS {
    DXGKARG_SETPOINTERPOSITION position{};
    position.X = x;
    position.Y = y;
    position.Flags.Visible = is_visible ? 1 : 0;
    return call(&table_type::DxgkDdiSetPointerPosition,
                static_cast<const DXGKARG_SETPOINTERPOSITION*>(&position));
  }
  /// An opaque shape of that size.
  [[nodiscard]] auto opaque(UINT width, UINT height) -> DXGKARG_SETPOINTERSHAPE {
    pixels.assign(std::size_t{width} * height, 0xFF123456);
    DXGKARG_SETPOINTERSHAPE shape{};
    shape.Flags.Color = 1;
    shape.Width = width;
    shape.Height = height;
    shape.Pitch = width * 4;
    shape.pPixels = pixels.data();
    return shape;
  }
  [[nodiscard]] auto is_enabled() -> bool { return reg(AEROGPU_MMIO_REG_CURSOR_ENABLE) == 1; }
  /// What the device finds at the cursor's address.
  [[nodiscard]] auto image(std::size_t count) -> std::vector<std::uint32_t> {
    std::vector<std::uint32_t> out(count);
    const std::uint64_t at = reg(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO) |
                             std::uint64_t{reg(AEROGPU_MMIO_REG_CURSOR_FB_GPA_HI)} << 32;
    CHECK(m.machine.get().memory().read(gpa{at}, std::as_writable_bytes(std::span{out})));
    return out;
  }
  std::vector<std::uint32_t> pixels;
};

}  // namespace

TEST_CASE("shapes of every kind become the pixels that the device shows",
          "[kmd][cursor][case-141]") {
  for (const shape_case& one : shape_cases()) {
    INFO(one.name);
    pointer_session session;
    REQUIRE(session.set_shape(shape_of(one)) == STATUS_SUCCESS);
    REQUIRE(session.set_position(0, 0) == STATUS_SUCCESS);
    CHECK(session.image(one.expected.size()) == one.expected);
    CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_FORMAT) == one.format);
    CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_WIDTH) == one.width);
    CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_HEIGHT) == one.height);
    CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES) == one.width * 4);
    CHECK(session.is_enabled());
  }
}

TEST_CASE("a shape is written with the cursor off, its address before the end",
          "[kmd][cursor][case-141]") {
  pointer_session session;
  REQUIRE(session.set_position(5, 6) == STATUS_SUCCESS);
  static_cast<void>(session.take_writes());
  REQUIRE(session.set_shape(session.opaque(8, 8)) == STATUS_SUCCESS);
  const auto writes = session.take_writes();
  REQUIRE(writes.size() > 4);
  CHECK(writes.front() == register_write{AEROGPU_MMIO_REG_CURSOR_ENABLE, 0});
  CHECK(writes[writes.size() - 3].offset == AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO);
  CHECK(writes[writes.size() - 2].offset == AEROGPU_MMIO_REG_CURSOR_FB_GPA_HI);
  CHECK(writes.back() == register_write{AEROGPU_MMIO_REG_CURSOR_ENABLE, 1});
}

TEST_CASE("positions name the image's corner, and the device gets the hot spot",
          "[kmd][cursor][case-142]") {
  struct row {
    INT x, y;
    UINT hot_x, hot_y;
    std::uint32_t register_x, register_y, register_hot_x, register_hot_y;
  };
  const auto negative = [](int value) { return static_cast<std::uint32_t>(value); };
  const row asked = GENERATE_COPY(
      row{100, 50, 3, 4, 103, 54, 3, 4}, row{-10, -20, 3, 4, negative(-7), negative(-16), 3, 4},
      row{-31, 0, 31, 31, 0, 31, 31, 31}, row{0, 0, 32, 99, 31, 31, 31, 31},
      row{0, 0, 0xFFFFFFFF, 0, 31, 0, 31, 0});
  pointer_session session;
  auto shape = session.opaque(32, 32);
  shape.XHot = asked.hot_x;
  shape.YHot = asked.hot_y;
  REQUIRE(session.set_shape(shape) == STATUS_SUCCESS);
  REQUIRE(session.set_position(asked.x, asked.y) == STATUS_SUCCESS);
  CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_X) == asked.register_x);
  CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_Y) == asked.register_y);
  CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_HOT_X) == asked.register_hot_x);
  CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_HOT_Y) == asked.register_hot_y);
}

TEST_CASE("a new hot spot moves the register, not the image", "[kmd][cursor][case-142]") {
  pointer_session session;
  REQUIRE(session.set_shape(session.opaque(32, 32)) == STATUS_SUCCESS);
  REQUIRE(session.set_position(40, 40) == STATUS_SUCCESS);
  auto shape = session.opaque(32, 32);
  shape.XHot = 7;
  REQUIRE(session.set_shape(shape) == STATUS_SUCCESS);
  CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_X) == 47);
}

TEST_CASE("shapes up to 512 by 512 are taken", "[kmd][cursor][case-142]") {
  struct row {
    UINT width, height;
    NTSTATUS status;
  };
  const row asked = GENERATE(row{1, 1, STATUS_SUCCESS}, row{511, 512, STATUS_SUCCESS},
                             row{512, 512, STATUS_SUCCESS}, row{513, 1, STATUS_NOT_SUPPORTED},
                             row{1, 513, STATUS_NOT_SUPPORTED});
  pointer_session session;
  REQUIRE(session.set_shape(session.opaque(4, 4)) == STATUS_SUCCESS);
  REQUIRE(session.set_position(0, 0) == STATUS_SUCCESS);
  CHECK(session.set_shape(session.opaque(asked.width, asked.height)) == asked.status);
  CHECK(session.is_enabled() == NT_SUCCESS(asked.status));
}

TEST_CASE("what is no shape is refused and hides the earlier one", "[kmd][cursor][case-142]") {
  pointer_session session;
  REQUIRE(session.set_shape(session.opaque(4, 4)) == STATUS_SUCCESS);
  REQUIRE(session.set_position(0, 0) == STATUS_SUCCESS);
  auto shape = session.opaque(4, 4);
  SECTION("no kind") {
    shape.Flags.Value = 0;
  }
  SECTION("two kinds") {
    shape.Flags.Value = color | masked_color;
  }
  SECTION("an unknown kind") {
    shape.Flags.Value = 8;
  }
  SECTION("a short pitch") {
    shape.Pitch = 15;
  }
  SECTION("a short monochrome pitch") {
    shape.Flags.Value = monochrome;
    shape.Pitch = 0;
  }
  SECTION("a vast pitch") {
    shape.Pitch = (1u << 20) + 1;
  }
  SECTION("a size without pixels") {
    shape.pPixels = nullptr;
  }
  SECTION("pixels without a size") {
    shape.Width = 0;
  }
  CHECK(session.set_shape(shape) == STATUS_INVALID_PARAMETER);
  CHECK_FALSE(session.is_enabled());
}

TEST_CASE("a NULL shape turns the cursor off", "[kmd][cursor][case-142]") {
  pointer_session session;
  REQUIRE(session.set_shape(session.opaque(4, 4)) == STATUS_SUCCESS);
  REQUIRE(session.set_position(0, 0) == STATUS_SUCCESS);
  REQUIRE(session.is_enabled());
  CHECK(session.set_shape({}) == STATUS_SUCCESS);
  CHECK_FALSE(session.is_enabled());
  CHECK(session.set_position(1, 1) == STATUS_SUCCESS);
  CHECK_FALSE(session.is_enabled());
}

TEST_CASE("the cursor shows when it is visible and has a shape", "[kmd][cursor]") {
  pointer_session session;
  CHECK(session.set_position(1, 2, true) == STATUS_SUCCESS);
  CHECK_FALSE(session.is_enabled());
  CHECK(session.set_shape(session.opaque(4, 4)) == STATUS_SUCCESS);
  CHECK(session.is_enabled());
  CHECK(session.set_position(1, 2, false) == STATUS_SUCCESS);
  CHECK_FALSE(session.is_enabled());
}

TEST_CASE("hiding the cursor leaves its position", "[kmd][cursor][case-142]") {
  pointer_session session;
  REQUIRE(session.set_shape(session.opaque(4, 4)) == STATUS_SUCCESS);
  REQUIRE(session.set_position(30, 40) == STATUS_SUCCESS);
  const std::uint32_t x = session.reg(AEROGPU_MMIO_REG_CURSOR_X);
  CHECK(session.set_position(-7, 9999, false) == STATUS_SUCCESS);
  CHECK_FALSE(session.is_enabled());
  CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_X) == x);
  CHECK(session.adapter->display.cursor.current().x == 30);
  CHECK(session.adapter->display.cursor.current().y == 40);
}

TEST_CASE("without memory for the image GDI draws", "[kmd][cursor]") {
  pointer_session session;
  session.m.pc.faults.fail(sim::fault_point::contiguous, 0);
  CHECK(session.set_shape(session.opaque(64, 64)) == STATUS_INSUFFICIENT_RESOURCES);
  CHECK_FALSE(session.is_enabled());
  CHECK(session.set_shape(session.opaque(64, 64)) == STATUS_SUCCESS);
}

TEST_CASE("the image's memory is used again while it is large enough", "[kmd][cursor]") {
  pointer_session session;
  REQUIRE(session.set_shape(session.opaque(64, 64)) == STATUS_SUCCESS);
  const std::uint64_t blocks = session.m.pc.contiguous_blocks;
  const std::uint32_t address = session.reg(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO);
  REQUIRE(session.set_shape(session.opaque(32, 32)) == STATUS_SUCCESS);
  CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO) == address);
  REQUIRE(session.set_shape(session.opaque(512, 512)) == STATUS_SUCCESS);
  CHECK(session.m.pc.contiguous_blocks == blocks);
}

TEST_CASE("without the CURSOR feature pointer calls are refused without MMIO",
          "[kmd][cursor][case-143]") {
  pointer_session session{display_setup{60, AEROGPU_FEATURE_CURSOR, true}};
  const std::uint64_t before = session.accesses();
  CHECK(session.set_shape(session.opaque(4, 4)) == STATUS_NOT_SUPPORTED);
  CHECK(session.set_position(0, 0) == STATUS_NOT_SUPPORTED);
  CHECK(session.accesses() == before);
}

TEST_CASE("while the device is off, pointer calls are remembered without MMIO", "[kmd][cursor]") {
  pointer_session session;
  session.adapter->is_ready = false;
  const std::uint64_t before = session.accesses();
  CHECK(session.set_shape(session.opaque(16, 16)) == STATUS_SUCCESS);
  CHECK(session.set_position(9, 8) == STATUS_SUCCESS);
  CHECK(session.accesses() == before);
  session.adapter->display.cursor.restore(*session.adapter);
  session.adapter->is_ready = true;
  CHECK(session.is_enabled());
  CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_X) == 9);
  CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_WIDTH) == 16);
}

TEST_CASE("an escape's shape is packed, and a bad one leaves the earlier", "[kmd][cursor]") {
  pointer_session session;
  auto& cursor = session.adapter->display.cursor;
  const std::array<std::uint32_t, 6> rows{1, 2, 0xEE, 3, 4, 0xEE};
  cursor_shape shape;
  shape.width = 2;
  shape.height = 2;
  shape.pitch_bytes = 12;
  shape.hot_x = -5;
  shape.hot_y = 9;
  shape.format = AEROGPU_FORMAT_R8G8B8A8_UNORM;
  shape.pixels = std::as_bytes(std::span{rows});
  REQUIRE(cursor.set_shape(*session.adapter, shape) == STATUS_SUCCESS);
  CHECK(session.image(4) == std::vector<std::uint32_t>{1, 2, 3, 4});
  CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_HOT_X) == 0);
  CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_HOT_Y) == 1);
  REQUIRE(cursor.set_visible(*session.adapter, true) == STATUS_SUCCESS);
  REQUIRE(session.is_enabled());
  SECTION("short pixels") {
    shape.pixels = shape.pixels.first(23);
  }
  SECTION("short pitch") {
    shape.pitch_bytes = 7;
  }
  SECTION("no size") {
    shape.width = 0;
  }
  SECTION("too large") {
    shape.width = 513;
  }
  SECTION("unknown format") {
    shape.format = AEROGPU_FORMAT_B5G6R5_UNORM;
  }
  CHECK_FALSE(NT_SUCCESS(cursor.set_shape(*session.adapter, shape)));
  CHECK(session.is_enabled());
}

TEST_CASE("a pointer that moves waits for the test of its registers", "[kmd][cursor][case-156]") {
  pointer_session session{{.is_concurrent = true}};
  auto& pc = session.m.pc;
  std::atomic<bool> is_there = false, is_moved = false;
  std::thread mover;
  // After the test's first write, and before it reads back.
  pc.bus.host.on_write = [&, is_first = true](std::uint32_t at, std::uint32_t value) mutable {
    if (at != AEROGPU_MMIO_REG_CURSOR_X || !std::exchange(is_first, false)) return true;
    pc.bus.poke(at, value);
    mover = std::thread{[&] {
      const sim::thread_scope here{pc};
      is_there = true;
      is_moved = NT_SUCCESS(session.adapter->display.cursor.move(*session.adapter, 70, 80));
    }};
    while (!is_there) std::this_thread::yield();  // A late thread would pass without the lock.
    for (int i = 0; i < 50 && !is_moved; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    return false;
  };
  CHECK(session.adapter->display.cursor.test_position(*session.adapter));
  mover.join();
  pc.bus.host.on_write = {};
  CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_X) == 70);
  CHECK(session.reg(AEROGPU_MMIO_REG_CURSOR_Y) == 80);
}

TEST_CASE("a thread that sets the cursor is not suspended before it is done", "[kmd][cursor]") {
  pointer_session session;
  std::size_t writes = 0, suspensible = 0;
  session.m.pc.bus.host.on_write = [&](std::uint32_t, std::uint32_t) {
    ++writes;
    suspensible += sim::this_thread().critical_regions == 0 ? 1 : 0;
    return true;
  };
  CHECK(session.adapter->display.cursor.move(*session.adapter, 7, 8) == STATUS_SUCCESS);
  session.m.pc.bus.host.on_write = {};
  CHECK(writes != 0);
  CHECK(suspensible == 0);
  CHECK(sim::this_thread().critical_regions == 0);
}

TEST_CASE("the pointer of another source is refused", "[kmd][cursor]") {
  pointer_session session;
  auto shape = session.opaque(4, 4);
  shape.VidPnSourceId = 1;
  CHECK(session.set_shape(shape) == STATUS_INVALID_PARAMETER);
  const DXGKARG_SETPOINTERPOSITION position{1, 0, 0, {}};
  CHECK(session.call(&table_type::DxgkDdiSetPointerPosition, &position) ==
        STATUS_INVALID_PARAMETER);
}
