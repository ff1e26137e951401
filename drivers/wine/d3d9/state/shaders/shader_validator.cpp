// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/shaders/shader_validator.hpp"

#include "drivers/wine/d3d9/state/shaders/shader_tokens.hpp"

namespace aerogpu::d3d9 {
namespace {

// Windows' own numbers, which compilers look at.
enum : std::uintptr_t {
  begun_twice = 0xEB,
  version_expected = 0xEF,
  version_unknown = 0xF0,
  bad_declaration = 0x12C,
  bad_source = 0x167,
};

constexpr DWORD pixel_shader_3 = 0xFFFF0300;

[[nodiscard]] auto is_version(DWORD token) -> bool {
  const auto kind = token >> 16;
  return kind == 0xFFFE || kind == 0xFFFF;
}

/// Input registers of pixel shader 3.0; other versions' inputs are left to the driver.
[[nodiscard]] auto is_missing_input(DWORD version, DWORD parameter) -> bool {
  constexpr DWORD inputs = 10;
  if (version != pixel_shader_3 || (parameter & shader_parameter_bit) == 0) return false;
  const auto named = register_of(parameter);
  return named.type == register_type::input && named.number >= inputs;
}

}  // namespace

HRESULT APIENTRY shader_validator::Begin(validator_callback callback, void* context,
                                         std::uintptr_t passed) {
  if (is_begun_) {
    report({}, begun_twice, "Begin was called before the last shader's end.");
    return E_FAIL;
  }
  callback_ = callback;
  context_ = context;
  passed_ = passed;
  version_ = 0;
  is_begun_ = true;
  is_whole_ = false;
  has_failed_ = false;
  return S_OK;
}

HRESULT APIENTRY shader_validator::Instruction(const char* file, int line, const DWORD* tokens,
                                               UINT count) {
  if (!is_begun_ || tokens == nullptr || count == 0) return E_FAIL;
  const std::span<const DWORD> all{tokens, count};
  if (version_ == 0 && !is_version(all.front())) {
    report({nullptr, -1}, version_expected, "A shader begins with its version.");
    report({}, version_unknown, "The version is none of a shader.");
    return E_FAIL;
  }
  if (version_ == 0) {
    version_ = all.front();
  } else if (all.front() == shader_end_token) {
    is_whole_ = true;
  } else {
    check_instruction({file, line}, all);
  }
  return S_OK;
}

HRESULT APIENTRY shader_validator::End() {
  if (!is_begun_ || !is_whole_) return E_FAIL;
  is_begun_ = false;
  return has_failed_ ? E_FAIL : S_OK;
}

void shader_validator::report(const place& at, std::uintptr_t number, const char* message) {
  has_failed_ = true;
  if (callback_ != nullptr) callback_(at.file, at.line, passed_, number, message, context_);
}

void shader_validator::check_instruction(const place& at, std::span<const DWORD> tokens) {
  switch (opcode_of(tokens.front())) {
    case shader_opcode::comment:
    case shader_opcode::define_boolean:
    case shader_opcode::define_integer:
    case shader_opcode::define_float: return;
    case shader_opcode::declare:
      if (tokens.size() > 2 && is_missing_input(version_, tokens[2]))
        report(at, bad_declaration, "The input register is beyond the version's last.");
      return;
    default: break;
  }
  for (std::size_t i = 2; i < tokens.size(); ++i) {
    if (!is_missing_input(version_, tokens[i])) continue;
    report(at, bad_source, "The source register is beyond the version's last.");
    return;
  }
}

}  // namespace aerogpu::d3d9
