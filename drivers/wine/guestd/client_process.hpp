// SPDX-License-Identifier: MIT
/// \file A client's process as the server has it: its file, its contexts' buffers, what it asks.
#pragma once

#include "drivers/sim/kernel/windows.hpp"
#include "drivers/wine/guestd/shared_file.hpp"
#include "drivers/wine/transport/message.hpp"
#include "drivers/wine/transport/thunk_table.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <mutex>

namespace aerogpu::wine {

/// The calling thread belongs to the process (`thread_scope`). What comes from the client is copied
/// once, checked, and used from the copy.
class client_process {
 public:
  client_process(sim::windows& windows, std::uint32_t id, std::uint32_t first_shared_page)
      : id(id), windows_(windows), first_shared_page_(first_shared_page) {}

  /// Any lane's thread. `answer` is written whatever the status is.
  [[nodiscard]] auto serve(request_code code, message_reader& request, message_writer& answer)
      -> NTSTATUS;
  /// The process is gone: the kernel takes back everything.
  void end();

  const std::uint32_t id;
  shared_file file;

 private:
  /// A context's own buffers in the kernel, and the client's in the file.
  struct context {
    D3DKMT_HANDLE device = 0;
    std::uint32_t slot = 0;
    context_layout sizes;
    void* commands = nullptr;
    D3DDDI_ALLOCATIONLIST* list = nullptr;
    D3DDDI_PATCHLOCATIONLIST* patches = nullptr;
  };
  template <class... Rows>
  [[nodiscard]] auto serve_plain(thunk_rows<Rows...>, request_code code, message_reader& request,
                                 message_writer& answer) -> NTSTATUS;
  [[nodiscard]] auto create_context(message_reader& request, message_writer& answer) -> NTSTATUS;
  [[nodiscard]] auto destroy_context(message_reader& request) -> NTSTATUS;
  [[nodiscard]] auto destroy_device(message_reader& request) -> NTSTATUS;
  [[nodiscard]] auto render(message_reader& request, message_writer& answer) -> NTSTATUS;
  [[nodiscard]] auto lock(message_reader& request, message_writer& answer) -> NTSTATUS;
  [[nodiscard]] auto duplicate_share(message_reader& request, message_writer& answer) -> NTSTATUS;
  [[nodiscard]] auto close_share(message_reader& request) -> NTSTATUS;
  [[nodiscard]] auto display_mode(message_writer& answer) -> NTSTATUS;
  [[nodiscard]] auto find_slot() const -> std::uint32_t;
  /// Where in the shared memory; UINT64_MAX: nowhere.
  [[nodiscard]] auto offset_of(const void* bytes) const -> std::uint64_t;
  void fetch(const context& of, const D3DKMT_RENDER& wanted) const;

  sim::windows& windows_;
  std::uint32_t first_shared_page_;
  std::mutex contexts_mutex_;  ///< Held over the thunks that make, use and end contexts.
  std::map<D3DKMT_HANDLE, context> contexts_;
  std::array<bool, bounds.contexts> is_slot_used_{};
};

}  // namespace aerogpu::wine
