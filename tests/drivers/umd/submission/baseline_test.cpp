// SPDX-License-Identifier: MIT
/// What the first submission of a device tells the host.
#include "drivers/win7/umd/d3d9/device/baseline.hpp"

#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "tests/drivers/umd/fronts/front_m_rig.hpp"
#include "tests/drivers/umd/rigs/device_rig.hpp"

#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace aerogpu::umd::test {

namespace {

/// Render states of all submissions, the last value of each.
[[nodiscard]] auto render_states_of(const fake_runtime& runtime)
    -> std::map<std::uint32_t, std::uint32_t> {
  std::map<std::uint32_t, std::uint32_t> values;
  for (const seen_submission& each : runtime.submissions()) {
    for (const auto& packet : packets_of<aerogpu_cmd_set_render_state>(each.stream)) {
      values[packet.fields.state] = packet.fields.value;
    }
  }
  return values;
}

}  // namespace

TEST_CASE("the baseline sets what the host would start differently", "[umd][baseline]") {
  const std::uint32_t command_bytes = GENERATE(512u, 64u * 1024);
  device_rig rig({.command_bytes = command_bytes});
  REQUIRE(record_baseline(rig.device) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const auto values = render_states_of(rig.runtime);
  CHECK(values.at(D3DRS_ZENABLE) == 1);
  CHECK(values.at(D3DRS_ZFUNC) == D3DCMP_LESSEQUAL);
  CHECK(values.at(D3DRS_CULLMODE) == D3DCULL_CCW);
  CHECK(values.at(D3DRS_ALPHABLENDENABLE) == 0);
  CHECK(values.at(D3DRS_COLORWRITEENABLE) == 0xF);
  CHECK(values.at(D3DRS_STENCILMASK) == 0xFFFFFFFF);
  for (const auto& [state, value] : values) CHECK(value == rig.device.state.render_states[state]);

  // All that the host has an effect for, but what is private to the protocol.
  for (std::uint32_t state = 0; state <= d3drs_blendopalpha; ++state) {
    INFO(state);
    const bool has_effect =
        (state >= d3drs_stencilenable && state <= d3drs_stencilwritemask) ||
        (state >= d3drs_twosidedstencilmode && state <= d3drs_srgbwriteenable) ||
        (state >= d3drs_separatealphablendenable) || state == d3drs_zenable ||
        state == d3drs_zwriteenable || state == d3drs_alphatestenable || state == d3drs_srcblend ||
        state == d3drs_destblend || (state >= d3drs_cullmode && state <= d3drs_alphafunc) ||
        state == d3drs_alphablendenable || state == d3drs_colorwriteenable ||
        state == d3drs_blendop || state == d3drs_scissortestenable;
    CHECK((values.count(state) != 0) == has_effect);
  }
}

TEST_CASE("the baseline sets every sampler, no areas, and lists of triangles", "[umd][baseline]") {
  device_rig rig;
  REQUIRE(record_baseline(rig.device) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const byte_vector& stream = rig.runtime.last().stream;
  std::set<std::pair<std::uint32_t, std::uint32_t>> samplers;
  for (const auto& packet : packets_of<aerogpu_cmd_set_sampler_state>(stream)) {
    samplers.emplace(packet.fields.shader_stage, packet.fields.slot);
  }
  CHECK(samplers.size() == 20);
  const auto viewports = packets_of<aerogpu_cmd_set_viewport>(stream);
  REQUIRE(viewports.size() == 1);
  CHECK(viewports[0].fields.width_f32 == 0);
  const auto scissors = packets_of<aerogpu_cmd_set_scissor>(stream);
  REQUIRE(scissors.size() == 1);
  CHECK(scissors[0].fields.x == 0);
  CHECK(scissors[0].fields.width == 0);
  const auto targets = packets_of<aerogpu_cmd_set_render_targets>(stream);
  REQUIRE(targets.size() == 1);
  for (const std::uint32_t color : std::to_array(targets[0].fields.colors)) CHECK(color == 0);
  CHECK(targets[0].fields.depth_stencil == 0);
  const auto topologies = packets_of<aerogpu_cmd_set_primitive_topology>(stream);
  REQUIRE(topologies.size() == 1);
  CHECK(topologies[0].fields.topology == std::uint32_t{AEROGPU_TOPOLOGY_TRIANGLELIST});
}

TEST_CASE("a device of profile M carries the baseline in its first submission, once",
          "[umd][baseline]") {
  adapter_rig rig;
  D3DDDI_DEVICEFUNCS functions{};
  D3DDDIARG_CREATEDEVICE create{};
  create.hDevice = &rig.callbacks;
  create.Interface = 9;
  create.pCallbacks = &rig.callbacks.device;
  create.pDeviceFuncs = &functions;
  REQUIRE(rig.table.pfnCreateDevice(rig.handle, &create) == S_OK);
  CHECK(rig.callbacks.renders.empty());
  CHECK(functions.pfnFlush(create.hDevice) == S_OK);
  CHECK(functions.pfnFlush(create.hDevice) == S_OK);
  REQUIRE(rig.callbacks.renders.size() == 1);
  CHECK_FALSE(packets_of<aerogpu_cmd_set_render_state>(rig.callbacks.renders[0].stream).empty());
  CHECK(functions.pfnDestroyDevice(create.hDevice) == S_OK);
}

}  // namespace aerogpu::umd::test
