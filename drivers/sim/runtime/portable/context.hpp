// SPDX-License-Identifier: MIT
/// \file The buffers that a context of profile U lends, in every way that there is, and what comes
/// back of them.
#pragma once

#include "drivers/sim/runtime/callbacks/callback_faults.hpp"
#include "drivers/sim/runtime/callbacks/command_spaces.hpp"
#include "drivers/sim/runtime/portable/profile.hpp"
#include "drivers/win7/ddi/portable/portable_ddi.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace aerogpu::sim {

/// A submission of any callback, by the members that they have in common.
struct portable_work {
  const void* commands = nullptr;
  std::uint32_t command_bytes = 0;
  std::uint32_t capacity = 0;
  const d3d9ddi_u::D3DDDI_ALLOCATIONLIST* list = nullptr;
  std::uint32_t used_entries = 0;
  const void* patches = nullptr;
  std::uint32_t used_patches = 0;
  const void* private_data = nullptr;
  std::uint32_t private_bytes = 0;
  bool has_present_bit = false;
  bool outputs_are_zero = true;
};

/// How often each happened, for tests.
struct portable_counts {
  std::uint32_t render = 0;  ///< Submissions by RenderCb.
  std::uint32_t present = 0;
  std::uint32_t submit_command = 0;
  std::uint32_t present_bits = 0;  ///< Of RenderCb's.
  std::uint32_t render_typed = 0;  ///< By AEROGPU_DMA_PRIV.
  std::uint32_t present_typed = 0;
  std::uint32_t borrowed = 0;
  std::uint32_t allocated = 0;
  std::uint32_t given_back = 0;
  std::uint64_t last_fence = 0;  ///< Of the last submission that the kernel took.
};

/// Belongs to one context, and uses the sets that `spaces` makes.
class portable_context {
 public:
  portable_context(contract& rules, const portable_variance& how, command_spaces& spaces,
                   portable_counts& counts);

  void lend(d3d9ddi_u::D3DDDIARG_CREATECONTEXT& out);
  [[nodiscard]] auto borrow(d3d9ddi_u::D3DDDICB_GETCOMMANDBUFFER& out) -> HRESULT;
  [[nodiscard]] auto allocate(d3d9ddi_u::D3DDDICB_ALLOCATE& out) -> HRESULT;
  [[nodiscard]] auto give_back(const d3d9ddi_u::D3DDDICB_DEALLOCATE& from) -> HRESULT;

  /// Records each breach. False: it must not reach the kernel.
  [[nodiscard]] auto check(callback which, const portable_work& work) -> bool;
  /// By AEROGPU_DMA_PRIV, after `check`.
  [[nodiscard]] auto is_present() const -> bool;
  /// Bytes before the commands in the set.
  [[nodiscard]] auto offset() const noexcept -> std::uint32_t { return offset_; }
  [[nodiscard]] auto spaces() noexcept -> command_spaces& { return spaces_; }
  /// After a submission, good or bad: the set goes back. `out` is nullptr for callbacks without
  /// members for another one.
  void renew(d3d9ddi_u::D3DDDICB_RENDER* out);
  /// The context ends.
  void close(const char* who);

 private:
  enum class holder : std::uint8_t { nobody, context, borrower, allocation };

  template <class Answer>
  void hand_out(Answer& out);
  void spoil_private_data();
  [[nodiscard]] auto check_private_data(const std::string& who, const portable_work& work) -> bool;

  contract& rules_;
  const portable_variance& how_;
  command_spaces& spaces_;
  holder holder_ = holder::nobody;
  bool was_lent_ = false;
  std::uint32_t offset_ = 0;
  std::vector<std::byte> private_data_;
  portable_counts& counts_;
};

}  // namespace aerogpu::sim
