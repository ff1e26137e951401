// SPDX-License-Identifier: MIT
/// Creating and destroying resources: what is refused, laid out, allocated, sent and given back.
#include "drivers/win7/umd/d3d9/adapter/formats.hpp"
#include "drivers/win7/umd/d3d9/resource/backing.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/cpu_bytes.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

#include <algorithm>

namespace aerogpu::umd::test {

namespace {

[[nodiscard]] auto with(resource_request request, auto change) -> resource_request {
  change(request);
  return request;
}

}  // namespace

TEST_CASE("a target without alpha begins opaque wherever its contents live", "[umd]") {
  device_rig rig;
  resource_request request = target_of(8, 4, D3DFMT_X1R5G5B5);
  SECTION("in guest memory") {}
  SECTION("on the host") {
    request.flags.is_lockable = false;
  }
  SECTION("in levels") {
    request.kind = resource_kind::texture;
    request.mip_levels = 3;
  }
  SECTION("shared") {
    request = shared_of(8, 4, D3DFMT_X1R5G5B5);
  }
  resource& made = make(rig, request);
  for (std::uint32_t i = 0; i < made.subresource_count(); ++i) {
    byte_vector expected(made.layout()->locate(made.layout()->at_index(i)).size_bytes());
    for (std::size_t high = 1; high < expected.size(); high += 2) expected[high] = std::byte{0x80};
    CHECK(host_bytes(rig, made, i) == expected);
  }
}

TEST_CASE("what an adapter does not offer is refused", "[umd][T070]") {
  device_rig rig;
  const auto refused = [&](resource_request request, auto change) {
    change(request);
    return refusal_of(rig, request);
  };
  const resource_request plain = texture_of(16, 8);
  CHECK(refused(plain, [](auto& r) { r.width = 0; }) == D3DERR_INVALIDCALL);
  CHECK(refused(plain, [](auto& r) { r.height = 0; }) == D3DERR_INVALIDCALL);
  CHECK(refused(plain, [](auto& r) { r.format = 0; }) == D3DERR_INVALIDCALL);
  CHECK(refused(plain, [](auto& r) { r.format = 36; }) == D3DERR_INVALIDCALL);
  CHECK(refused(plain, [](auto& r) { r.array_layers = 0; }) == D3DERR_INVALIDCALL);
  CHECK(refused(plain, [](auto& r) { r.flags.is_depth_stencil = true; }) == D3DERR_INVALIDCALL);
  CHECK(refused(depth_of(8, 8), [](auto& r) { r.flags.is_depth_stencil = false; }) ==
        D3DERR_INVALIDCALL);
  CHECK(refused(depth_of(8, 8), [](auto& r) { r.flags.is_render_target = true; }) ==
        D3DERR_INVALIDCALL);
  CHECK(refused(texture_of(8, 8, D3DFMT_DXT1), [](auto& r) { r.flags.is_render_target = true; }) ==
        D3DERR_INVALIDCALL);
  CHECK(refused(cube_of(8), [](auto& r) { r.height = 4; }) == D3DERR_INVALIDCALL);
  CHECK(refused(cube_of(8), [](auto& r) { r.array_layers = 5; }) == D3DERR_INVALIDCALL);
  CHECK(refused(buffer_of(0), [](auto&) {}) == D3DERR_INVALIDCALL);
  CHECK(rig.device.resources.size() == 0);
}

TEST_CASE("every format of the caps can be created, and no other", "[umd][T057]") {
  device_rig rig;
  for (std::uint32_t format = 0; format < 256; ++format) {
    resource_request request = texture_of(8, 8);
    request.format = format;
    const surface_format* const offered = find_surface_format(rig.adapter.facts(), format);
    request.flags.is_depth_stencil = offered != nullptr && offered->is_depth_stencil();
    CAPTURE(format);
    resource* made = nullptr;
    const HRESULT result = create_resource(rig.device, request, made);
    CHECK(result == (offered != nullptr ? S_OK : D3DERR_INVALIDCALL));
  }
}

TEST_CASE("no mip levels means all of them", "[umd][T071]") {
  device_rig rig;
  CHECK(make(rig, texture_of(64, 16, D3DFMT_A8R8G8B8, 0)).layout()->shape().mip_levels == 7);
  CHECK(make(rig, cube_of(8, 0)).layout()->subresource_count() == 24);
  CHECK(make(rig, texture_of(64, 16, D3DFMT_A8R8G8B8, 7)).subresource_count() == 7);
  CHECK(refusal_of(rig, texture_of(64, 16, D3DFMT_A8R8G8B8, 8)) == D3DERR_INVALIDCALL);
}

TEST_CASE("more than two gigabytes do not fit", "[umd][T071][T072]") {
  device_rig rig;
  CHECK(refusal_of(rig, texture_of(0x4000, 0x8000)) == E_OUTOFMEMORY);
  CHECK(refusal_of(rig, texture_of(0xFFFF'FFFF, 0xFFFF'FFFF)) == E_OUTOFMEMORY);
  CHECK(refusal_of(rig, texture_of(0xFFFF'FFFF, 4, D3DFMT_DXT5)) == E_OUTOFMEMORY);
  CHECK(refusal_of(rig, buffer_of(most_resource_bytes + 1)) == E_OUTOFMEMORY);
}

TEST_CASE("what a host does not take is refused in video memory, and is there in the system's",
          "[umd][T070]") {
  device_rig rig;
  const std::uint32_t edge = most_texture_edge;
  const bool is_wide = GENERATE(true, false);
  const auto request_of = [&](std::uint32_t length) {
    return texture_of(is_wide ? length : 4, is_wide ? 4 : length);
  };
  CHECK(make(rig, request_of(edge)).layout() != nullptr);
  CHECK(refusal_of(rig, request_of(edge + 1)) == D3DERR_INVALIDCALL);
  auto memory = request_of(edge + 1);
  memory.pool = memory_pool::system;
  CHECK(make(rig, memory).layout() != nullptr);
  CHECK(refusal_of(rig, buffer_of(most_buffer_bytes + 1)) == E_OUTOFMEMORY);
}

TEST_CASE("block-compressed sizes count blocks", "[umd][T072]") {
  device_rig rig;
  const auto [width, blocks] = GENERATE(
      table<std::uint32_t, std::uint32_t>({{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 2}, {4096, 1024}}));
  const resource& dxt1 = make(rig, texture_of(width, 3, D3DFMT_DXT1));
  CHECK(dxt1.size_bytes == blocks * 8);
  const resource& dxt5 = make(rig, texture_of(width, 5, D3DFMT_DXT5));
  CHECK(dxt5.size_bytes == blocks * 16 * 2);
}

TEST_CASE("rows of a primary are rounded up to what the scanout reads, and no others",
          "[umd][T073]") {
  device_rig rig;
  const auto pitch_of = [&](UINT width, D3DFORMAT format, bool is_primary) {
    return make(rig, with(target_of(width, 6, format),
                          [&](auto& r) { r.flags.is_primary = is_primary; }))
        .layout()
        ->locate({0, 0})
        .pitch_bytes;
  };
  CHECK(pitch_of(800, D3DFMT_X8R8G8B8, true) == 3328);
  CHECK(pitch_of(800, D3DFMT_X8R8G8B8, false) == 3200);
  CHECK(pitch_of(1024, D3DFMT_A8R8G8B8, true) == 4096);
  CHECK(pitch_of(800, D3DFMT_R5G6B5, true) == 1792);
}

TEST_CASE("sixteen-bit formats map to the device's", "[umd][T073]") {
  device_rig rig;
  const auto [d3d9, device] =
      GENERATE(table<D3DFORMAT, std::uint32_t>({{D3DFMT_R5G6B5, AEROGPU_FORMAT_B5G6R5_UNORM},
                                                {D3DFMT_X1R5G5B5, AEROGPU_FORMAT_B5G5R5A1_UNORM},
                                                {D3DFMT_A1R5G5B5, AEROGPU_FORMAT_B5G5R5A1_UNORM}}));
  static_cast<void>(make(rig, texture_of(13, 4, d3d9)));
  const auto created = sent<aerogpu_cmd_create_texture2d>(rig);
  REQUIRE(created.size() == 1);
  CHECK(std::uint32_t{created[0].fields.format} == device);
  CHECK(std::uint32_t{created[0].fields.row_pitch_bytes} == 26);
}

TEST_CASE("mipmapped textures and cubes say their levels and layers", "[umd][T074]") {
  device_rig rig;
  static_cast<void>(make(rig, texture_of(16, 8, D3DFMT_A8R8G8B8, 3)));
  static_cast<void>(make(rig, with(cube_of(8, 2), [](auto& r) { r.array_layers = 0; })));
  const auto created = sent<aerogpu_cmd_create_texture2d>(rig);
  REQUIRE(created.size() == 2);
  CHECK(std::uint32_t{created[0].fields.mip_levels} == 3);
  CHECK(std::uint32_t{created[0].fields.array_layers} == 1);
  CHECK(std::uint32_t{created[1].fields.mip_levels} == 2);
  CHECK(std::uint32_t{created[1].fields.array_layers} == 6);
}

TEST_CASE("only what the kernel or another process sees has guest memory", "[umd][T080]") {
  device_rig rig;
  const std::size_t before = rig.runtime.live_allocations();
  const auto has_allocation = [&](const resource_request& request) {
    return static_cast<bool>(make(rig, request).backing);
  };
  CHECK_FALSE(has_allocation(texture_of(8, 8)));
  CHECK_FALSE(has_allocation(buffer_of(64)));
  CHECK_FALSE(has_allocation(depth_of(8, 8)));
  CHECK_FALSE(has_allocation(with(target_of(8, 8), [](auto& r) { r.flags.is_lockable = false; })));
  CHECK(rig.runtime.live_allocations() == before);
  CHECK(has_allocation(target_of(8, 8)));
  CHECK(has_allocation(with(target_of(8, 8), [](auto& r) { r.flags.is_primary = true; })));
  CHECK(has_allocation(shared_of(8, 8)));
  CHECK(rig.runtime.live_allocations() == before + 3);
  for (const auto& packet : sent<aerogpu_cmd_create_texture2d>(rig)) {
    const bool is_listed = std::uint32_t{packet.fields.backing_alloc_id} == 0 ||
                           !rig.runtime.last().allocations.empty();
    CHECK(is_listed);
  }
}

TEST_CASE("an allocation says what it holds", "[umd][T100]") {
  device_rig rig;
  const resource& made = make(rig, with(target_of(20, 6), [](auto& r) {
                                r.flags.is_primary = true;
                                r.vidpn_source = 0;
                              }));
  const auto* const memory = rig.runtime.find(made.backing.allocation);
  REQUIRE(memory != nullptr);
  const alloc_private_data& data = memory->data;
  CHECK(memory->is_primary);
  CHECK(memory->runtime_resource == nullptr);
  CHECK(std::uint32_t{data.version} == AEROGPU_WDDM_ALLOC_PRIV_VERSION_3);
  CHECK(std::uint32_t{data.alloc_id} == raw(made.backing.id));
  CHECK(std::uint64_t{data.size_bytes} == 256 * 6);
  CHECK(std::uint32_t{data.kind} == AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D);
  CHECK(std::uint32_t{data.width} == 20);
  CHECK(std::uint32_t{data.height} == 6);
  CHECK(std::uint32_t{data.format} == 87);
  CHECK(std::uint32_t{data.row_pitch_bytes} == 256);
  CHECK(std::uint32_t{data.resource_handle} == raw(made.handle));
  CHECK(std::uint64_t{data.share_token} == 0);
  CHECK(std::uint32_t{data.flags} ==
        (AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE | AEROGPU_WDDM_ALLOC_PRIV_FLAG_PRIMARY));
}

TEST_CASE("what lives on the host gets an allocation when a present asks for it", "[umd]") {
  device_rig rig;
  resource& made = make(rig, with(target_of(8, 4), [](auto& r) { r.flags.is_lockable = false; }));
  REQUIRE(require_allocation(rig.device, made) == S_OK);
  const guest_backing first = made.backing;
  REQUIRE(require_allocation(rig.device, made) == S_OK);
  CHECK(made.backing.allocation == first.allocation);
  const auto* const memory = rig.runtime.find(first.allocation);
  REQUIRE(memory != nullptr);
  CHECK(std::uint32_t{memory->data.resource_handle} == raw(made.handle));
  CHECK(made.contents == residence::host);
}

TEST_CASE("a new resource holds zeros, for the CPU and on the host", "[umd][T090]") {
  device_rig rig;
  for (const resource_request& request :
       {target_of(8, 4), texture_of(8, 4), buffer_of(128), texture_of(8, 4, D3DFMT_DXT1)}) {
    resource& made = make(rig, request);
    const lock_answer at = lock(rig, made);
    CHECK(std::all_of(at.bytes, at.bytes + made.size_bytes,
                      [](std::byte b) { return b == std::byte{}; }));
    unlock(rig, made);
    CHECK(host_bytes(rig, made) == byte_vector(static_cast<std::size_t>(made.size_bytes)));
  }
}

TEST_CASE("system memory is the runtime's, and the host never hears of it", "[umd]") {
  device_rig rig;
  runtime_surface made{rig, texture_of(8, 8, D3DFMT_A8R8G8B8, 2), 16};
  CHECK(made.get().contents == residence::caller);
  CHECK(made.get().handle == resource_handle{});
  lock_request second;
  second.subresource = 1;
  const lock_answer at = lock(rig, made.get(), second);
  CHECK(at.bytes == made.bytes(1).data());
  CHECK(at.row_pitch_bytes == 4 * 4 + 16);
  unlock(rig, made.get(), 1);
  CHECK(destroy_resource(rig.device, &made.get()) == S_OK);
  CHECK(rig.device.commands.is_empty());
}

TEST_CASE("memory of the runtime that does not match is refused", "[umd]") {
  device_rig rig;
  byte_vector bytes(1024);
  resource_request request = texture_of(8, 8);
  request.pool = memory_pool::system;
  const caller_memory good[]{{bytes.data(), 32}, {bytes.data(), 32}};
  request.system_memory = good;
  CHECK(refusal_of(rig, request) == E_INVALIDARG);  // Two for one.
  const caller_memory narrow[]{{bytes.data(), 31}};
  request.system_memory = narrow;
  CHECK(refusal_of(rig, request) == E_INVALIDARG);
  const caller_memory none[]{{nullptr, 32}};
  request.system_memory = none;
  CHECK(refusal_of(rig, request) == E_INVALIDARG);
}

TEST_CASE("what a destroyed resource was bound to is unbound, and it is destroyed once",
          "[umd][T087]") {
  device_rig rig;
  resource& texture = make(rig, texture_of(8, 8));
  resource& target = make(rig, target_of(8, 8));
  resource& depth = make(rig, depth_of(8, 8));
  resource& buffer = make(rig, buffer_of(64));
  device& on = rig.device;
  REQUIRE(set_texture(on, 0, &texture) == S_OK);
  REQUIRE(set_texture(on, 17, &texture) == S_OK);
  REQUIRE(set_render_target(on, 0, {&target, 0}) == S_OK);
  REQUIRE(set_depth_stencil(on, {&depth, 0}) == S_OK);
  REQUIRE(set_stream(on, 3, {&buffer, 0, 16}) == S_OK);
  REQUIRE(set_indices(on, {&buffer, 2, 0}) == S_OK);
  const auto handles = {texture.handle, target.handle, depth.handle, buffer.handle};
  for (resource* each : {&texture, &target, &depth, &buffer}) {
    REQUIRE(destroy_resource(on, each) == S_OK);
  }
  CHECK(on.state.textures[0] == nullptr);
  CHECK(on.state.textures[17] == nullptr);
  CHECK(on.state.render_targets[0].resource == nullptr);
  CHECK(on.state.depth_stencil.resource == nullptr);
  CHECK(on.state.streams[3].buffer == nullptr);
  CHECK(on.state.indices.buffer == nullptr);
  const auto destroyed = sent<aerogpu_cmd_destroy_resource>(rig);
  for (const resource_handle handle : handles) {
    CHECK(std::count_if(destroyed.begin(), destroyed.end(), [&](const auto& packet) {
            return std::uint32_t{packet.fields.resource_handle} == raw(handle);
          }) == 1);
  }
  const auto targets = sent<aerogpu_cmd_set_render_targets>(rig).back().fields;
  CHECK(std::uint32_t{targets.colors[0]} == 0);
  CHECK(std::uint32_t{targets.depth_stencil} == 0);
  CHECK(destroy_resource(on, nullptr) == E_INVALIDARG);
}

TEST_CASE("a locked resource is unlocked before it is destroyed", "[umd][T086][T087]") {
  device_rig rig;
  resource& target = make(rig, target_of(8, 8));
  static_cast<void>(lock(rig, target));
  CHECK(destroy_resource(rig.device, &target) == S_OK);  // The fake counts locks.
  CHECK(rig.device.resources.size() == 0);
}

TEST_CASE("a device that ends takes its resources with it, lost or not", "[umd][T087]") {
  const bool is_lost = GENERATE(false, true);
  device_rig rig;
  static_cast<void>(make(rig, target_of(8, 8)));
  static_cast<void>(make(rig, shared_of(8, 8)));
  static_cast<void>(lock(rig, make(rig, target_of(4, 4))));
  static_cast<void>(make(rig, buffer_of(64)));
  if (!is_lost) return;  // The rig checks what is left.
  rig.runtime.fail_next_call(E_FAIL);
  CHECK(rig.device.commands.submit() == D3DERR_DEVICELOST);
}

TEST_CASE("a creation that fails anywhere leaves nothing", "[umd]") {
  const auto kind = GENERATE(0, 1, 2, 3);
  for (std::uint64_t failing = 1;; ++failing) {
    device_rig rig;
    const std::size_t before = rig.runtime.live_allocations();
    const resource_request request = kind == 0   ? target_of(8, 8)
                                     : kind == 1 ? shared_of(8, 8)
                                     : kind == 2 ? texture_of(8, 8)
                                                 : buffer_of(256);
    const std::uint64_t calls = rig.runtime.calls();
    rig.runtime.fail_call(calls + failing, D3DERR_OUTOFVIDEOMEMORY);
    resource* made = nullptr;
    const HRESULT result = create_resource(rig.device, request, made);
    CAPTURE(kind, failing);
    if (rig.runtime.calls() < calls + failing) {
      CHECK(result == S_OK);
      break;
    }
    const bool is_known = result == D3DERR_OUTOFVIDEOMEMORY || result == D3DERR_DEVICELOST;
    CHECK(is_known);
    CHECK(made == nullptr);
    CHECK(rig.runtime.live_allocations() == before);
    CHECK(rig.device.resources.size() == 0);
  }
}

}  // namespace aerogpu::umd::test
