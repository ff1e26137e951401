// SPDX-License-Identifier: MIT
/// \file DEV-137: what PRESENT shows beside flips (kmd.md K-35).
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/display/flip_rig.hpp"

#include <cstdint>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("DEV-137 without a flip every PRESENT shows at once",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create(1);
  rig.create(2);
  for (const std::uint32_t n : {1u, 2u, 1u, 1u, 2u}) {
    rig.present(n);
    rig.check_shows(n);
  }
  rig.next_edge();
  rig.check_shows(2);
}

TEMPLATE_LIST_TEST_CASE("DEV-137 frames that are presented ahead wait for flips of their own",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  for (const std::uint32_t n : {1u, 2u, 3u}) rig.create(n);
  rig.present(1);
  rig.flip_to(1);
  for (int round = 0; round < 3; ++round) {
    rig.present(2);
    rig.present(3);
    rig.check_shows(1);
    rig.next_edge();
    rig.check_shows(1);
    rig.flip_to(2);
    rig.check_shows(2);
    rig.present(1);
    rig.check_shows(2);
    rig.flip_to(3);
    rig.check_shows(3);
    rig.flip_to(1);
    rig.check_shows(1);
  }
}

TEMPLATE_LIST_TEST_CASE(
    "DEV-137 a texture presented twice without its flip shows, and so do others",
    "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  for (const std::uint32_t n : {1u, 2u, 3u}) rig.create(n);
  rig.present(1);
  rig.flip_to(1);
  rig.present(2);
  rig.check_shows(1);
  rig.present(2);
  rig.check_shows(2);
  rig.present(3);
  rig.check_shows(3);
  rig.flip_to(2);  // It flips again: presents wait again.
  rig.present(3);
  rig.check_shows(2);
}

TEMPLATE_LIST_TEST_CASE("DEV-137 a flip that was replaced before its edge counts as a flip",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  for (const std::uint32_t n : {1u, 2u, 3u}) rig.create(n);
  rig.present(1);
  rig.flip_to(1);
  rig.present(2);
  rig.present(3);
  rig.commit(rig.address_of(2));
  rig.commit(rig.address_of(3));
  rig.present(2);
  rig.check_shows(1);
  rig.next_edge();
  rig.check_shows(3);
}

TEMPLATE_LIST_TEST_CASE("DEV-137 the texture on the display may be presented again and again",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create(1);
  rig.create(2);
  rig.present(1);
  rig.flip_to(1);
  for (int i = 0; i < 3; ++i) rig.present(1);
  rig.check_shows(1);
  rig.present(2);
  rig.check_shows(1);  // Flips go on.
  rig.commit(rig.address_of(2));
  for (int i = 0; i < 3; ++i) rig.present(2);
  rig.check_shows(1);  // Its edge is yet to come.
  rig.next_edge();
  rig.check_shows(2);
}

TEMPLATE_LIST_TEST_CASE("DEV-137 a PRESENT of a texture without an address shows at once",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create(1);
  rig.create(2);
  rig.create_unbacked(3);
  rig.present(1);
  rig.flip_to(1);
  rig.present_without_table(3);
  rig.check_shows(3);
  rig.present(2);
  rig.check_shows(2);  // That one did not flip.
  rig.flip_to(1);
  rig.commit(rig.address_of(2));
  rig.present_without_table(3);
  rig.check_shows(3);
  rig.next_edge();
  rig.check_shows(2);  // A flip shows at its edge, whatever came between.
}

TEMPLATE_LIST_TEST_CASE("DEV-137 a PRESENT without a table waits where the address is known",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.create_and_present(2);
  rig.flip_to(1);
  rig.present_without_table(2);
  rig.check_shows(1);
  rig.flip_to(2);
  rig.check_shows(2);
}

TEMPLATE_LIST_TEST_CASE("DEV-137 a PRESENT of nothing shows guest memory, also after a flip",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create(1);
  rig.create(2);
  rig.present(1);
  rig.flip_to(1);
  rig.submit_next(stream_builder{}.targets({}).present());
  rig.check_shows_memory(rig.address_of(1));
  rig.present(2);
  rig.check_shows(2);
}

TEMPLATE_LIST_TEST_CASE("DEV-137 a flip's picture is stored in guest memory where presents are",
                        "[conformance][device]", backends) {
  auto config = flip_rig<TestType>::small_config();
  config.write_back = present_write_back::on;
  flip_rig<TestType> rig{config};
  rig.create(1);
  rig.create(2);
  rig.present(1);
  rig.flip_to(1);
  const auto image_at = [&](std::uint64_t address) {
    return rig.machine.ram.peek(gpa{address}, rig.image_bytes);
  };
  const auto picture_of = [&](std::uint32_t n) { return test::filled(rig.image_bytes, n); };
  CHECK(image_at(rig.address_of(1)) == picture_of(1));
  rig.present(2);
  CHECK(image_at(rig.address_of(2)) == picture_of(0));
  rig.commit(rig.address_of(2));
  rig.submit_next(stream_builder{}.targets({1}).present(), {{rig.entry(1, rig.address_of(1))}});
  CHECK(image_at(rig.address_of(2)) == picture_of(0));
  rig.next_edge();
  CHECK(image_at(rig.address_of(2)) == picture_of(2));
  CHECK(image_at(rig.address_of(1)) == picture_of(1));
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-137 pictures of flips that show at once are stored once a tick",
                        "[conformance][device]", backends) {
  auto config = flip_rig<TestType>::small_config();
  config.write_back = present_write_back::on;
  config.vblank_hz = 0;
  flip_rig<TestType> rig{config};
  rig.create_and_present(1);
  rig.create_and_present(2);
  const auto writes_at = [&](std::uint32_t n) {
    return rig.machine.ram.writes(gpa{rig.address_of(n)}, rig.image_bytes);
  };
  rig.commit(rig.address_of(1));
  rig.commit(rig.address_of(2));
  rig.commit(rig.address_of(1));
  CHECK(writes_at(1) + writes_at(2) == 0);
  CHECK(rig.dev->next_deadline_ns() <= rig.machine.time_ns);
  rig.dev->tick();
  CHECK(writes_at(1) == rig.image_bytes);
  CHECK(writes_at(2) == 0);
  CHECK(rig.dev->next_deadline_ns() == no_deadline);
}

TEMPLATE_LIST_TEST_CASE("DEV-137 a flip that shows while DMA is off is stored when it is back",
                        "[conformance][device]", backends) {
  auto config = flip_rig<TestType>::small_config();
  config.write_back = present_write_back::on;
  flip_rig<TestType> rig{config};
  rig.create_and_present(1);
  rig.commit(rig.address_of(1));
  rig.set_bus_master(false);
  rig.next_edge();
  const auto image = [&] { return rig.machine.ram.peek(gpa{rig.address_of(1)}, rig.image_bytes); };
  CHECK(image() == test::filled(rig.image_bytes, 0));
  rig.set_bus_master(true);
  rig.dev->tick();
  CHECK(image() == test::filled(rig.image_bytes, 1));
  rig.check_no_error();
}

}  // namespace aerogpu::conformance
