// SPDX-License-Identifier: MIT
/// \file The call into libvkd3d-shader, the only file that includes its header. The library may end
/// the program that calls it (docs/shaders/shader-containers.md).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "dxbc_to_spirv/compiler/job.hpp"
#include "dxbc_to_spirv/compiler/protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu::dxbc {

/// What the library made of a job; its memory goes with it.
class library_answer {
 public:
  /// Calls the library, one call of the program at a time.
  explicit library_answer(const compile_job& job);
  library_answer(const library_answer&) = delete;
  auto operator=(const library_answer&) -> library_answer& = delete;
  ~library_answer();

  [[nodiscard]] auto status() const noexcept -> reply_status;
  /// The library's error, positive; 0 when it compiled.
  [[nodiscard]] auto detail() const noexcept -> std::uint32_t;
  /// Whole words; empty unless compiled.
  [[nodiscard]] auto words() const noexcept -> const_bytes;
  /// What it said, of success and of failure; at most `max_message_bytes`.
  [[nodiscard]] auto messages() const noexcept -> std::string_view;

 private:
  int code_ = 0;
  const void* module_ = nullptr;
  std::size_t module_bytes_ = 0;
  char* messages_ = nullptr;
};

/// The library reads its environment at its first call of any kind, and prints to the standard
/// error from then on unless told not to. This sets a variable; hosts that compile elsewhere need
/// not.
void silence_library() noexcept;

/// "1.2" or the like.
[[nodiscard]] auto library_version() noexcept -> const char*;

}  // namespace aerogpu::dxbc
