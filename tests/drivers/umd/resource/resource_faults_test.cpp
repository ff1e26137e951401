// SPDX-License-Identifier: MIT
/// One session of resources and transfers, with each callback failing once.
#include "drivers/win7/umd/d3d9/resource/copies/blit.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/copies.hpp"
#include "drivers/win7/umd/d3d9/resource/renaming.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/clear.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/fills.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/mips.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

#include <vector>

namespace aerogpu::umd::test {

namespace {

/// Goes on after failures, as an application does.
class session {
 public:
  explicit session(device_rig& rig) : rig_(rig) {}

  void run() {
    resource* const target = create(target_of(16, 16));
    resource* const texture = create(texture_of(16, 16, D3DFMT_A8R8G8B8, 0));
    resource* const shared = create(shared_of(16, 16));
    resource* const dynamic = create([] {
      resource_request request = buffer_of(256);
      request.flags.is_dynamic = true;
      return request;
    }());
    if (target != nullptr) {
      note(set_render_target(rig_.device, 0, {target, 0}));
      note(clear(rig_.device, {AEROGPU_CLEAR_COLOR, 0xFF00FF00}, {}));
      const rectangle part{1, 1, 5, 5};
      note(clear(rig_.device, {AEROGPU_CLEAR_COLOR, 0xFF0000FF}, std::span{&part, 1}));
    }
    write(target);
    write(texture);
    write(dynamic);
    write(shared);
    if (texture != nullptr) note(generate_mips(rig_.device, *texture, mip_filter::box));
    between(target, texture);
    between(shared, target);
    if (target != nullptr) note(fill_color(rig_.device, {target, 0}, {2, 2, 9, 9}, 0xFF123456));
    if (shared != nullptr) note(destroy_resource(rig_.device, shared));
    write(target);  // Reads back first.
    note(rig_.device.commands.submit());
  }
  [[nodiscard]] auto results() const -> const std::vector<HRESULT>& { return results_; }

 private:
  void note(HRESULT result) { results_.push_back(result); }
  [[nodiscard]] auto create(const resource_request& request) -> resource* {
    resource* made = nullptr;
    note(create_resource(rig_.device, request, made));
    return made;
  }
  void write(resource* to) {
    if (to == nullptr) return;
    for (const bool discards : {false, true}) {
      lock_request request;
      request.discards = discards;
      request.range = byte_range{4, 8};
      lock_answer at;
      note(lock_resource(rig_.device, *to, request, at));
      if (FAILED(results_.back())) continue;
      std::memset(at.bytes, 0x3C, 8);
      note(unlock_resource(rig_.device, *to, 0));
    }
  }
  void between(resource* to, resource* from) {
    if (to == nullptr || from == nullptr) return;
    blit_request request{
        .to = {to, 0}, .from = {from, 0}, .to_area = {0, 0, 8, 8}, .from_area = {4, 4, 12, 12}};
    note(blit(rig_.device, request));
    request.from_area = {0, 0, 16, 16};
    note(blit(rig_.device, request));
    request.from = request.to;
    request.from_area = {2, 2, 10, 10};
    note(blit(rig_.device, request));
  }

  device_rig& rig_;
  std::vector<HRESULT> results_;
};

}  // namespace

TEST_CASE("a session of resources survives the failure of any callback", "[umd]") {
  const HRESULT failure = GENERATE(E_OUTOFMEMORY, D3DERR_OUTOFVIDEOMEMORY, D3DERR_DEVICEREMOVED);
  std::uint64_t failures = 0;
  for (std::uint64_t failing = 1;; ++failing) {
    device_rig rig{{.command_bytes = 2048}};
    const std::uint64_t before = rig.runtime.calls();
    rig.runtime.fail_call(before + failing, failure);
    session work{rig};
    work.run();
    if (rig.runtime.calls() < before + failing) break;
    ++failures;
    // Whatever came back is what a callback said, or the loss that it led to.
    for (const HRESULT result : work.results()) {
      CAPTURE(failing, result);
      const bool is_known = SUCCEEDED(result) || result == failure ||
                            result == rig.device.loss.code() || result == D3DERR_WASSTILLDRAWING;
      CHECK(is_known);
    }
  }  // The rig finds what was left behind.
  CHECK(failures >= 20);
}

TEST_CASE("a session of resources succeeds in the smallest command buffer", "[umd]") {
  const auto [bytes, entries] =
      GENERATE(table<std::uint32_t, std::uint32_t>({{512, 8}, {1024, 6}, {65536, 256}}));
  device_rig rig{{.command_bytes = bytes, .list_entries = entries}};
  session work{rig};
  work.run();
  for (const HRESULT result : work.results()) CHECK(result == S_OK);
}

TEST_CASE("on a lost device nothing is created, and everything ends", "[umd][T087]") {
  device_rig rig;
  resource& target = make(rig, target_of(8, 8));
  resource& texture = make(rig, texture_of(8, 8));
  static_cast<void>(lock(rig, target));
  REQUIRE(fill_color(rig.device, {&make(rig, target_of(4, 4)), 0}, {0, 0, 4, 4}, 1) == S_OK);
  rig.runtime.fail_next_call(D3DERR_DEVICEHUNG);
  REQUIRE(rig.device.commands.submit() == D3DERR_DEVICEHUNG);
  CHECK(refusal_of(rig, texture_of(8, 8)) == D3DERR_DEVICEHUNG);
  CHECK(refusal_of(rig, target_of(8, 8)) == D3DERR_DEVICEHUNG);
  CHECK(refusal_of(rig, shared_of(8, 8)) == D3DERR_DEVICEHUNG);
  CHECK(unlock_resource(rig.device, target, 0) == D3DERR_DEVICEHUNG);  // And it is unlocked.
  CHECK(destroy_resource(rig.device, &target) == S_OK);
  CHECK(destroy_resource(rig.device, &texture) == S_OK);
}

}  // namespace aerogpu::umd::test
