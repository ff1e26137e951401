// SPDX-License-Identifier: MIT
/// \file DEV-138: which textures a flip can name, and by which address (kmd.md K-35).
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/display/flip_rig.hpp"

#include <algorithm>
#include <cstdint>

namespace aerogpu::conformance {

namespace flip_target_case {

/// The address names no texture.
template <class Rig>
void check_unknown(Rig& rig, std::uint64_t address) {
  rig.commit(address);
  rig.check_shows_memory(address);
}
/// The address names texture `n`.
template <class Rig>
void check_known(Rig& rig, std::uint32_t n, std::uint64_t address) {
  rig.commit(address);
  rig.next_edge();
  rig.check_shows(n);
}

}  // namespace flip_target_case

TEMPLATE_LIST_TEST_CASE("DEV-138 the last 16 presented textures are remembered",
                        "[conformance][device]", backends) {
  using namespace flip_target_case;
  const std::uint32_t count = GENERATE(15u, 16u, 17u, 18u);
  flip_rig<TestType> rig;
  for (std::uint32_t n = 1; n <= count; ++n) rig.create_and_present(n);
  for (std::uint32_t n = 1; n <= count; ++n) {
    if (n + 16 > count) {
      check_known(rig, n, rig.address_of(n));
    } else {
      check_unknown(rig, rig.address_of(n));
    }
  }
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-138 a texture that is presented again is the newest again",
                        "[conformance][device]", backends) {
  using namespace flip_target_case;
  flip_rig<TestType> rig;
  for (std::uint32_t n = 1; n <= 16; ++n) rig.create_and_present(n);
  rig.present(1);
  rig.create_and_present(17);
  check_known(rig, 1, rig.address_of(1));
  check_unknown(rig, rig.address_of(2));
  check_known(rig, 3, rig.address_of(3));
}

TEMPLATE_LIST_TEST_CASE("DEV-138 a shown texture that is no longer remembered stays on the display",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.flip_to(1);
  for (std::uint32_t n = 2; n <= 17; ++n) rig.create_and_present(n);
  rig.check_shows(1);
  rig.commit(rig.address_of(1));
  rig.check_shows_memory(rig.address_of(1));
}

TEMPLATE_LIST_TEST_CASE("DEV-138 a texture without backing, table or PRESENT is not remembered",
                        "[conformance][device]", backends) {
  using namespace flip_target_case;
  flip_rig<TestType> rig;
  SECTION("no backing") {
    rig.create_unbacked(1);
    rig.present(1);
  }
  SECTION("no table") {
    rig.create(1);
    rig.present_without_table(1);
  }
  SECTION("no entry") {
    rig.create(1);
    rig.submit_next(stream_builder{}.targets({1}).present(), {{rig.entry(2, rig.address_of(1))}});
  }
  SECTION("an allocation that is too small") {
    rig.create(1);
    rig.submit_next(stream_builder{}.targets({1}).present(), {{{1, 0, rig.address_of(1), 15, 0}}});
  }
  SECTION("no PRESENT") {
    rig.create(1);
    rig.submit_next(stream_builder{}.targets({1}).flush(), {{rig.entry(1, rig.address_of(1))}});
  }
  SECTION("a PRESENT to another scanout") {
    rig.create(1);
    rig.submit_next(stream_builder{}.targets({1}).present(1), {{rig.entry(1, rig.address_of(1))}});
  }
  check_unknown(rig, rig.address_of(1));
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-138 a PRESENT without a table keeps the address that is known",
                        "[conformance][device]", backends) {
  using namespace flip_target_case;
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.present_without_table(1);
  check_known(rig, 1, rig.address_of(1));
}

TEMPLATE_LIST_TEST_CASE("DEV-138 a flip's address is that of the texture inside its allocation",
                        "[conformance][device]", backends) {
  using namespace flip_target_case;
  flip_rig<TestType> rig;
  rig.create(1, rig.address_of(1), 0x100);
  rig.present(1);
  check_known(rig, 1, rig.address_of(1) + 0x100);
  check_unknown(rig, rig.address_of(1));
}

TEMPLATE_LIST_TEST_CASE("DEV-138 an allocation that moves takes its texture's address along",
                        "[conformance][device]", backends) {
  using namespace flip_target_case;
  const bool is_presented_again = GENERATE(false, true);
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.create_and_present(2);
  rig.submit_next(
      is_presented_again ? stream_builder{}.targets({1}).present() : stream_builder{}.nop(),
      {{rig.entry(1, rig.address_of(7))}});
  check_unknown(rig, rig.address_of(1));
  check_known(rig, 1, rig.address_of(7));
  check_known(rig, 2, rig.address_of(2));
}

TEMPLATE_LIST_TEST_CASE("DEV-138 allocations that change places do so for flips",
                        "[conformance][device]", backends) {
  using namespace flip_target_case;
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.create_and_present(2);
  rig.submit_next(stream_builder{}.nop(),
                  {{rig.entry(1, rig.address_of(2)), rig.entry(2, rig.address_of(1))}});
  check_known(rig, 2, rig.address_of(1));
  check_known(rig, 1, rig.address_of(2));
}

TEMPLATE_LIST_TEST_CASE("DEV-138 what a table names last owns the address", "[conformance][device]",
                        backends) {
  using namespace flip_target_case;
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.create_and_present(2);
  // The table does not know where 2 went, but 1 is where it was.
  rig.submit_next(stream_builder{}.nop(), {{rig.entry(1, rig.address_of(2))}});
  check_known(rig, 1, rig.address_of(2));
  check_unknown(rig, rig.address_of(1));
  rig.present(2);
  check_known(rig, 2, rig.address_of(2));
}

TEMPLATE_LIST_TEST_CASE("DEV-138 of two textures at one address the one presented last shows",
                        "[conformance][device]", backends) {
  using namespace flip_target_case;
  flip_rig<TestType> rig;
  const auto shared = rig.address_of(1);
  rig.create(1);
  auto second = rig.shape;
  second.memory = {1, 0};
  rig.submit_next(
      stream_builder{}.create_texture(2, second).upload(2, 0, test::filled(rig.image_bytes, 2)),
      {{rig.entry(1, shared)}});
  const auto present = [&](std::uint32_t n) {
    rig.submit_next(stream_builder{}.targets({n}).present(), {{rig.entry(1, shared)}});
  };
  present(1);
  present(2);
  check_known(rig, 2, shared);
  present(1);
  check_known(rig, 1, shared);
  rig.submit_next(stream_builder{}.destroy(1));
  check_unknown(rig, shared);
}

TEMPLATE_LIST_TEST_CASE("DEV-138 a destroyed texture is no flip's any more",
                        "[conformance][device]", backends) {
  using namespace flip_target_case;
  enum class moment : std::uint8_t { remembered, waiting, shown };
  const auto when = GENERATE(moment::remembered, moment::waiting, moment::shown);
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.create_and_present(2);
  if (when != moment::remembered) rig.commit(rig.address_of(1));
  if (when == moment::shown) rig.next_edge();
  rig.submit_next(stream_builder{}.destroy(1));
  if (when == moment::waiting) rig.check_shows(2);
  if (when == moment::waiting) rig.next_edge();
  if (when == moment::remembered) rig.commit(rig.address_of(1));
  rig.check_shows_memory(rig.address_of(1));
  rig.present(2);
  rig.check_shows(2);  // No flip is in effect.
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-138 a texture lives for flips as long as one of its handles",
                        "[conformance][device]", backends) {
  using namespace flip_target_case;
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.submit_next(stream_builder{}.export_surface(1, 55).import_surface(9, 55).destroy(1));
  check_known(rig, 1, rig.address_of(1));
  rig.submit_next(stream_builder{}.destroy(9));
  rig.check_shows_memory(rig.address_of(1));
}

TEMPLATE_LIST_TEST_CASE("DEV-138 a texture that gets another backing has that one's address",
                        "[conformance][device]", backends) {
  using namespace flip_target_case;
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  auto moved = rig.shape;
  moved.memory = {7, 0};
  rig.submit_next(stream_builder{}.create_texture(1, moved), {{rig.entry(7, rig.address_of(7))}});
  check_unknown(rig, rig.address_of(1));
  check_unknown(rig, rig.address_of(7));
  rig.submit_next(stream_builder{}.targets({1}).present(), {{rig.entry(7, rig.address_of(7))}});
  check_known(rig, 1, rig.address_of(7));
}

TEMPLATE_LIST_TEST_CASE("DEV-138 textures and flips in BAR1 go by their guest addresses",
                        "[conformance][device]", backends) {
  using namespace flip_target_case;
  flip_rig<TestType> rig;
  const std::uint64_t first = test::bar1_base + 0x40000;
  const std::uint64_t last = test::bar1_base + (1u << 20) - 0x800;
  rig.create(1, first);
  rig.present_at(1, first);
  rig.create(2, last);
  rig.present_at(2, last);
  check_known(rig, 1, first);
  check_known(rig, 2, last);
  rig.commit(first + 0x1000);  // Video memory that is nobody's texture.
  for (std::uint64_t at = 0; at < rig.image_bytes; ++at) rig.dev->bar1_write(0x41000 + at, 0x77, 1);
  rgba8_image image;
  REQUIRE(rig.dev->read_scanout(image));
  CHECK(std::ranges::equal(image.pixels(), test::filled(rig.image_bytes, 0x77)));
  rig.check_no_error();
}

}  // namespace aerogpu::conformance
