// SPDX-License-Identifier: MIT
/// \file Event queries: whether the work before them is done (umd-d3d9.md 2.13).
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/shared_u64.hpp"
#include "drivers/win7/umd/d3d9/core/object_list.hpp"

#include <atomic>
#include <cstdint>

namespace aerogpu::umd {

class device;

/// Counts what publishes the work of a device: a flush or a present. A query that was issued since
/// is not seen yet, however fast the adapter is.
class query_epoch {
 public:
  [[nodiscard]] auto now() const noexcept -> std::uint32_t {
    return count_.load(std::memory_order_acquire);
  }
  void publish() noexcept { count_.fetch_add(1, std::memory_order_release); }

 private:
  std::atomic<std::uint32_t> count_{0};
};

/// What shows a query whose work was submitted when it was issued.
enum class shown_by : std::uint8_t {
  flush,  ///< A flush, present or later submission: profile U, whose questions can ask for one.
  /// That, or a question, which is not answered itself: nobody flushes for those of profile M.
  question,
};

/// Issued under the device's mutex, asked by any thread without it. The runtime's handle of it is
/// its address.
class event_query : public listed<event_query> {
 public:
  /// Ends here: all that was recorded before. Submits it. Errors of a submission.
  [[nodiscard]] auto issue(device& on, shown_by how) noexcept -> HRESULT;
  /// S_OK when the work is done, S_FALSE when it is not, is not shown, or the query was never
  /// issued; the code of a lost device. Never waits: only one thread of a device may be in the
  /// runtime's callbacks, and beside another in the device the answer is the last known one.
  [[nodiscard]] auto ask(device& on) noexcept -> HRESULT;

 private:
  enum class stage : std::uint32_t { unused, issued, unasked, shown };

  [[nodiscard]] auto is_shown(device& on) noexcept -> bool;

  std::atomic<stage> stage_{stage::unused};
  std::atomic<std::uint32_t> epoch_{0};  ///< When it was issued.
  shared_u64 fence_;
};

/// E_OUTOFMEMORY.
[[nodiscard]] auto create_query(device& on, event_query*& out) noexcept -> HRESULT;
/// E_INVALIDARG for none.
[[nodiscard]] auto destroy_query(device& on, event_query* destroyed) noexcept -> HRESULT;

}  // namespace aerogpu::umd
