// SPDX-License-Identifier: MIT
#include "aerogpu/stream/sinks.hpp"

#include "tests/catch.hpp"

#include <array>
#include <vector>

using namespace aerogpu;

namespace {

/// A container whose growth may fail.
struct failing_bytes {
  std::array<std::byte, 64> storage{};
  std::size_t used = 0;
  std::size_t most = 64;
  auto resize(std::size_t size) noexcept -> bool {
    if (size > most) return false;
    used = size;
    return true;
  }
  auto data() noexcept -> std::byte* { return storage.data(); }
  auto size() const noexcept -> std::size_t { return used; }
};

constexpr auto put_one = [](std::byte* at) noexcept { *at = std::byte{1}; };

static_assert(stream_sink<growing_sink<std::vector<std::byte>>>);
static_assert(stream_sink<growing_sink<failing_bytes>>);

}  // namespace

TEST_CASE("a span takes bytes up to its end and no further", "[stream][sinks]") {
  std::array<std::byte, 8> storage{};
  span_sink sink{std::span{storage}.first(6)};
  CHECK(sink.append(4, put_one));
  CHECK_FALSE(sink.append(3, put_one));
  CHECK(sink.size() == 4);
  CHECK(sink.room() == 2);
  CHECK(sink.append(2, put_one));
  CHECK(storage[4] == std::byte{1});
  CHECK(storage[6] == std::byte{0});
  CHECK_FALSE(sink.append(SIZE_MAX, put_one));
  sink.clear();
  CHECK(sink.room() == 6);
}

TEST_CASE("patching overwrites what was appended", "[stream][sinks]") {
  std::array<std::byte, 4> storage{};
  span_sink sink{storage};
  REQUIRE(sink.append(4, put_one));
  const std::array<std::byte, 2> patch{std::byte{7}, std::byte{8}};
  sink.patch(2, patch);
  CHECK(storage == std::array<std::byte, 4>{std::byte{1}, {}, std::byte{7}, std::byte{8}});
}

TEST_CASE("counting touches no memory and does not wrap", "[stream][sinks]") {
  counting_sink sink;
  const auto never = [](std::byte*) noexcept { FAIL_CHECK("a counting sink has no bytes"); };
  CHECK(sink.append(SIZE_MAX - 1, never));
  CHECK_FALSE(sink.append(2, never));
  CHECK(sink.size() == SIZE_MAX - 1);
}

TEST_CASE("a container grows to its limit", "[stream][sinks]") {
  std::vector<std::byte> bytes(3);
  growing_sink sink{bytes, 8};
  CHECK(sink.append(5, put_one));
  CHECK(bytes[3] == std::byte{1});
  CHECK_FALSE(sink.append(1, put_one));
  CHECK(bytes.size() == 8);
}

TEST_CASE("a container that cannot grow leaves the sink as it was", "[stream][sinks]") {
  failing_bytes bytes;
  bytes.most = 4;
  growing_sink sink{bytes};
  CHECK(sink.append(4, put_one));
  CHECK_FALSE(sink.append(1, put_one));
  CHECK(sink.size() == 4);
}

TEST_CASE("a container that is beyond the limit already takes nothing", "[stream][sinks]") {
  std::vector<std::byte> bytes(9);
  growing_sink sink{bytes, 8};
  CHECK_FALSE(sink.append(0, put_one));
  CHECK_FALSE(sink.append(1, put_one));
  CHECK(bytes.size() == 9);
}

TEST_CASE("counting starts over, and patches nothing", "[stream][sinks]") {
  counting_sink sink;
  REQUIRE(sink.append(12, [](std::byte*) noexcept {}));
  sink.patch(100, {});
  CHECK(sink.size() == 12);
  sink.clear();
  CHECK(sink.size() == 0);
}

TEST_CASE("the bytes of a span are those that were appended since it started over",
          "[stream][sinks]") {
  std::array<std::byte, 8> storage{};
  span_sink sink{storage};
  REQUIRE(sink.append(3, put_one));
  CHECK(sink.bytes().data() == storage.data());
  CHECK(sink.bytes().size() == 3);
  sink.clear();
  CHECK(sink.bytes().empty());
  REQUIRE(sink.append(8, put_one));
  CHECK(sink.room() == 0);
  CHECK_FALSE(sink.append(1, put_one));
}
