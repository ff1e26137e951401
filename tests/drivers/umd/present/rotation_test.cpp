// SPDX-License-Identifier: MIT
/// Resources that exchange what they are on the host: after presents, and when asked for.
#include "drivers/win7/umd/d3d9/present/rotation.hpp"

#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/rigs/present_rig.hpp"
#include "tests/drivers/umd/rigs/recording.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace aerogpu::umd::test {

TEST_CASE("buffers of a chain that flips move up, and what is bound of them is bound anew",
          "[umd][present][T217]") {
  const auto count = GENERATE(2u, 3u);
  const auto effect = GENERATE(D3DSWAPEFFECT_FLIP, D3DSWAPEFFECT_DISCARD, D3DSWAPEFFECT_FLIPEX);
  device_rig rig;
  swap_chain& chain = make_chain(rig, chain_of(count, effect));
  REQUIRE(set_texture(rig.device, 3, chain.buffers[count - 1]) == S_OK);
  REQUIRE(set_texture(rig.device, 17, chain.buffers[0]) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  auto expected = handles_of(chain);
  std::rotate(expected.begin(), expected.begin() + 1, expected.end());
  const auto objects = std::vector<resource*>(chain.buffers.begin(), chain.buffers.end());
  const byte_vector texels = counted_bytes(chain_buffer_bytes);
  paint(rig, *chain.buffers[1], texels);

  REQUIRE(present(rig.device, {}) == S_OK);
  CHECK(handles_of(chain) == expected);
  CHECK(std::vector<resource*>(chain.buffers.begin(), chain.buffers.end()) == objects);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const auto& bound = rig.runtime.last();
  CHECK(first_targets(bound.stream) == std::vector<std::uint32_t>{expected[0]});
  const auto textures = packets_of<aerogpu_cmd_set_texture>(bound.stream);
  REQUIRE(textures.size() == 2);
  CHECK(std::uint32_t{textures[0].fields.shader_stage} == AEROGPU_SHADER_STAGE_PIXEL);
  CHECK(std::uint32_t{textures[0].fields.slot} == 3);
  CHECK(std::uint32_t{textures[0].fields.texture} == expected[count - 1]);
  CHECK(std::uint32_t{textures[1].fields.shader_stage} == AEROGPU_SHADER_STAGE_VERTEX);
  CHECK(std::uint32_t{textures[1].fields.slot} == 1);
  CHECK(std::uint32_t{textures[1].fields.texture} == expected[0]);
  const listed_allocation* const target = bound.lists(chain.buffers[0]->backing.allocation);
  REQUIRE(target != nullptr);
  CHECK(target->is_written);
  CHECK(bound.lists(chain.buffers[count - 1]->backing.allocation) != nullptr);
  // The second buffer's contents are the first's now.
  CHECK(host_bytes(rig, *chain.buffers[0]) == texels);
}

TEST_CASE("one buffer, and buffers of a chain that copies, stay where they are",
          "[umd][present][T217]") {
  device_rig rig;
  const auto shape = GENERATE(chain_of(1, D3DSWAPEFFECT_FLIP), chain_of(2, D3DSWAPEFFECT_COPY));
  swap_chain& chain = make_chain(rig, shape);
  const auto before = handles_of(chain);
  REQUIRE(present(rig.device, {}) == S_OK);
  CHECK(handles_of(chain) == before);
  CHECK(rig.device.commands.is_empty());
}

TEST_CASE("a rotation whose bindings do not fit is undone, and the present has happened",
          "[umd][present][T217]") {
  device_rig rig{[] {
    auto options = fenced();
    options.completes_at_once = true;
    return options;
  }()};
  swap_chain& chain = make_chain(rig, chain_of(2, D3DSWAPEFFECT_FLIP));
  const bool is_list = GENERATE(false, true);
  REQUIRE(set_texture(rig.device, 0, chain.buffers[1]) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const auto before = handles_of(chain);
  // The buffers that come after the present's submission.
  if (is_list) rig.runtime.set_next_space(64 * 1024, 1);
  if (!is_list) rig.runtime.set_next_space(64, 256);
  CHECK(present(rig.device, {}) == S_OK);
  CHECK(rig.device.presents.count() == 1);
  CHECK(handles_of(chain) == before);
  CHECK(rig.device.commands.is_empty());
  rig.runtime.set_next_space(64 * 1024, 256);
  REQUIRE(set_render_state(rig.device, D3DRS_ALPHAREF, 7) == S_OK);
  CHECK(present(rig.device, {}) == S_OK);
  CHECK(handles_of(chain) != before);
}

TEST_CASE("resources rotate when they are alike, distinct, unlocked and nobody else's",
          "[umd][present][T218]") {
  device_rig rig;
  resource& a = make(rig, target_of(8, 8));
  resource& b = make(rig, target_of(8, 8));
  resource& wide = make(rig, target_of(16, 8));
  resource& other_format = make(rig, target_of(8, 8, D3DFMT_X8R8G8B8));
  resource& texture = make(rig, texture_of(8, 8));
  resource& shared = make(rig, shared_of(8, 8));
  resource& shared_too = make(rig, shared_of(8, 8));
  const auto rotated = [&](std::vector<resource*> list) {
    return rotate_identities(rig.device, list);
  };
  CHECK(rotated({}) == E_INVALIDARG);
  CHECK(rotate_identities(rig.device, {}) == E_INVALIDARG);
  CHECK(rotated({&a, nullptr}) == E_INVALIDARG);
  CHECK(rotated({&a}) == D3DERR_INVALIDCALL);
  CHECK(rotated({&a, &a}) == D3DERR_INVALIDCALL);
  CHECK(rotated({&a, &b, &a}) == D3DERR_INVALIDCALL);
  CHECK(rotated({&a, &wide}) == D3DERR_INVALIDCALL);
  CHECK(rotated({&a, &other_format}) == D3DERR_INVALIDCALL);
  CHECK(rotated({&a, &texture}) == D3DERR_INVALIDCALL);
  CHECK(rotated({&shared, &shared_too}) == D3DERR_INVALIDCALL);
  static_cast<void>(lock(rig, a));
  CHECK(rotated({&a, &b}) == D3DERR_INVALIDCALL);
  unlock(rig, a);
  const auto handles = std::pair{a.handle, b.handle};
  CHECK(rotated({&a, &b}) == S_OK);
  CHECK(std::pair{b.handle, a.handle} == handles);
}

TEST_CASE("streams and indices of buffers that rotate are bound anew", "[umd][present][T218]") {
  device_rig rig;
  resource& a = make(rig, buffer_of(64));
  resource& b = make(rig, buffer_of(64));
  resource& c = make(rig, buffer_of(64));
  write_all(rig, b, counted_bytes(64, 9));
  REQUIRE(set_stream(rig.device, 5, {&a, 8, 12}) == S_OK);
  REQUIRE(set_indices(rig.device, {&c, 4, 16}) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const std::array list{&a, &b, &c};
  const std::array before{a.handle, b.handle, c.handle};
  REQUIRE(rotate_identities(rig.device, list) == S_OK);
  CHECK(std::array{a.handle, b.handle, c.handle} == std::array{before[1], before[2], before[0]});
  REQUIRE(rig.device.commands.submit() == S_OK);
  const auto streams = packets_of<aerogpu_cmd_set_vertex_buffers>(rig.runtime.last().stream);
  REQUIRE(streams.size() == 1);
  CHECK(std::uint32_t{streams[0].fields.start_slot} == 5);
  const auto binding = load<aerogpu_vertex_buffer_binding>(streams[0].payload.data());
  CHECK(std::uint32_t{binding.buffer} == raw(before[1]));
  const auto indices = packets_of<aerogpu_cmd_set_index_buffer>(rig.runtime.last().stream);
  REQUIRE(indices.size() == 1);
  CHECK(std::uint32_t{indices[0].fields.buffer} == raw(before[0]));
  CHECK(std::uint32_t{indices[0].fields.offset_bytes} == 16);
  CHECK(std::uint32_t{indices[0].fields.format} == AEROGPU_INDEX_FORMAT_UINT32);
  // The CPU's bytes moved along.
  CHECK(host_bytes(rig, a) == counted_bytes(64, 9));
  const lock_answer bytes = lock(rig, a);
  CHECK(byte_vector(bytes.bytes, bytes.bytes + 64) == counted_bytes(64, 9));
  unlock(rig, a);
}

TEST_CASE("a rotation whose bindings do not fit leaves everything as it was",
          "[umd][present][T218]") {
  device_rig rig;
  resource& a = make(rig, target_of(8, 8));
  resource& b = make(rig, target_of(8, 8));
  REQUIRE(set_render_target(rig.device, 0, {&a, 0}) == S_OK);
  rig.runtime.set_next_space(64, 256);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const auto handles = std::pair{a.handle, b.handle};
  const std::array list{&a, &b};
  CHECK(rotate_identities(rig.device, list) == E_OUTOFMEMORY);
  CHECK(std::pair{a.handle, b.handle} == handles);
  CHECK(rig.device.commands.is_empty());
  rig.runtime.set_next_space(64 * 1024, 256);
  REQUIRE(set_render_state(rig.device, D3DRS_ALPHAREF, 7) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  CHECK(rotate_identities(rig.device, list) == S_OK);
}

TEST_CASE("allocations of what rotates are listed, also when the stream before it had to go",
          "[umd][present][T037][T218]") {
  fake_runtime_options options;
  options.command_bytes = 1024;
  device_rig rig{options};
  resource& a = make(rig, target_of(8, 8));
  resource& b = make(rig, target_of(8, 8));
  REQUIRE(set_render_target(rig.device, 0, {&a, 0}) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  while (rig.device.commands.room_bytes() >= packet_bytes<aerogpu_cmd_set_render_targets>()) {
    record_viewport(rig.device.commands);
  }
  const std::size_t before = rig.runtime.submissions().size();
  const std::array list{&a, &b};
  REQUIRE(rotate_identities(rig.device, list) == S_OK);
  CHECK(rig.runtime.submissions().size() == before + 1);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const listed_allocation* const listed = rig.runtime.last().lists(a.backing.allocation);
  REQUIRE(listed != nullptr);
  CHECK(listed->is_written);
}

}  // namespace aerogpu::umd::test
