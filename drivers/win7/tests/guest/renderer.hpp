// SPDX-License-Identifier: MIT
/// \file A device, a context and surfaces, as a user-mode driver has them.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/writer.hpp"
#include "drivers/win7/tests/guest/session.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::guest {

/// A render target of 64 x 64 pixels, in guest memory and on the host.
struct surface {
  D3DKMT_HANDLE allocation = 0;
  D3DKMT_HANDLE resource = 0;
  std::uint32_t alloc_id = 0;
  resource_handle texture{};
};
inline constexpr std::uint32_t surface_side = 64;

/// One line of a submission's allocation list.
struct surface_use {
  const surface& used;
  bool is_written = false;
};

class renderer {
 public:
  using stream_type = stream_writer<span_sink>;

  explicit renderer(session& with) noexcept : with_(with) {}
  ~renderer();
  renderer(const renderer&) = delete;
  auto operator=(const renderer&) -> renderer& = delete;

  /// Each of these is false when the report has why not.
  [[nodiscard]] auto open(report& to) -> bool;
  /// The allocation alone.
  [[nodiscard]] auto create_allocation(report& to, surface& made) -> bool;
  /// And its texture on the host.
  [[nodiscard]] auto create(report& to, surface& made) -> bool;
  void destroy(const surface& gone);

  /// Clears `target`, and reads `source` too, when there is one.
  [[nodiscard]] auto clear(const surface& target, const surface* source = nullptr) -> NTSTATUS;
  [[nodiscard]] auto blt(const surface& from, const surface& to) -> NTSTATUS;
  /// Waits until the driver has been given a fence after `last`, which becomes the newest.
  [[nodiscard]] auto wait_submitted(std::uint64_t& last) -> bool;
  [[nodiscard]] auto wait_completed(std::uint64_t fence) -> bool;

 private:
  template <class Write>
  [[nodiscard]] auto submit(std::span<const surface_use> uses, Write&& write) -> NTSTATUS;
  [[nodiscard]] auto render(std::span<const surface_use> uses, std::uint32_t size_bytes)
      -> NTSTATUS;

  session& with_;
  D3DKMT_HANDLE device_ = 0;
  D3DKMT_CREATECONTEXT context_{};
  std::uint32_t next_id_ = 0;
};

}  // namespace aerogpu::guest
