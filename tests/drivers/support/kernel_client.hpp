// SPDX-License-Identifier: MIT
/// \file A process that calls the upper half of the simulated kernel itself, without thunks
/// between: for tests of what lies below them, on a driver that the test started.
#pragma once

#include "drivers/sim/kernel/desktop_session.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace aerogpu::test {

using opening = std::shared_ptr<sim::user_allocation>;

/// One device with one context. Process 0 is the system's.
class kernel_client {
 public:
  explicit kernel_client(sim::desktop_session& session, std::uint32_t process = 1) noexcept
      : session_(&session), process_(process) {}

  [[nodiscard]] auto create_device() -> NTSTATUS {
    const sim::process_scope here{process_};
    auto& objects = session_->objects;
    return objects.create_device(objects.process_of(process_), process_ == 0, device);
  }
  [[nodiscard]] auto create_context(std::shared_ptr<sim::user_context>& made,
                                    const_bytes private_data = {}) -> NTSTATUS {
    const sim::process_scope here{process_};
    sim::byte_list data{private_data.begin(), private_data.end()};
    D3DKMT_CREATECONTEXT wanted{};
    wanted.pPrivateDriverData = data.empty() ? nullptr : data.data();
    wanted.PrivateDriverDataSize = static_cast<UINT>(data.size());
    return session_->objects.create_context(device, wanted, made);
  }
  /// Both.
  [[nodiscard]] auto open() -> NTSTATUS {
    const auto status = create_device();
    return NT_SUCCESS(status) ? create_context(context) : status;
  }
  void destroy_context(const std::shared_ptr<sim::user_context>& gone) {
    const sim::process_scope here{process_};
    session_->objects.destroy_context(gone);
  }
  /// With all that the device has.
  void close() {
    const sim::process_scope here{process_};
    if (device != nullptr) session_->objects.destroy_device(device);
    device = nullptr;
    context = nullptr;
  }

  /// One allocation. `request` says how; the private data comes back in it.
  [[nodiscard]] auto create(sim::byte_list private_data, sim::resource_request& request)
      -> NTSTATUS {
    request.allocations.assign(1, {});
    request.allocations.front().private_data = std::move(private_data);
    return create(request);
  }
  [[nodiscard]] auto create(sim::resource_request& request) -> NTSTATUS {
    const sim::process_scope here{process_};
    return session_->objects.create(*device, request);
  }
  /// nullptr when that fails.
  [[nodiscard]] auto create(sim::byte_list private_data) -> opening {
    sim::resource_request request;
    if (!NT_SUCCESS(create(std::move(private_data), request))) return nullptr;
    return request.allocations.front().opening;
  }
  [[nodiscard]] auto create_standard(const DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA& asked,
                                     sim::resource_request& request) -> NTSTATUS {
    const sim::process_scope here{process_};
    return session_->objects.create_standard(*device, asked, request);
  }
  [[nodiscard]] auto open_resource(const std::shared_ptr<sim::kernel_resource>& of,
                                   std::shared_ptr<sim::user_resource>& made) -> NTSTATUS {
    const sim::process_scope here{process_};
    return session_->objects.open(*device, of, made);
  }
  void destroy(const opening& one) {
    const sim::process_scope here{process_};
    session_->objects.close(one);
  }

  [[nodiscard]] auto fill(const opening& one, std::size_t size_bytes, int value) -> bool {
    auto* const bytes = session_->memory.lock(one->memory);
    if (bytes == nullptr) return false;
    std::memset(bytes, value, size_bytes);
    session_->memory.unlock(one->memory);
    return true;
  }
  [[nodiscard]] auto holds(const opening& one, std::size_t size_bytes, int value) -> bool {
    const auto* const bytes = session_->memory.lock(one->memory);
    if (bytes == nullptr) return false;
    const bool is_same = std::all_of(bytes, bytes + size_bytes, [value](std::byte found) {
      return found == static_cast<std::byte>(value);
    });
    session_->memory.unlock(one->memory);
    return is_same;
  }

  [[nodiscard]] auto render(sim::user_context& in, const sim::render_request& request) -> NTSTATUS {
    const sim::process_scope here{process_};
    return session_->renders.render(in, request);
  }
  /// The stream is placed in user memory, and gone afterwards.
  [[nodiscard]] auto render(const_bytes stream, std::vector<sim::list_line> lines) -> NTSTATUS {
    auto& user = session_->base.windows.machine.user;
    auto* const commands = user.place(stream);
    sim::render_request request;
    request.commands = commands;
    request.size_bytes = static_cast<std::uint32_t>(stream.size());
    request.lines = std::move(lines);
    const auto status = render(*context, request);
    user.release(commands);
    return status;
  }
  [[nodiscard]] auto blt(sim::user_context& in, const sim::blt_request& request) -> NTSTATUS {
    const sim::process_scope here{process_};
    return session_->renders.blt(in, request, {});
  }
  [[nodiscard]] auto blt(const sim::blt_request& request) -> NTSTATUS {
    return blt(*context, request);
  }
  /// The DDI's part of a flip, and its place in the queue.
  [[nodiscard]] auto flip(const opening& source) -> NTSTATUS {
    const sim::process_scope here{process_};
    const auto status = session_->renders.flip(*context, source, D3DDDI_FLIPINTERVAL_ONE, true);
    sim::queued_flip wanted;
    wanted.surface = source->memory;
    return NT_SUCCESS(status) ? session_->flips.push(std::move(wanted)) : status;
  }
  /// False when none comes for half a second.
  [[nodiscard]] auto wait_for_vblank() -> bool {
    constexpr std::uint64_t longest_ns = 500'000'000;
    auto& flips = session_->flips;
    flips.add_waiter();
    const auto before = flips.refreshes();
    const bool came =
        session_->base.wait_until([&] { return flips.refreshes() != before; }, longest_ns);
    flips.remove_waiter();
    return came;
  }
  /// All that the context submitted is done, or a timeout took it.
  void wait() { session_->scheduler.wait(context->last_fence); }

  std::shared_ptr<sim::user_device> device;
  std::shared_ptr<sim::user_context> context;

 private:
  sim::desktop_session* session_;
  std::uint32_t process_;
};

}  // namespace aerogpu::test
