// SPDX-License-Identifier: MIT
/// \file What `aerogpu trim` puts in front of the frames that are kept, however long a recording
/// is.
#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/stream_builder.hpp"
#include "tools/aerogpu/trim/setup_stream.hpp"

#include <cstdint>
#include <list>
#include <random>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;
using namespace aerogpu::tool;

namespace {

constexpr std::uint32_t texture_count = 5, buffer_count = 3;
constexpr std::uint32_t first_buffer =
    texture_count + 1;  // Handles are those of textures, then these.

/// A guest that makes, draws on, copies and destroys a few objects in two contexts, at random.
class random_guest {
 public:
  explicit random_guest(std::uint32_t seed) : random_(seed) {}

  [[nodiscard]] auto works(std::size_t count) -> std::vector<recorded_work> {
    std::vector<recorded_work> made(count);
    for (std::size_t i = 0; i < count; ++i) {
      made[i].index = i;
      made[i].what.context = context_id{below(2)};
      made[i].what.stream = bytes_.emplace_back(stream());
      if (below(2) != 0) made[i].memory.push_back({alloc_id{1}, 0, gpa{0x1000}, memory()});
    }
    return made;
  }

 private:
  [[nodiscard]] auto below(std::uint32_t end) -> std::uint32_t {
    return static_cast<std::uint32_t>(random_() % end);
  }
  [[nodiscard]] auto texture() -> std::uint32_t { return 1 + below(texture_count); }
  [[nodiscard]] auto buffer() -> std::uint32_t { return first_buffer + below(buffer_count); }

  [[nodiscard]] auto memory() -> const_bytes {
    return bytes_.emplace_back(byte_vector(64, static_cast<std::byte>(below(3))));
  }

  [[nodiscard]] auto stream() -> byte_vector {
    stream_builder to;
    for (std::uint32_t n = below(12); n != 0; --n) add_packet(to);
    return to.bytes();
  }

  void add_packet(stream_builder& to) {
    switch (below(13)) {
      case 0: to.create_texture(texture(), {.width = 8, .height = 8}); break;
      case 1: to.create_buffer(buffer(), 64, {below(2), 0}); break;
      case 2: to.destroy(texture()); break;
      case 3: to.destroy(buffer()); break;
      case 4: to.targets({texture()}); break;
      case 5: to.clear(AEROGPU_CLEAR_COLOR); break;
      case 6: to.vertex_buffer(0, buffer()); break;
      case 7: to.set_texture(wire_ps, below(2), texture()); break;
      case 8: to.draw(3); break;
      case 9: to.upload(buffer(), 0, counting(below(2) == 0 ? 64 : 16, 1)); break;
      case 10: to.dirty(buffer(), 0, 64); break;
      case 11: to.render_state(7 + below(3), below(2)); break;
      default: to.copy_texture({.handle = texture()}, {.handle = texture()}, 8, 8); break;
    }
  }

  std::mt19937 random_;
  std::list<byte_vector> bytes_;
};

/// Why a recording is refused; empty when it is not.
auto refusal(const setup_limits& most) -> std::string {
  random_guest guest{1};
  std::string why;
  const auto made =
      make_setup_streams(guest.works(50), {40, 49}, {}, earlier_draws::keep, why, most);
  CHECK(made.has_value() == why.empty());
  return why;
}

}  // namespace

TEST_CASE("the set-up of frames is the same however few packets are followed at a time",
          "[tools]") {
  const auto draws = GENERATE(earlier_draws::keep, earlier_draws::drop);
  std::size_t with_setup = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    random_guest guest{seed};
    const auto works = guest.works(50);
    const kept_works kept{1 + seed % 45, 49};
    std::string why;
    const auto at_once = make_setup_streams(works, kept, {}, draws, why);
    const auto in_segments =
        make_setup_streams(works, kept, {}, draws, why, {.packets_at_once = 1 + seed % 20});
    CAPTURE(seed, why);
    REQUIRE(at_once);
    REQUIRE(in_segments);
    CHECK(*at_once == *in_segments);
    for (const auto& stream : *at_once) with_setup += stream.empty() ? 0 : 1;
  }
  CHECK(with_setup > 500);
}

TEST_CASE("what following a recording may take is bounded", "[tools]") {
  CHECK(refusal({}).empty());
  CHECK(refusal({.packets = 3}) ==
        "up to these frames are more than 3 packets; record anew, closer to them");
  CHECK(refusal({.remembered = 1}) ==
        "up to these frames are more than 1 objects to follow; record anew, closer to them");
  CHECK(refusal({.setup_bytes = 16}) ==
        "up to these frames are more than 16 bytes of set-up; record anew, closer to them");
}
