// SPDX-License-Identifier: MIT
// Tests of aerogpu/trace/zstd.hpp.
#include "aerogpu/trace/zstd.hpp"

#include "aerogpu/trace/recover.hpp"
#include "tests/catch.hpp"
#include "tests/unit/trace/trace_samples.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto vector_of(const_bytes bytes) -> byte_vector {
  return {bytes.begin(), bytes.end()};
}

auto packed(const byte_vector& bytes, const zstd_choice& how = {}) -> byte_vector {
  memory_sink sink;
  auto packer = zstd_sink<memory_sink>::create(sink, how);
  REQUIRE(packer);
  REQUIRE(packer->append(bytes));
  REQUIRE(packer->finish());
  return vector_of(sink.bytes());
}

/// What can be unpacked, whole or not.
auto unpacked(const_bytes bytes) -> byte_vector {
  memory_sink sink;
  const auto content = zstd_unpack(bytes, sink);
  REQUIRE(content);
  CHECK(content->bytes == sink.bytes().size());
  return vector_of(sink.bytes());
}

/// Counts how often it was flushed, and refuses from some byte on.
struct small_sink {
  auto append(const_bytes bytes) noexcept -> bool {
    if (bytes.size() > room) return false;
    room -= bytes.size();
    return true;
  }
  auto flush() noexcept -> bool {
    ++flushes;
    return true;
  }
  [[nodiscard]] auto why() const noexcept -> error {
    return make_error(error_code::no_space, "the sink is small");
  }
  std::size_t room = 0;
  unsigned flushes = 0;
};

}  // namespace

TEST_CASE("what was compressed is unpacked, and is smaller", "[trace]") {
  byte_vector bytes;
  for (unsigned i = 0; i < 3000; ++i) {
    const byte_vector more = counting(100, i % 7);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  const byte_vector small = packed(bytes);
  CHECK(starts_with_zstd(small));
  CHECK_FALSE(starts_with_zstd(bytes));
  CHECK(small.size() < bytes.size() / 20);
  memory_sink sink;
  const auto content = zstd_unpack(small, sink);
  REQUIRE(content);
  CHECK(content->why.code == error_code::none);
  CHECK(vector_of(sink.bytes()) == bytes);
}

TEST_CASE("compressed data that was cut is unpacked up to what was flushed", "[trace]") {
  memory_sink sink;
  auto packer = zstd_sink<memory_sink>::create(sink, {.window_log = 10});
  REQUIRE(packer);
  std::vector<std::size_t> flushed;
  byte_vector bytes;
  for (unsigned i = 0; i < 10; ++i) {
    const byte_vector piece = counting(50, 13 * i, i);
    bytes.insert(bytes.end(), piece.begin(), piece.end());
    REQUIRE(packer->append(piece));
    REQUIRE(packer->flush());
    flushed.push_back(sink.bytes().size());
  }
  REQUIRE(packer->finish());
  for (std::size_t size = flushed.front(); size < sink.bytes().size(); ++size) {
    CAPTURE(size);
    const auto pieces = static_cast<std::size_t>(
        std::upper_bound(flushed.begin(), flushed.end(), size) - flushed.begin());
    memory_sink out;
    const auto content = zstd_unpack(sink.bytes().first(size), out);
    REQUIRE(content);
    CHECK(content->why.code == error_code::corrupt);
    CHECK(std::string{content->why.what} == "the compressed data ends early");
    CHECK(content->ends_early);
    CHECK(out.bytes().size() >= 50 * pieces);
    CHECK(std::equal(out.bytes().begin(), out.bytes().end(), bytes.begin()));
  }
}

TEST_CASE("a recording is compressed as it is written", "[trace]") {
  memory_sink sink;
  auto packer = zstd_sink<memory_sink>::create(sink);
  REQUIRE(packer);
  auto writer = trace_writer<zstd_sink<memory_sink>>::create(*packer);
  REQUIRE(writer);
  REQUIRE(writer->begin_frame(0));
  REQUIRE(writer->submission({.signal_fence = 7}, {}));
  REQUIRE(writer->flush());
  SECTION("and can be read while it is") {
    const byte_vector file = unpacked(sink.bytes());
    const auto found = recover_trace(file);
    REQUIRE(found);
    CHECK(all_records(found->trace).size() == 2);
  }
  SECTION("and is whole at its end") {
    REQUIRE(writer->finish());
    REQUIRE(packer->finish());
    const byte_vector file = unpacked(sink.bytes());
    const auto trace = trace_reader::open(file);
    REQUIRE(trace);
    CHECK(all_records(*trace).size() == 2);
  }
}

TEST_CASE("flushing reaches the sink behind", "[trace]") {
  small_sink sink{1000};
  auto packer = zstd_sink<small_sink>::create(sink);
  REQUIRE(packer);
  REQUIRE(packer->append(counting(10)));
  REQUIRE(packer->flush());
  CHECK(sink.flushes == 1);
  CHECK(sink.room < 1000);
}

TEST_CASE("a sink that takes no more ends the compression, with its reason", "[trace]") {
  small_sink sink{5};
  auto packer = zstd_sink<small_sink>::create(sink);
  REQUIRE(packer);
  REQUIRE(packer->append(counting(10)));
  CHECK_FALSE(packer->flush());
  CHECK_FALSE(packer->append(counting(10)));
  CHECK(std::string{packer->finish().why().what} == "the sink is small");
}

TEST_CASE("a level or window that zstd does not have is refused", "[trace]") {
  memory_sink sink;
  CHECK(zstd_sink<memory_sink>::create(sink, {.window_log = 99}).why().code ==
        error_code::invalid_parameter);
}

TEST_CASE("what unpacks to more than the limit is refused", "[trace]") {
  const byte_vector bomb = packed(byte_vector(10u << 20));
  REQUIRE(bomb.size() < 10'000);
  memory_sink sink;
  const auto content = zstd_unpack(bomb, sink, {.unpacked_bytes = 1u << 20});
  REQUIRE_FALSE(content);
  CHECK(content.why().code == error_code::out_of_memory);
  CHECK(content.why().limit == 1u << 20);
  CHECK(sink.bytes().size() <= 1u << 20);
}

TEST_CASE("a window of 2^27 bytes is taken, and a larger one refused ahead of its memory",
          "[trace]") {
  const auto [window, is_taken] = GENERATE(table<unsigned, bool>({{0x88, true},      // 2^27
                                                                  {0x89, false},     // 2^27 + 2^24
                                                                  {0x90, false},     // 2^28
                                                                  {0xA8, false}}));  // 2^31
  CAPTURE(window);
  // A frame whose header declares that window, with an empty block.
  const byte_vector file = bytes_from({0x28, 0xB5, 0x2F, 0xFD, 0x00, window, 0x01, 0x00, 0x00});
  memory_sink sink;
  const auto content = zstd_unpack(file, sink);
  REQUIRE(content);
  CHECK(content->bytes == 0);
  CHECK(content->why.code == (is_taken ? error_code::none : error_code::corrupt));
  const bool is_of_memory =
      !is_taken && std::string{content->why.what}.find("memory") != std::string::npos;
  CHECK(is_of_memory == !is_taken);
}

TEST_CASE("a reader may take smaller windows alone", "[trace]") {
  const byte_vector file = packed(counting(10), {.window_log = 20});
  memory_sink sink;
  CHECK(zstd_unpack(file, sink, {.window_log = 20})->why.code == error_code::none);
  CHECK(zstd_unpack(file, sink, {.window_log = 19})->why.code == error_code::corrupt);
}

TEST_CASE("a changed byte of content is found by the checksum behind it", "[trace]") {
  byte_vector file = packed(counting(10));  // Too short to be compressed: the bytes as they are.
  file[file.size() - 4 - 1] ^= std::byte{1};
  memory_sink sink;
  const auto content = zstd_unpack(file, sink);
  REQUIRE(content);
  CHECK(content->why.code == error_code::corrupt);
  CHECK(std::string{content->why.what}.find("checksum") != std::string::npos);
  CHECK_FALSE(content->ends_early);
}

TEST_CASE("no changed byte of compressed data breaks unpacking", "[trace]") {
  // A small window: memory for a large one would be taken anew each time.
  const byte_vector good = packed(version_2_trace(), {.window_log = 10});
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const unsigned flip : {0x01u, 0x80u, 0xFFu}) {
      byte_vector file = good;
      file[at] ^= static_cast<std::byte>(flip);
      memory_sink sink{1u << 20};
      (void)zstd_unpack(file, sink, {.unpacked_bytes = 1u << 20});
      CHECK(sink.bytes().size() <= 1u << 20);
    }
  }
}

TEST_CASE("a full sink without words of its own says how much it was to take", "[trace]") {
  memory_sink sink{5};
  auto packer = zstd_sink<memory_sink>::create(sink);
  REQUIRE(packer);
  REQUIRE(packer->append(counting(10)));
  CHECK_FALSE(packer->flush());
  CHECK(packer->why().code == error_code::no_space);
  CHECK(packer->why().detail > 5);
  CHECK(packer->why().limit == 0);
}
