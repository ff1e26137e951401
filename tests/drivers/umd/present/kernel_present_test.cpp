// SPDX-License-Identifier: MIT
/// Present of profile M: what goes before PresentCb, and what it names.
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/fronts/front_m_rig.hpp"
#include "tests/drivers/umd/rigs/present_rig.hpp"
#include "tests/drivers/umd/rigs/recording.hpp"

#include <vector>

namespace aerogpu::umd::test {

namespace {

[[nodiscard]] auto flip_of(resource& source) -> kernel_present_request {
  return {.source = {&source, 0}, .destination = {}, .is_flip = true};
}

/// A render target of a device of profile M, lockable or not, or a swap chain of such.
[[nodiscard]] auto create_target(device_m_rig& rig, UINT side, bool is_lockable = true,
                                 UINT surfaces = 1) -> HANDLE {
  const std::vector list(surfaces, D3DDDI_SURFACEINFO{side, side, 1, nullptr, 0, 0});
  D3DDDIARG_CREATERESOURCE create{};
  create.Format = static_cast<D3DDDIFORMAT>(D3DFMT_A8R8G8B8);
  create.Pool = D3DDDIPOOL_VIDEOMEMORY;
  create.pSurfList = list.data();
  create.SurfCount = surfaces;
  create.Rotation = D3DDDI_ROTATION_IDENTITY;
  create.Flags.RenderTarget = 1;
  create.Flags.NotLockable = is_lockable ? 0 : 1;
  REQUIRE(rig.functions.pfnCreateResource(rig.device, &create) == S_OK);
  return create.hResource;
}

}  // namespace

TEST_CASE("a flip renders what is outstanding with PRESENT_EX behind it, then calls PresentCb",
          "[umd][present][T228]") {
  device_rig rig{{}, facts_with_vblank()};
  resource& shown = make(rig, target_of(8, 4));
  resource& app = make(rig, target_of(8, 4));
  const byte_vector texels = counted_bytes(8 * 4 * 4);
  paint(rig, shown, texels);
  REQUIRE(set_render_target(rig.device, 0, {&app, 0}) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  record_viewport(rig.device.commands);
  const std::size_t before = rig.runtime.submissions().size();

  REQUIRE(present_by_kernel(rig.device, flip_of(shown)) == S_OK);
  REQUIRE(rig.runtime.submissions().size() == before + 1);
  const seen_submission& rendered = rig.runtime.last();
  CHECK(rendered.kind == submission_kind::render);
  CHECK(opcodes_of(rendered.stream) ==
        opcodes<aerogpu_cmd_set_viewport, aerogpu_cmd_set_render_targets, aerogpu_cmd_present_ex,
                aerogpu_cmd_set_render_targets>());
  CHECK(first_targets(rendered.stream) ==
        std::vector<std::uint32_t>{raw(shown.handle), raw(app.handle)});
  const auto packet = packets_of<aerogpu_cmd_present_ex>(rendered.stream)[0].fields;
  CHECK(std::uint32_t{packet.flags} == 0);
  CHECK(std::uint32_t{packet.d3d9_present_flags} == 0);
  CHECK(shown_texels(rig, texels.size()) == texels);

  REQUIRE(rig.runtime.presents().size() == 1);
  CHECK(rig.runtime.presents()[0].source == shown.backing.allocation);
  CHECK(rig.runtime.presents()[0].destination == kernel_allocation{});
  CHECK(rig.runtime.presents()[0].after_submissions == before + 1);
  CHECK(rig.device.presents.count() == 1);
}

TEST_CASE("a flip of the bound target binds nothing", "[umd][present][T228]") {
  device_rig rig;
  resource& shown = make(rig, target_of(8, 4));
  REQUIRE(set_render_target(rig.device, 0, {&shown, 0}) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  REQUIRE(present_by_kernel(rig.device, flip_of(shown)) == S_OK);
  CHECK(opcodes_of(rig.runtime.last().stream) == opcodes<aerogpu_cmd_present_ex>());
}

TEST_CASE("a copy into a window submits what is outstanding and shows nothing by itself",
          "[umd][present][T228]") {
  device_rig rig;
  auto request = target_of(8, 4);
  request.flags.is_lockable = false;
  resource& source = make(rig, request);
  resource& window = make(rig, target_of(16, 16));
  CHECK_FALSE(source.backing);
  REQUIRE(rig.device.commands.submit() == S_OK);
  record_viewport(rig.device.commands);
  const kernel_present_request copy{.source = {&source, 0}, .destination = {&window, 0}};
  REQUIRE(present_by_kernel(rig.device, copy) == S_OK);
  CHECK(opcodes_of(rig.runtime.last().stream) == opcodes<aerogpu_cmd_set_viewport>());
  // What lived on the host alone got an allocation that names it.
  REQUIRE(source.backing);
  const auto* const named = rig.runtime.find(source.backing.allocation);
  REQUIRE(named != nullptr);
  CHECK(std::uint32_t{named->data.version} == AEROGPU_WDDM_ALLOC_PRIV_VERSION_3);
  CHECK(std::uint32_t{named->data.resource_handle} == raw(source.handle));
  REQUIRE(rig.runtime.presents().size() == 1);
  CHECK(rig.runtime.presents()[0].source == source.backing.allocation);
  CHECK(rig.runtime.presents()[0].destination == window.backing.allocation);

  // Nothing outstanding: PresentCb alone.
  const std::size_t submissions = rig.runtime.submissions().size();
  REQUIRE(present_by_kernel(rig.device, copy) == S_OK);
  CHECK(rig.runtime.submissions().size() == submissions);
  CHECK(rig.runtime.presents().size() == 2);
}

TEST_CASE("a colour fill has no source, and a flip must have one", "[umd][present][T228]") {
  device_rig rig;
  resource& window = make(rig, target_of(16, 16));
  REQUIRE(rig.device.commands.submit() == S_OK);
  const std::size_t submissions = rig.runtime.submissions().size();
  kernel_present_request fill{.source = {}, .destination = {&window, 0}};
  REQUIRE(present_by_kernel(rig.device, fill) == S_OK);
  CHECK(rig.runtime.submissions().size() == submissions);
  REQUIRE(rig.runtime.presents().size() == 1);
  CHECK(rig.runtime.presents()[0].source == kernel_allocation{});
  fill.is_flip = true;
  CHECK(present_by_kernel(rig.device, fill) == E_INVALIDARG);
}

TEST_CASE("surfaces that there are not, that are locked or that only the CPU has are not presented",
          "[umd][present][T228]") {
  device_rig rig;
  resource& target = make(rig, target_of(8, 4));
  resource& bytes = make(rig, buffer_of(64));
  auto in_memory = texture_of(8, 4);
  in_memory.pool = memory_pool::system;
  resource& memory = make(rig, in_memory);
  const auto presented = [&](surface_ref source, surface_ref destination = {}) {
    return present_by_kernel(rig.device, {.source = source, .destination = destination});
  };
  CHECK(presented({&target, 1}) == E_INVALIDARG);
  CHECK(presented({&target, 0}, {&target, 1}) == E_INVALIDARG);
  CHECK(presented({&bytes, 0}) == E_INVALIDARG);
  CHECK(presented({&memory, 0}) == D3DERR_INVALIDCALL);
  static_cast<void>(lock(rig, target));
  CHECK(presented({&target, 0}) == D3DERR_INVALIDCALL);
  CHECK(presented({}, {&target, 0}) == D3DERR_INVALIDCALL);
  unlock(rig, target);
  CHECK(rig.runtime.presents().empty());
  CHECK(rig.device.presents.count() == 0);
}

TEST_CASE("flips that write back copy into guest memory through a second texture, and show nothing",
          "[umd][present][T228]") {
  device_rig rig;
  rig.device.presents.flips = flip_policy::write_back;
  resource& shown = make(rig, target_of(8, 4));
  const byte_vector texels = counted_bytes(8 * 4 * 4);
  paint(rig, shown, texels);
  REQUIRE(rig.device.commands.submit() == S_OK);
  kernel_present_request request = flip_of(shown);
  request.is_flip = GENERATE(true, false);
  REQUIRE(present_by_kernel(rig.device, request) == S_OK);
  const seen_submission& seen = rig.runtime.last();
  CHECK(opcodes_of(seen.stream) == opcodes<aerogpu_cmd_create_texture2d, aerogpu_cmd_copy_texture2d,
                                           aerogpu_cmd_destroy_resource>());
  const auto created = packets_of<aerogpu_cmd_create_texture2d>(seen.stream)[0].fields;
  CHECK(std::uint32_t{created.texture_handle} != raw(shown.handle));
  CHECK(std::uint32_t{created.backing_alloc_id} == raw(shown.backing.id));
  const auto copied = packets_of<aerogpu_cmd_copy_texture2d>(seen.stream)[0].fields;
  CHECK(std::uint32_t{copied.flags} == AEROGPU_COPY_FLAG_WRITEBACK_DST);
  CHECK(std::uint32_t{copied.src_texture} == raw(shown.handle));
  const listed_allocation* const listed = seen.lists(shown.backing.allocation);
  REQUIRE(listed != nullptr);
  CHECK(listed->is_written);
  const auto& memory = rig.runtime.find(shown.backing.allocation)->bytes;
  CHECK(byte_vector(memory.begin(), memory.begin() + 8 * 4 * 4) == texels);
}

TEST_CASE("a copy to the desktop, which only the kernel driver has, is written back first",
          "[umd][present][T228]") {
  device_rig rig;
  resource& source = make(rig, target_of(8, 4));
  resource& desktop = make(rig, target_of(8, 4));
  desktop.flags.is_standard = true;
  const byte_vector texels = counted_bytes(8 * 4 * 4);
  paint(rig, source, texels);
  kernel_present_request copy{.source = {&source, 0}};
  SECTION("the window's own place") {}
  SECTION("the shared primary") {
    copy.destination = {&desktop, 0};
  }
  REQUIRE(present_by_kernel(rig.device, copy) == S_OK);
  CHECK(packets_of<aerogpu_cmd_present_ex>(rig.runtime.last().stream).empty());
  const auto& memory = rig.runtime.find(source.backing.allocation)->bytes;
  CHECK(byte_vector(memory.begin(), memory.begin() + 8 * 4 * 4) == texels);
  desktop.flags.is_standard = false;
}

TEST_CASE("a PresentCb that fails loses the device, one that is busy or occluded does not",
          "[umd][present][T228][T230]") {
  device_rig rig;
  resource& target = make(rig, target_of(8, 4));
  resource& window = make(rig, target_of(8, 4));
  REQUIRE(rig.device.commands.submit() == S_OK);
  const kernel_present_request copy{.source = {&target, 0}, .destination = {&window, 0}};
  rig.runtime.fail_next_call(D3DERR_WASSTILLDRAWING);
  CHECK(present_by_kernel(rig.device, copy) == D3DERR_WASSTILLDRAWING);
  CHECK_FALSE(rig.device.loss.is_lost());
  CHECK(rig.device.presents.count() == 0);
  rig.runtime.fail_next_call(D3DERR_DEVICEHUNG);
  CHECK(present_by_kernel(rig.device, copy) == D3DERR_DEVICEHUNG);
  CHECK(rig.device.loss.code() == D3DERR_DEVICEHUNG);
  CHECK(rig.system.logged("device lost: present submit via PresentCb failed hr=0x88760874") == 1);
  const std::uint64_t calls = rig.runtime.calls();
  CHECK(present_by_kernel(rig.device, copy) == D3DERR_DEVICEHUNG);
  CHECK(rig.runtime.calls() == calls);
}

TEST_CASE("Present of profile M hands over the handles of the kernel's allocations",
          "[umd][present][T228]") {
  device_m_rig rig;
  const HANDLE source = create_target(rig, 8), destination = create_target(rig, 16);
  REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
  rig.callbacks.renders.clear();
  D3DDDIARG_PRESENT present{};
  present.hSrcResource = source;
  present.hDstResource = destination;
  present.Flags.Blt = 1;
  CHECK(rig.functions.pfnPresent(rig.device, &present) == S_OK);
  CHECK(rig.callbacks.renders.empty());
  REQUIRE(rig.callbacks.presents.size() == 1);
  const auto allocation = [](HANDLE of) {
    return raw(static_cast<resource*>(of)->backing.allocation);
  };
  CHECK(rig.callbacks.presents[0].hSrcAllocation == allocation(source));
  CHECK(rig.callbacks.presents[0].hDstAllocation == allocation(destination));
  CHECK(rig.callbacks.presents[0].BroadcastContextCount == 0);

  present = {};
  present.hSrcResource = source;
  present.Flags.Flip = 1;
  present.FlipInterval = D3DDDI_FLIPINTERVAL_ONE;
  CHECK(rig.functions.pfnPresent(rig.device, &present) == S_OK);
  REQUIRE(rig.callbacks.renders.size() == 1);
  CHECK(packets_of<aerogpu_cmd_present_ex>(rig.callbacks.renders[0].stream).size() == 1);
  CHECK(rig.callbacks.presents.size() == 2);
  CHECK(rig.functions.pfnPresent(rig.device, nullptr) == E_INVALIDARG);
  CHECK(rig.functions.pfnPresent(nullptr, &present) == E_INVALIDARG);
}

TEST_CASE("Present of profile M names the allocation of the chain's surface that the index says",
          "[umd][present][T228]") {
  device_m_rig rig;
  const bool is_lockable = GENERATE(true, false);
  const HANDLE chain = create_target(rig, 8, is_lockable, 3);
  REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
  rig.callbacks.renders.clear();
  D3DDDIARG_PRESENT present{};
  present.hSrcResource = chain;
  present.SrcSubResourceIndex = 1;
  present.Flags.Flip = 1;
  REQUIRE(rig.functions.pfnPresent(rig.device, &present) == S_OK);
  const resource& first = *static_cast<resource*>(chain);
  const resource& second = *first.next_surface;
  const resource& third = *second.next_surface;
  REQUIRE(rig.callbacks.presents.size() == 1);
  CHECK(rig.callbacks.presents[0].hSrcAllocation == raw(second.backing.allocation));
  CHECK(second.backing.allocation != first.backing.allocation);
  REQUIRE(rig.callbacks.renders.size() == 1);
  CHECK(first_targets(rig.callbacks.renders[0].stream)[0] == raw(second.handle));

  present = {};
  present.hSrcResource = present.hDstResource = chain;
  present.SrcSubResourceIndex = 2;
  present.Flags.Blt = 1;
  REQUIRE(rig.functions.pfnPresent(rig.device, &present) == S_OK);
  CHECK(rig.callbacks.presents[1].hSrcAllocation == raw(third.backing.allocation));
  CHECK(rig.callbacks.presents[1].hDstAllocation == raw(first.backing.allocation));
  present.SrcSubResourceIndex = 3;
  CHECK(rig.functions.pfnPresent(rig.device, &present) == E_INVALIDARG);
  CHECK(rig.callbacks.presents.size() == 2);
}

TEST_CASE("the last blit of a frame for the compositor is submitted at once",
          "[umd][present][T229]") {
  device_m_rig rig;
  const HANDLE source = create_target(rig, 8), window = create_target(rig, 8);
  REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
  rig.callbacks.renders.clear();
  D3DDDIARG_BLT blt{};
  blt.hSrcResource = source;
  blt.SrcRect = {0, 0, 8, 8};
  blt.hDstResource = window;
  blt.DstRect = {0, 0, 8, 8};
  blt.Flags.BeginPresentToDwm = 1;
  REQUIRE(rig.functions.pfnBlt(rig.device, &blt) == S_OK);
  blt.Flags = {};
  blt.Flags.ContinuePresentToDwm = 1;
  REQUIRE(rig.functions.pfnBlt(rig.device, &blt) == S_OK);
  CHECK(rig.callbacks.renders.empty());
  blt.Flags = {};
  blt.Flags.EndPresentToDwm = 1;
  REQUIRE(rig.functions.pfnBlt(rig.device, &blt) == S_OK);
  REQUIRE(rig.callbacks.renders.size() == 1);
  CHECK(packets_of<aerogpu_cmd_copy_texture2d>(rig.callbacks.renders[0].stream).size() == 3);
  CHECK(packets_of<aerogpu_cmd_present_ex>(rig.callbacks.renders[0].stream).empty());
  CHECK(rig.callbacks.presents.empty());

  D3DDDIARG_COLORFILL fill{};
  fill.hResource = window;
  fill.DstRect = {0, 0, 8, 8};
  REQUIRE(rig.functions.pfnColorFill(rig.device, &fill) == S_OK);
  CHECK(rig.callbacks.renders.size() == 1);
  fill.Flags.PresentToDwm = 1;
  REQUIRE(rig.functions.pfnColorFill(rig.device, &fill) == S_OK);
  CHECK(rig.callbacks.renders.size() == 2);
}

}  // namespace aerogpu::umd::test
