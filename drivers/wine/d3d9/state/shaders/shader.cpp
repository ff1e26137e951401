// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/shaders/shader.hpp"

#include "drivers/wine/d3d9/state/shaders/shader_tokens.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>

namespace aerogpu::d3d9 {
namespace {

constexpr DWORD kind_mask = 0xFFFF0000;
constexpr DWORD version_mask = 0x0000FFFF;
constexpr DWORD version_2 = 0x0200;
constexpr DWORD software_minor = 0xFF;
/// What no function of any version comes near.
constexpr std::size_t most_tokens = std::size_t{1} << 18;

/// Tokens behind an instruction of version 1, which does not say how many: operands have bit 31.
[[nodiscard]] auto count_operands(const DWORD* instruction) -> std::size_t {
  constexpr std::size_t define_operands = 5;  // A register and four numbers of any bits.
  if (opcode_of(*instruction) == shader_opcode::define_float) return define_operands;
  std::size_t count = 0;
  while (count < most_tokens && (instruction[count + 1] & shader_parameter_bit) != 0) ++count;
  return count;
}

/// Tokens from one to the next.
[[nodiscard]] auto count_tokens(const DWORD* at, bool says_length) -> std::size_t {
  if (opcode_of(*at) == shader_opcode::comment) return 1 + ((*at >> 16) & 0x7FFF);
  return 1 + (says_length ? (*at >> 24) & 0xF : count_operands(at));
}

/// What a version has of the device's constants, by Direct3D 9's register tables.
[[nodiscard]] auto limits_of(DWORD version, function_limits most) -> function_limits {
  constexpr DWORD pixel_1 = 0xFFFF0100, pixel_2 = 0xFFFF0200, pixel_2x = 0xFFFF0201,
                  pixel_3 = 0xFFFF0300;
  if (version < pixel_1 || version >= pixel_3) return most;
  most.floats = version < pixel_2 ? 8 : 32;
  if (version < pixel_2x) most.integers = most.booleans = 0;
  return most;
}

[[nodiscard]] auto is_for_software(DWORD version) -> bool {
  return (version & 0xFF) == software_minor;
}

/// The driver has no vs_2_sw and vs_3_sw, but the newest version of each.
[[nodiscard]] auto for_hardware(DWORD version) -> DWORD {
  if (!is_for_software(version)) return version;
  const auto major = version & ~software_minor;
  return (major & version_mask) == version_2 ? major | 1 : major;
}

/// An address register may bring a relative one back, so only what is named outright counts.
[[nodiscard]] auto is_inside(const register_name& named, const function_limits& most) -> bool {
  constexpr std::size_t registers_a_type = 2048;
  if (named.is_relative) return true;
  switch (named.type) {
    case register_type::constant: return named.number < most.floats;
    case register_type::constant_2048: return named.number + registers_a_type < most.floats;
    case register_type::constant_4096: return named.number + 2 * registers_a_type < most.floats;
    case register_type::constant_6144: return named.number + 3 * registers_a_type < most.floats;
    case register_type::integer_constant: return named.number < most.integers;
    case register_type::boolean_constant: return named.number < most.booleans;
    default: return true;
  }
}

[[nodiscard]] auto names_what_exists(std::span<const DWORD> instruction,
                                     const function_limits& most) -> bool {
  auto parameters = instruction.subspan(1);
  switch (opcode_of(instruction.front())) {
    case shader_opcode::comment:
    case shader_opcode::declare: return true;
    case shader_opcode::define_boolean:
    case shader_opcode::define_integer:
    case shader_opcode::define_float:
      parameters = parameters.first(std::min<std::size_t>(parameters.size(), 1));
      break;
    default: break;
  }
  return std::all_of(parameters.begin(), parameters.end(), [&](DWORD token) {
    return (token & shader_parameter_bit) == 0 || is_inside(register_of(token), most);
  });
}

}  // namespace

auto read_function(const DWORD* code, const function_limits& most, std::vector<UINT>& found)
    -> HRESULT {
  if (is_for_software(*code) && !most.has_software) return D3DERR_INVALIDCALL;
  const auto version = for_hardware(*code) & version_mask;
  if ((*code & kind_mask) != (most.version & kind_mask)) return D3DERR_INVALIDCALL;
  if (version < 0x100 || version > (most.version & version_mask)) return D3DERR_INVALIDCALL;
  const auto limits = limits_of(*code, most);
  std::size_t count = 1;
  while (code[count] != shader_end_token) {
    const auto tokens = count_tokens(code + count, version >= version_2);
    if (tokens > most_tokens - count) return D3DERR_INVALIDCALL;
    if (!names_what_exists({code + count, tokens}, limits)) return D3DERR_INVALIDCALL;
    count += tokens;
  }
  found.assign(code, code + count + 1);
  return S_OK;
}

template <class Interface>
shader<Interface>::shader(device& of, std::vector<UINT> code)
    : device_child<shader<Interface>, Interface>(of),
      renewable(of.renewables),
      code_(std::move(code)) {}

template <class Interface>
auto shader<Interface>::renew() -> HRESULT {
  driver_ = {};
  auto& below = this->owner().below;
  auto code = code_;
  code.front() = for_hardware(code.front());
  if constexpr (std::is_same_v<Interface, IDirect3DVertexShader9>)
    return below.create_vertex_shader(code, driver_);
  else
    return below.create_pixel_shader(code, driver_);
}

template <class Interface>
shader<Interface>::~shader() {
  auto& below = this->owner().below;
  if (driver_ == sim::driver_object{} || !below.ddi.is_created()) return;
  if constexpr (std::is_same_v<Interface, IDirect3DVertexShader9>)
    static_cast<void>(below.delete_vertex_shader(driver_));
  else
    static_cast<void>(below.delete_pixel_shader(driver_));
}

template <class Interface>
auto shader<Interface>::answers(const iid& wanted) const noexcept -> bool {
  constexpr bool is_vertex = std::is_same_v<Interface, IDirect3DVertexShader9>;
  return is_same(wanted, is_vertex ? iid_vertex_shader : iid_pixel_shader);
}

template <class Interface>
HRESULT APIENTRY shader<Interface>::GetFunction(void* code, UINT* bytes) {
  if (bytes == nullptr) return D3DERR_INVALIDCALL;
  const auto size = static_cast<UINT>(code_.size() * sizeof(UINT));
  if (code == nullptr) {
    *bytes = size;
    return S_OK;
  }
  if (*bytes < size) return D3DERR_INVALIDCALL;
  std::memcpy(code, code_.data(), size);
  return S_OK;
}

template class shader<IDirect3DVertexShader9>;
template class shader<IDirect3DPixelShader9>;

}  // namespace aerogpu::d3d9
