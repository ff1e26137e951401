// SPDX-License-Identifier: MIT
/// Swap chains of the portable profile: making, naming, resetting.
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/rigs/present_rig.hpp"

#include <vector>

namespace aerogpu::umd::test {

TEST_CASE("a chain has at least one buffer, as large as its window or the display",
          "[umd][present]") {
  device_rig rig;
  int window = 0;
  rig.system.windows[&window] = {true, false, true, 200, 100};
  swap_chain_shape wanted;
  wanted.window = &window;
  swap_chain& in_window = make_chain(rig, wanted);
  CHECK(in_window.shape.width == 200);
  CHECK(in_window.shape.height == 100);
  CHECK(in_window.shape.format == D3DFMT_X8R8G8B8);
  REQUIRE(in_window.buffers.size() == 1);
  CHECK(in_window.buffers[0]->layout()->shape().width == 200);
  wanted.is_windowed = false;
  CHECK(make_chain(rig, wanted).shape.width == rig.system.mode.width);
  wanted.is_windowed = true;
  wanted.window = nullptr;
  CHECK(make_chain(rig, wanted).shape.height == rig.system.mode.height);
}

TEST_CASE("buffers can be drawn to and shown, and the first one is bound when nothing is",
          "[umd][present]") {
  device_rig rig;
  swap_chain& first = make_chain(rig, chain_of(2));
  const surface_ref bound{first.buffers[0], 0};
  CHECK(rig.device.state.render_targets[0] == bound);
  std::vector<std::uint32_t> usages;
  for (const auto& packet : sent<aerogpu_cmd_create_texture2d>(rig)) {
    usages.push_back(packet.fields.usage_flags);
  }
  const std::uint32_t expected = AEROGPU_RESOURCE_USAGE_TEXTURE |
                                 AEROGPU_RESOURCE_USAGE_RENDER_TARGET |
                                 AEROGPU_RESOURCE_USAGE_SCANOUT;
  CHECK(usages == std::vector<std::uint32_t>{expected, expected});
  make_chain(rig, chain_of());
  CHECK(rig.device.state.render_targets[0] == bound);
}

TEST_CASE("too many buffers, sizes and formats that are not offered make no chain",
          "[umd][present]") {
  device_rig rig;
  const auto refused = [&](const swap_chain_shape& shape) {
    swap_chain* made = nullptr;
    const HRESULT result = create_swap_chain(rig.device, shape, made);
    CHECK(made == nullptr);
    CHECK(rig.device.resources.size() == 0);
    CHECK(rig.device.swap_chains.current() == nullptr);
    return result;
  };
  CHECK(refused(chain_of(31)) == D3DERR_INVALIDCALL);
  auto shape = chain_of();
  shape.format = D3DFMT_DXT1;
  CHECK(refused(shape) == D3DERR_INVALIDCALL);
  shape = chain_of(3);
  rig.runtime.fail_call(rig.runtime.calls() + 3, E_OUTOFMEMORY);
  CHECK(refused(shape) == E_OUTOFMEMORY);
  swap_chain* made = nullptr;
  CHECK(create_swap_chain(rig.device, chain_of(30), made) == S_OK);
}

TEST_CASE("chains are named by their order, and presents go to the current one", "[umd][present]") {
  device_rig rig;
  swap_chain& first = make_chain(rig, chain_of());
  swap_chain& second = make_chain(rig, chain_of());
  swap_chain_set& chains = rig.device.swap_chains;
  CHECK(chains.at(0) == &first);
  CHECK(chains.at(1) == &second);
  CHECK(chains.at(2) == nullptr);
  CHECK(chains.current() == &first);
  REQUIRE(set_swap_chain(rig.device, &second) == S_OK);
  CHECK(set_swap_chain(rig.device, nullptr) == E_INVALIDARG);
  REQUIRE(present(rig.device, {}) == S_OK);
  CHECK(first_targets(rig.runtime.last().stream)[0] == raw(second.buffers[0]->handle));
}

TEST_CASE("a chain that goes takes its buffers along, and the first of the rest is current",
          "[umd][present]") {
  device_rig rig;
  swap_chain& first = make_chain(rig, chain_of(2));
  swap_chain& second = make_chain(rig, chain_of());
  REQUIRE(destroy_swap_chain(rig.device, &first) == S_OK);
  CHECK(rig.device.swap_chains.current() == &second);
  CHECK(rig.device.resources.size() == 1);
  CHECK(rig.device.state.render_targets[0] == surface_ref{second.buffers[0], 0});
  CHECK(sent<aerogpu_cmd_destroy_resource>(rig).size() == 2);
  REQUIRE(destroy_swap_chain(rig.device, &second) == S_OK);
  CHECK(rig.device.swap_chains.current() == nullptr);
  CHECK(rig.device.state.render_targets[0].resource == nullptr);
  CHECK(destroy_swap_chain(rig.device, &second) == E_INVALIDARG);
  CHECK(destroy_swap_chain(rig.device, nullptr) == E_INVALIDARG);
}

TEST_CASE("a buffer that is destroyed leaves its chain", "[umd][present]") {
  device_rig rig;
  swap_chain& chain = make_chain(rig, chain_of(3));
  resource* const kept = chain.buffers[2];
  REQUIRE(destroy_resource(rig.device, chain.buffers[1]) == S_OK);
  REQUIRE(chain.buffers.size() == 2);
  CHECK(chain.buffers[1] == kept);
  while (!chain.buffers.empty()) {
    REQUIRE(destroy_resource(rig.device, chain.buffers[0]) == S_OK);
  }
  CHECK(present(rig.device, {}) == E_INVALIDARG);
}

TEST_CASE("Reset that shrinks a chain unbinds what goes and binds what stays anew",
          "[umd][present][T219]") {
  device_rig rig;
  swap_chain& chain = make_chain(rig, chain_of(3));
  resource& texture = make(rig, texture_of(8, 8));
  const resource_handle texture_handle = texture.handle;
  resource* const first = chain.buffers[0];
  const resource_handle first_handle = first->handle;
  REQUIRE(set_texture(rig.device, 0, first) == S_OK);
  REQUIRE(set_texture(rig.device, 1, chain.buffers[2]) == S_OK);
  REQUIRE(set_texture(rig.device, 2, &texture) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const std::size_t before = rig.runtime.submissions().size();

  auto wanted = chain_of(1);
  wanted.width = 48;
  REQUIRE(reset_swap_chain(rig.device, wanted) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  REQUIRE(chain.buffers.size() == 1);
  CHECK(chain.buffers[0] == first);
  CHECK(first->layout()->shape().width == 48);
  CHECK(first->handle != first_handle);
  CHECK(chain.shape.width == 48);
  const device_state& state = rig.device.state;
  CHECK(state.textures[0] == first);
  CHECK(state.textures[1] == nullptr);
  CHECK(state.textures[2] == &texture);
  CHECK(texture.handle == texture_handle);
  CHECK(state.render_targets[0] == surface_ref{first, 0});
  CHECK(rig.device.resources.size() == 2);

  std::vector<std::uint32_t> targets, textures;
  for (std::size_t i = before; i < rig.runtime.submissions().size(); ++i) {
    const auto& stream = rig.runtime.submissions()[i].stream;
    for (const std::uint32_t each : first_targets(stream)) targets.push_back(each);
    for (const auto& each : packets_of<aerogpu_cmd_set_texture>(stream)) {
      textures.push_back(each.fields.texture);
    }
  }
  CHECK(targets == std::vector<std::uint32_t>{raw(first->handle)});
  CHECK(textures == std::vector<std::uint32_t>{raw(first->handle), 0});
  CHECK(sent<aerogpu_cmd_destroy_resource>(rig).size() == 3);
}

TEST_CASE("Reset that lets a chain grow keeps its buffers and adds some", "[umd][present][T219]") {
  device_rig rig;
  swap_chain& chain = make_chain(rig, chain_of(1));
  resource* const first = chain.buffers[0];
  REQUIRE(reset_swap_chain(rig.device, chain_of(3, D3DSWAPEFFECT_FLIP)) == S_OK);
  REQUIRE(chain.buffers.size() == 3);
  CHECK(chain.buffers[0] == first);
  CHECK(chain.shape.buffer_count == 3);
  CHECK(present(rig.device, {}) == S_OK);
  CHECK(rig.device.resources.size() == 3);
}

TEST_CASE("Reset without a chain is S_OK, and of a locked buffer refused", "[umd][present][T219]") {
  device_rig rig;
  CHECK(reset_swap_chain(rig.device, chain_of()) == S_OK);
  swap_chain& chain = make_chain(rig, chain_of());
  static_cast<void>(lock(rig, *chain.buffers[0]));
  CHECK(reset_swap_chain(rig.device, chain_of()) == D3DERR_INVALIDCALL);
  unlock(rig, *chain.buffers[0]);
  CHECK(reset_swap_chain(rig.device, chain_of()) == S_OK);
}

TEST_CASE("a Reset that fails leaves the chain as it was, wherever it does",
          "[umd][present][T219]") {
  std::uint64_t calls = 0;
  for (std::uint64_t nth = 0; nth <= calls; ++nth) {
    CAPTURE(nth);
    device_rig rig;
    swap_chain& chain = make_chain(rig, chain_of(2));
    const std::vector<resource*> buffers(chain.buffers.begin(), chain.buffers.end());
    const std::uint64_t before = rig.runtime.calls();
    if (nth != 0) rig.runtime.fail_call(before + nth, E_OUTOFMEMORY);
    auto wanted = chain_of(3);
    wanted.height = 24;
    const HRESULT reset = reset_swap_chain(rig.device, wanted);
    if (nth == 0) {
      REQUIRE(reset == S_OK);
      calls = rig.runtime.calls() - before;
      REQUIRE(calls >= 3);
    } else if (FAILED(reset)) {
      CHECK(std::vector<resource*>(chain.buffers.begin(), chain.buffers.end()) == buffers);
      CHECK(chain.shape.height == 16);
      CHECK(chain.buffers[0]->layout()->shape().height == 16);
      CHECK(rig.device.resources.size() == 2);
    }
  }
}

TEST_CASE("a swap chain that gets a format with alpha has its alpha written", "[umd][present]") {
  device_rig rig;
  auto shape = chain_of();
  shape.format = static_cast<std::uint32_t>(D3DFMT_X1R5G5B5);
  static_cast<void>(make_chain(rig, shape));
  shape.format = static_cast<std::uint32_t>(D3DFMT_A1R5G5B5);
  REQUIRE(reset_swap_chain(rig.device, shape) == S_OK);
  CHECK(sent_values(rig, D3DRS_COLORWRITEENABLE) == std::vector<std::uint32_t>{7, 0xF});
}

TEST_CASE("a swap chain of 16-bit pixels has their format and pitch", "[umd][present][T220]") {
  struct row {
    D3DFORMAT asked;
    aerogpu_format sent;
  };
  const auto of = GENERATE(row{D3DFMT_R5G6B5, AEROGPU_FORMAT_B5G6R5_UNORM},
                           row{D3DFMT_X1R5G5B5, AEROGPU_FORMAT_B5G5R5A1_UNORM},
                           row{D3DFMT_A1R5G5B5, AEROGPU_FORMAT_B5G5R5A1_UNORM});
  device_rig rig;
  auto shape = chain_of();
  shape.format = static_cast<std::uint32_t>(of.asked);
  shape.width = 33;
  swap_chain& chain = make_chain(rig, shape);
  const auto created = sent<aerogpu_cmd_create_texture2d>(rig);
  REQUIRE(created.size() == 1);
  CHECK(std::uint32_t{created[0].fields.format} == of.sent);
  CHECK(std::uint32_t{created[0].fields.row_pitch_bytes} == 33 * 2);
  const lock_answer answer = lock(rig, *chain.buffers[0]);
  CHECK(answer.row_pitch_bytes == 33 * 2);
  unlock(rig, *chain.buffers[0]);
  CHECK(present(rig.device, {}) == S_OK);
}

}  // namespace aerogpu::umd::test
