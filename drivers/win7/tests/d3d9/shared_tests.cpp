// SPDX-License-Identifier: MIT
/// \file Surfaces that processes share (umd-d3d9.md 7, G33, G34).
#include "drivers/win7/tests/d3d9/partner.hpp"
#include "drivers/win7/tests/d3d9/shared_surface.hpp"
#include "drivers/win7/tests/d3d9/tests.hpp"

#include <array>
#include <cstdio>

namespace aerogpu::guest {
namespace {

void run_two_devices(session& with, report& to) {
  stage producer{with, to}, consumer{with, to};
  if (!producer.open() || !consumer.open()) return;
  shared_surface made, opened;
  if (!made.create(producer, green)) return;
  to.check(made.handle() != nullptr, "a shared surface has a handle");
  if (!opened.open(consumer, made.handle())) return;
  static_cast<void>(opened.holds(consumer, green, "another device sees what was drawn"));
  if (!made.fill(producer, blue)) return;
  static_cast<void>(opened.holds(consumer, blue, "and what is drawn later"));
}

void expect_seen(const partner& by, std::uint64_t handle, report& to, rule_text rule) {
  by.send(handle, green);
  const auto code = by.wait();
  to.check(code == 0u, rule, code ? message{"it ended with ", *code} : message{"it has not ended"});
}

void run_stress(session& with, report& to) {
  constexpr int surfaces = 20;
  stage producer{with, to}, consumer{with, to};
  if (!producer.open() || !consumer.open()) return;
  std::array<shared_surface, surfaces> made;
  const auto color_of = [](std::size_t i) {
    return D3DCOLOR{0xFF000000} | static_cast<D3DCOLOR>(i * 0x0A0500 + 0x20);
  };
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (!made[i].create(producer, color_of(i))) return;
  }
  int wrong = 0;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < made.size(); ++i) {
      shared_surface first, second;
      const bool is_right =
          first.open(consumer, made[i].handle()) && second.open(consumer, made[i].handle()) &&
          first.holds(consumer, color_of(i), "") && second.holds(consumer, color_of(i), "");
      wrong += is_right ? 0 : 1;
    }
  }
  to.check(wrong == 0, "each of 20 surfaces, opened twice and twice again, has its colour",
           message{wrong, " have not"});
}

/// Shows two partners a surface of this process.
void show_partner(const session& with, report& to, partner_machine machine) {
  stage on{with, to};
  if (!on.open()) return;
  shared_surface made;
  if (!made.create(on, green)) return;
  partner given, inheriting;
  if (!given.start("--consume", machine) || !inheriting.start("--consume", machine)) {
    to.skip(message{"the consumer's program is not there"});
    return;
  }
  const auto own = number_of(made.handle());
  const auto theirs = number_of(given.give(made.handle()));
  to.note("the handle", message{"here ", hex{own}, ", there ", hex{theirs}});
  expect_seen(given, theirs, to, "another process sees what was drawn");
  expect_seen(inheriting, own, to, "a child sees it by the handle that it inherits");
}

void run_ipc(session& with, report& to) {
  show_partner(with, to, partner_machine::own);
}
void run_wow64(session& with, report& to) {
  show_partner(with, to, sizeof(void*) == 4 ? partner_machine::x64 : partner_machine::own);
}

void run_many_producers(session& with, report& to) {
  constexpr std::array<D3DCOLOR, 8> colors{red,   green,      blue,       white,
                                           black, 0xFF808000, 0xFF008080, 0xFF800080};
  stage on{with, to};
  if (!on.open()) return;
  std::array<partner, colors.size()> producers;
  std::array<shared_surface, colors.size()> opened;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    char words[32];
    std::snprintf(words, sizeof words, "--produce %x", static_cast<unsigned>(colors[i]));
    if (!to.check(producers[i].start(words), "a producer starts")) return;
  }
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const auto handle = producers[i].hear();
    if (!to.check(handle.has_value(), "each producer has a surface")) return;
    const HANDLE ours =
        producers[i].take(reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(*handle)));
    if (!opened[i].open(on, ours)) return;
  }
  for (std::size_t i = 0; i < colors.size(); ++i)
    static_cast<void>(opened[i].holds(on, colors[i], "each surface has its producer's colour"));
}

void run_persistence(session& with, report& to) {
  constexpr int rounds = 100;
  stage on{with, to};
  if (!on.open()) return;
  std::array<partner, 2> producers;
  std::array<shared_surface, 2> opened;
  constexpr std::array<D3DCOLOR, 2> colors{green, blue};
  for (std::size_t i = 0; i < colors.size(); ++i) {
    char words[32];
    std::snprintf(words, sizeof words, "--produce %x", static_cast<unsigned>(colors[i]));
    if (!to.check(producers[i].start(words), "a producer starts")) return;
    const auto handle = producers[i].hear();
    if (!to.check(handle.has_value(), "each producer has a surface")) return;
    const HANDLE ours =
        producers[i].take(reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(*handle)));
    if (!opened[i].open(on, ours)) return;
  }
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto which = static_cast<std::size_t>(round) % colors.size();
    const auto passing = on.plain_texture(red);  // Memory comes and goes beside them.
    wrong += passing && opened[which].holds(on, colors[which], "") ? 0 : 1;
  }
  to.check(wrong == 0, "a hundred copies of two processes' surfaces have their colours",
           message{wrong, " have not"});
}

constexpr std::uint32_t shared_limit_ms = 120'000;

}  // namespace

auto shared_surface::make(const stage& on) -> bool {
  texture_ = on.make<IDirect3DTexture9>(
      "a shared render target is made or opened", [&](IDirect3DTexture9** made) {
        return on->CreateTexture(edge, edge, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                 D3DPOOL_DEFAULT, made, &handle_);
      });
  return texture_ != nullptr;
}

auto shared_surface::create(const stage& on, D3DCOLOR color) -> bool {
  handle_ = nullptr;
  return make(on) && fill(on, color);
}

auto shared_surface::open(const stage& on, HANDLE handle) -> bool {
  handle_ = handle;
  return make(on);
}

auto shared_surface::level(const stage& on) const -> com<IDirect3DSurface9> {
  return on.make<IDirect3DSurface9>("GetSurfaceLevel succeeds", [&](IDirect3DSurface9** made) {
    return texture_->GetSurfaceLevel(0, made);
  });
}

auto shared_surface::fill(const stage& on, D3DCOLOR color) const -> bool {
  const auto surface = level(on);
  return surface && on.needs(on->ColorFill(surface.get(), nullptr, color), "ColorFill succeeds") &&
         on.finish();
}

auto shared_surface::holds(const stage& on, D3DCOLOR color, rule_text rule) const -> bool {
  const auto surface = level(on);
  const auto target = on.target();
  if (!surface || !target) return false;
  on.clear(~color);
  if (!on.needs(on->StretchRect(surface.get(), nullptr, target.get(), nullptr, D3DTEXF_POINT),
                "StretchRect succeeds"))
    return false;
  if (!rule.view().empty()) return on.shows(stage::middle, stage::middle, color, rule);
  const auto seen = on.pixel(stage::middle, stage::middle);
  constexpr D3DCOLOR channels = 0xFFFFFF;
  return seen && (*seen & channels) == (color & channels);
}

const guest_test d3d9ex_shared_surface{"d3d9ex_shared_surface",
                                       "Two devices of a process share a surface.", shared_limit_ms,
                                       &run_two_devices, false};
const guest_test d3d9ex_shared_surface_ipc{"d3d9ex_shared_surface_ipc",
                                           "Another process opens a surface and sees it.",
                                           shared_limit_ms, &run_ipc, false};
const guest_test d3d9ex_shared_surface_wow64{"d3d9ex_shared_surface_wow64",
                                             "A process of x64 opens the surface of one of x86.",
                                             shared_limit_ms, &run_wow64, false};
const guest_test d3d9ex_shared_surface_many_producers{
    "d3d9ex_shared_surface_many_producers", "Eight processes' surfaces are seen by a ninth.",
    shared_limit_ms, &run_many_producers, false};
const guest_test d3d9ex_shared_surface_stress{"d3d9ex_shared_surface_stress",
                                              "Twenty surfaces are opened and closed again.",
                                              shared_limit_ms, &run_stress, false};
const guest_test d3d9ex_alloc_id_persistence{
    "d3d9ex_alloc_id_persistence", "Surfaces of processes never take each other's memory.",
    shared_limit_ms, &run_persistence, false};

}  // namespace aerogpu::guest
