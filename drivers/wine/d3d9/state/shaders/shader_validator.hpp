// SPDX-License-Identifier: MIT
/// \file What Direct3DShaderValidatorCreate9 makes: shader compilers show it a shader instruction
/// by instruction and hear what is wrong. Its interface has no published name or description.
#pragma once

#include "drivers/wine/d3d9/com/object.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::d3d9 {

/// Hears a message: the place of the instruction, what was passed to Begin, the message's number.
using validator_callback = HRESULT(APIENTRY*)(const char* file, int line, std::uintptr_t passed,
                                              std::uintptr_t number, const char* message,
                                              void* context);

class IDirect3DShaderValidator9 : public IUnknown {
 public:
  AEROGPU_COM(HRESULT)
  Begin(validator_callback callback, void* context, std::uintptr_t passed) = 0;
  AEROGPU_COM(HRESULT)
  Instruction(const char* file, int line, const DWORD* tokens, UINT count) = 0;
  AEROGPU_COM(HRESULT) End() = 0;

 protected:
  ~IDirect3DShaderValidator9() = default;
};

/// Finds instructions without a version before them, and input registers that the version lacks.
class shader_validator final : public com_object<shader_validator, IDirect3DShaderValidator9> {
 public:
  [[nodiscard]] auto answers(const iid&) const noexcept -> bool { return false; }

  HRESULT APIENTRY Begin(validator_callback callback, void* context,
                         std::uintptr_t passed) override;
  HRESULT APIENTRY Instruction(const char* file, int line, const DWORD* tokens,
                               UINT count) override;
  HRESULT APIENTRY End() override;

 private:
  struct place {
    const char* file = nullptr;
    int line = 0;
  };
  ~shader_validator() override = default;
  void report(const place& at, std::uintptr_t number, const char* message);
  void check_instruction(const place& at, std::span<const DWORD> tokens);

  validator_callback callback_ = nullptr;
  void* context_ = nullptr;
  std::uintptr_t passed_ = 0;
  DWORD version_ = 0;      ///< 0: none came yet.
  bool is_begun_ = false;  ///< Until an End that a whole shader came before.
  bool is_whole_ = false;
  bool has_failed_ = false;
};

}  // namespace aerogpu::d3d9
