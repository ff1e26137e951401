// SPDX-License-Identifier: MIT
/// \file The same program in another process, which shares a surface.
#pragma once

#include "drivers/win7/tests/d3d9/stage.hpp"

#include <cstdint>
#include <optional>

namespace aerogpu::guest {

/// As processes tell each other.
[[nodiscard]] inline auto number_of(HANDLE handle) -> std::uint64_t {
  return reinterpret_cast<std::uintptr_t>(handle);
}

enum class partner_machine : std::uint8_t { own, x64 };

/// A process that hears and answers lines. It ends with this.
class partner {
 public:
  partner() = default;
  ~partner();
  partner(const partner&) = delete;
  auto operator=(const partner&) -> partner& = delete;

  /// `words` follow the program's name. False where there is no such program.
  [[nodiscard]] auto start(const char* words, partner_machine machine = partner_machine::own)
      -> bool;
  void send(std::uint64_t handle, D3DCOLOR color) const;
  /// A line's number; nothing when the process has ended.
  [[nodiscard]] auto hear() const -> std::optional<std::uint64_t>;
  /// Its exit code; nothing after 30 seconds.
  [[nodiscard]] auto wait() const -> std::optional<std::uint32_t>;
  /// This process's handle as that one has it, or the other way round. Where a shared handle is no
  /// handle of the process, as on Windows 7, it is a number that all know.
  [[nodiscard]] auto give(HANDLE ours) const -> HANDLE;
  [[nodiscard]] auto take(HANDLE theirs) const -> HANDLE;

 private:
  HANDLE process_ = nullptr;
  HANDLE to_ = nullptr;
  HANDLE from_ = nullptr;
};

/// What a partner does: `--produce COLOR`, `--consume` or `--stress`. Nothing for other words.
[[nodiscard]] auto run_as_partner(int count, char** words) -> std::optional<int>;

}  // namespace aerogpu::guest
