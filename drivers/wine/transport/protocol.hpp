// SPDX-License-Identifier: MIT
/// \file What a client of aerogpu-guestd and the server agree on: files, words, limits, requests.
///
/// A server has a folder. `memory` is the machine's shared memory, `connect` a FIFO for greetings.
/// A client writes one `greeting` and then finds `NAME.process`, a file of its own with its lanes
/// and its contexts' command buffers, and two FIFOs for each lane. When it closes lane 0, it is
/// gone. All words are 32-bit and little-endian; the structures are the same for x64 and x86.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::wine {

inline constexpr std::uint32_t protocol_magic = 0x57474741;  ///< "AGGW".
/// Raised with every change of what is below or of a row in thunk_table.hpp.
inline constexpr std::uint32_t protocol_version = 2;

/// Everything that a client may ask for, in one place.
struct transport_limits {
  std::uint32_t processes = 64;  ///< At once; a thread for each lane stands behind them.
  std::uint32_t lanes = 4;       ///< Of a process: that many threads are in thunks at once.
  std::uint32_t contexts = 32;   ///< Of a process: each has command buffers in its file.
  std::uint32_t message_bytes = 2u << 20;  ///< 10,240 allocations with their private data.
  std::uint32_t context_bytes = 1u << 20;  ///< Twice what the kernel driver's sizes need.
  std::uint32_t refusals = 16;  ///< Files that say no, kept until so many came after them.
};
inline constexpr transport_limits bounds{};

/// Who connects. Written to `connect` at once: shorter than PIPE_BUF, so greetings never mix.
struct greeting {
  std::uint32_t magic = protocol_magic;
  std::uint32_t version = protocol_version;
  std::uint32_t address_bits = 0;  ///< 32 or 64: told in the log.
  std::uint32_t reserved = 0;
  std::array<std::uint8_t, 16> name{};  ///< Random; its hexadecimal digits name the files.
};
static_assert(sizeof(greeting) == 32);

enum class verdict : std::uint32_t { accepted = 1, wrong_version = 2 };

/// The first page of `NAME.process`, which the server writes once, before the file has its name.
struct process_page {
  std::uint32_t magic = protocol_magic;
  std::uint32_t version = protocol_version;
  verdict answer = verdict::accepted;
  std::uint32_t process_id = 0;  ///< The server's number for the process, never 0.
  std::uint32_t memory_mib = 0;  ///< Of the file `memory`.
  std::uint32_t lanes = 0;       ///< bounds.lanes and so on, as the server has them.
  std::uint32_t contexts = 0;
  std::uint32_t message_bytes = 0;
  std::uint32_t context_bytes = 0;
  std::uint32_t padding = 0;
  std::uint64_t life = 0;  ///< Chance: whose `memory` it is, when a server comes back to a folder.
};

/// Words of a lane. A request is written whole before `request` changes, an answer before `answer`.
/// Whoever waits in its FIFO says so first, and is then woken by one byte.
struct lane_page {
  std::uint32_t request = 0;  ///< A number that changes with each request.
  std::uint32_t answer = 0;   ///< That number, when it is answered.
  std::uint32_t server_waits = 0;
  std::uint32_t client_waits = 0;
  std::uint32_t code = 0;           ///< request_code.
  std::uint32_t request_bytes = 0;  ///< Of the message behind this page.
  std::uint32_t answer_bytes = 0;
  std::int32_t status = 0;  ///< NTSTATUS.
};

inline constexpr std::uint32_t page_bytes = 4096;

/// Where a lane's page is in `NAME.process`; its message is behind it.
[[nodiscard]] constexpr auto lane_offset(std::uint32_t lane) noexcept -> std::uint32_t {
  return page_bytes + lane * (page_bytes + bounds.message_bytes);
}
/// Where a context's command buffer and lists are.
[[nodiscard]] constexpr auto context_offset(std::uint32_t slot) noexcept -> std::uint32_t {
  return lane_offset(bounds.lanes) + slot * bounds.context_bytes;
}
inline constexpr std::uint32_t process_file_bytes = context_offset(bounds.contexts);

/// Where in a context's part its three buffers begin, which both sides compute.
struct context_layout {
  std::uint32_t command_bytes = 0;
  std::uint32_t list_entries = 0;
  std::uint32_t patch_entries = 0;

  static constexpr std::uint64_t list_entry_bytes = 8;
  static constexpr std::uint64_t patch_entry_bytes = 24;
  static constexpr std::uint64_t alignment = 64;

  [[nodiscard]] static constexpr auto align(std::uint64_t value) noexcept -> std::uint64_t {
    return (value + alignment - 1) / alignment * alignment;
  }
  [[nodiscard]] constexpr auto list_at() const noexcept -> std::uint64_t {
    return align(command_bytes);
  }
  [[nodiscard]] constexpr auto patches_at() const noexcept -> std::uint64_t {
    return align(list_at() + list_entries * list_entry_bytes);
  }
  [[nodiscard]] constexpr auto end() const noexcept -> std::uint64_t {
    return patches_at() + patch_entries * patch_entry_bytes;
  }
  [[nodiscard]] constexpr auto fits() const noexcept -> bool {
    return end() <= bounds.context_bytes;
  }
};

/// What a lane's `code` may say: a thunk each (thunk_table.hpp), then what Windows does beside
/// them.
enum class request_code : std::uint32_t {
  open_adapter = 1,
  close_adapter,
  query_adapter_info,
  escape,
  create_device,
  destroy_device,
  create_context,
  destroy_context,
  get_device_state,
  wait_for_idle,
  create_allocation,
  destroy_allocation,
  query_resource_info,
  open_resource,
  lock,
  unlock,
  render,
  present,
  set_queued_limit,
  get_display_mode_list,
  set_display_mode,
  get_shared_primary_handle,
  set_vidpn_source_owner,
  wait_for_vertical_blank,
  get_scan_line,
  begin = 100,  ///< The first one, on lane 0: all files are open, and lose their names.
  duplicate_share,
  close_share,
  current_display_mode,
};

}  // namespace aerogpu::wine
