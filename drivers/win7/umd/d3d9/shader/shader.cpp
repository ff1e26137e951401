// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/shader/shader.hpp"

#include "aerogpu/shader/shader_program.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/state_blocks.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <memory>
#include <new>

namespace aerogpu::umd {

namespace {

/// The host's limit of one shader (umd-d3d9.md 5.4).
constexpr std::size_t most_code_bytes = 512 * 1024;

/// The version token of Direct3D 9 has the major version in bits 8..15; DXBC begins with its name.
[[nodiscard]] auto model_of(const_bytes code) noexcept -> unsigned {
  return std::to_integer<unsigned>(code[1]);
}

}  // namespace

auto create_host_shader(device& on, stage which, const_bytes code, shader_handle& out) noexcept
    -> HRESULT {
  const shader_handle made = on.adapter.handles.next_shader();
  const HRESULT sent = emit<aerogpu_cmd_create_shader_dxbc>(
      on.commands,
      [&](auto& packets) { return packets.create_shader_dxbc(made, wire_stage(which), code); },
      code.size());
  if (SUCCEEDED(sent)) out = made;
  return sent;
}

void destroy_host_shader(device& on, shader_handle gone) noexcept {
  const host_bindings host = on.state.host;
  const auto kept = [&](shader_handle bound) { return bound == gone ? shader_handle{} : bound; };
  static_cast<void>(bind_shaders(on, kept(host.vertex_shader), kept(host.pixel_shader)));
  static_cast<void>(emit<aerogpu_cmd_destroy_shader>(
      on.commands, [&](auto& packets) { return packets.destroy_shader(gone); }));
}

auto create_shader(device& on, stage which, const_bytes code, shader*& out) noexcept -> HRESULT {
  out = nullptr;
  if (code.empty() || code.size() % sizeof(std::uint32_t) != 0) return E_INVALIDARG;
  if (code.size() > most_code_bytes) return E_OUTOFMEMORY;
  // What the host refuses costs all of the submission: the same check first.
  if (!classify_shader(code, wire_stage(which), limits{})) return D3DERR_INVALIDCALL;
  std::unique_ptr<shader> made{new (std::nothrow) shader(which, model_of(code))};
  if (made == nullptr) return E_OUTOFMEMORY;
  const HRESULT sent = create_host_shader(on, which, code, made->handle);
  if (FAILED(sent)) return sent;
  out = made.release();
  on.application_shaders.insert(*out);
  return S_OK;
}

auto destroy_shader(device& on, shader* destroyed) noexcept -> HRESULT {
  if (destroyed == nullptr) return E_INVALIDARG;
  const std::unique_ptr<shader> owned{destroyed};
  on.application_shaders.remove(*destroyed);
  on.blocks.forget(destroyed);
  forget_shader(on.state, *destroyed);
  destroy_host_shader(on, destroyed->handle);
  return S_OK;
}

}  // namespace aerogpu::umd
