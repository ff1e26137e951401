#include "drivers/wine/d3d9/state/shader.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace aerogpu::d3d9 {
namespace {

constexpr DWORD end_token = 0x0000FFFF;
constexpr DWORD kind_mask = 0xFFFF0000;
constexpr DWORD version_mask = 0x0000FFFF;
/// What no function of any version comes near.
constexpr std::size_t most_tokens = std::size_t{1} << 18;

[[nodiscard]] auto is_comment(DWORD token) -> bool {
  return (token & 0xFFFF) == 0xFFFE;
}

/// Tokens behind an instruction of version 1, which does not say how many: operands have bit 31.
[[nodiscard]] auto count_operands(const DWORD* instruction) -> std::size_t {
  constexpr DWORD define = 0x51;  // def: a register and four numbers of any bits.
  constexpr std::size_t define_operands = 5;
  if ((*instruction & 0xFFFF) == define) return define_operands;
  std::size_t count = 0;
  while (count < most_tokens && (instruction[count + 1] & 0x80000000) != 0) ++count;
  return count;
}

/// Tokens from one to the next.
[[nodiscard]] auto count_tokens(const DWORD* at, bool says_length) -> std::size_t {
  if (is_comment(*at)) return 1 + ((*at >> 16) & 0x7FFF);
  return 1 + (says_length ? (*at >> 24) & 0xF : count_operands(at));
}

}  // namespace

auto read_function(const DWORD* code, DWORD most, std::vector<UINT>& found) -> HRESULT {
  constexpr DWORD version_2 = 0x200;
  const auto version = *code & version_mask;
  if ((*code & kind_mask) != (most & kind_mask)) return D3DERR_INVALIDCALL;
  if (version < 0x100 || version > (most & version_mask)) return D3DERR_INVALIDCALL;
  std::size_t count = 1;
  while (code[count] != end_token) {
    count += count_tokens(code + count, version >= version_2);
    if (count > most_tokens) return D3DERR_INVALIDCALL;
  }
  found.assign(code, code + count + 1);
  return S_OK;
}

template <class Interface>
shader<Interface>::shader(device& of, std::vector<UINT> code, sim::driver_object driver)
    : device_child<shader<Interface>, Interface>(of), code_(std::move(code)), driver_(driver) {}

template <class Interface>
shader<Interface>::~shader() {
  auto& below = this->owner().below;
  if (!below.ddi.is_created()) return;
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
