// SPDX-License-Identifier: MIT
/// \file The rules that a user-mode driver owes the Direct3D 9 runtime, and who broke them.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace aerogpu::sim {

/// Each has a case in tests/drivers/umd/fronts/contract_test.cpp that sees it caught.
enum class contract_rule : std::uint8_t {
  wrong_version,          ///< DriverVersion is not that of the Windows 7 DDI.
  missing_entry,          ///< A table leaves with an entry of NULL.
  table_overrun,          ///< Written behind the last entry of a table.
  structure_overrun,      ///< Written behind the end of a structure or of a buffer.
  input_changed,          ///< Written to what the runtime passed in, DataSize among it.
  missing_handle,         ///< A creation succeeds without a handle, or a lock without memory.
  odd_result,             ///< An HRESULT that no DDI knows.
  kept_callback_table,    ///< Called through the runtime's table after the call that lent it.
  stray_callback,         ///< Called for an object that is gone, or outside of any entry point.
  bad_argument,           ///< A callback's structure breaks its own description.
  unknown_handle,         ///< A handle that the device does not have, or not any more.
  command_overrun,        ///< More commands or list entries than there is room for.
  stale_buffer,           ///< Written into a command buffer or list that was handed back.
  forbidden_lock,         ///< IgnoreSync, Discard and their like.
  unpaired_lock,          ///< An unlock without a lock, or the other way round.
  rendered_while_locked,  ///< A submission lists an allocation that is locked.
  misplaced_present,      ///< PresentCb outside Present, or a Present that presents nothing.
  leaked_object,          ///< Left behind by what should have released it.
  two_threads,            ///< Two threads inside of one device: the application's fault.
};

struct contract_breach {
  contract_rule rule{};
  std::string text;  ///< A sentence with the value and the limit.
};

/// "leaked_object: text".
[[nodiscard]] auto describe(const contract_breach& what) -> std::string;

/// The breaches of one runtime. Nothing is thrown: the driver goes on, and the test fails when it
/// reads them. Any thread.
class contract {
 public:
  explicit contract(bool watches_memory = true) noexcept : watches_memory_(watches_memory) {}

  /// Whether memory that is lent has guards and is compared. What a call does is always watched.
  [[nodiscard]] auto watches_memory() const noexcept -> bool { return watches_memory_; }
  void record(contract_rule rule, std::string text);
  /// All so far, which are then forgotten: for a test that expects them.
  [[nodiscard]] auto take() -> std::vector<contract_breach>;
  [[nodiscard]] auto count() const -> std::size_t;
  /// All so far, a line each; empty when there are none.
  [[nodiscard]] auto text() const -> std::string;

 private:
  const bool watches_memory_;
  mutable std::mutex mutex_;
  std::vector<contract_breach> records_;
};

}  // namespace aerogpu::sim
