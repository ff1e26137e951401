// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/portable/context.hpp"

#include "aerogpu/abi/win7_dma.h"
#include "drivers/sim/runtime/ddi/guarded.hpp"

#include <cstring>
#include <span>
#include <type_traits>

namespace aerogpu::sim {
namespace {

namespace u = d3d9ddi_u;

constexpr std::uint32_t bytes_before_commands = 64;
/// Of a DMA buffer's private data, all that is the driver's (umd-d3d9.md 4.6).
constexpr std::uint32_t driver_bytes = sizeof(AEROGPU_DMA_PRIV);
/// What private data holds until a driver stamps it.
constexpr std::byte private_byte{0x5A};
constexpr std::size_t private_guard_bytes = 32;

[[nodiscard]] auto patches_of(command_spaces& spaces) -> u::D3DDDI_PATCHLOCATIONLIST* {
  return reinterpret_cast<u::D3DDDI_PATCHLOCATIONLIST*>(spaces.patches());
}

}  // namespace

portable_context::portable_context(contract& rules, const portable_variance& how,
                                   command_spaces& spaces, portable_counts& counts)
    : rules_(rules), how_(how), spaces_(spaces), counts_(counts) {
  private_data_.resize(how.private_bytes + private_guard_bytes);
  spoil_private_data();
}

void portable_context::spoil_private_data() {
  std::fill(private_data_.begin(), private_data_.end(), private_byte);
}

template <class Answer>
void portable_context::hand_out(Answer& out) {
  const auto size = spaces_.size();
  offset_ = 0;
  if constexpr (std::is_base_of_v<u::D3DDDICB_GETCOMMANDBUFFER, Answer>) {
    if (how_.lies_in_dma_buffer) offset_ = bytes_before_commands;
    out.pDmaBuffer = spaces_.commands();
    out.DmaBufferSize = size.command_bytes;
  }
  out.pCommandBuffer = spaces_.commands() + offset_;
  out.CommandBufferSize = offset_ == 0 ? size.command_bytes : 0;
  out.pAllocationList = spaces_.allocations<u::D3DDDI_ALLOCATIONLIST>();
  out.AllocationListSize = size.list_entries;
  out.pPatchLocationList = how_.has_patches ? patches_of(spaces_) : nullptr;
  out.PatchLocationListSize = how_.has_patches ? spaces_.patch_entries() : 0;
  out.pDmaBufferPrivateData = private_data_.data();
  out.DmaBufferPrivateDataSize = how_.private_bytes;
  was_lent_ = true;
}

void portable_context::lend(u::D3DDDIARG_CREATECONTEXT& out) {
  const bool is_for_context =
      how_.lending == portable_lending::rotating || how_.lending == portable_lending::kept;
  if (!is_for_context) return;
  hand_out(out);
  holder_ = holder::context;
}

auto portable_context::borrow(u::D3DDDICB_GETCOMMANDBUFFER& out) -> HRESULT {
  // A set that was borrowed and not submitted goes back unread.
  if (was_lent_) spaces_.rotate({});
  hand_out(out);
  holder_ = holder::borrower;
  ++counts_.borrowed;
  return S_OK;
}

auto portable_context::allocate(u::D3DDDICB_ALLOCATE& out) -> HRESULT {
  if (holder_ == holder::context) return E_NOTIMPL;  // This runtime has its contexts' alone.
  const space_size wish{out.DmaBufferSize, out.AllocationListSize};
  if (holder_ == holder::allocation || wish.command_bytes == 0 || wish.list_entries == 0 ||
      out.DmaBufferPrivateDataSize < driver_bytes) {
    rules_.record(contract_rule::bad_argument,
                  "AllocateCb: buffers of no size, or before the last ones went back");
    return E_INVALIDARG;
  }
  spaces_.rotate({wish.command_bytes + bytes_before_commands, wish.list_entries});
  hand_out(out);
  holder_ = holder::allocation;
  ++counts_.allocated;
  return S_OK;
}

auto portable_context::give_back(const u::D3DDDICB_DEALLOCATE& from) -> HRESULT {
  if (holder_ != holder::allocation || from.pDmaBuffer != spaces_.commands() ||
      from.pAllocationList != spaces_.allocations<u::D3DDDI_ALLOCATIONLIST>()) {
    rules_.record(contract_rule::unknown_handle,
                  "DeallocateCb: buffers that AllocateCb did not give, or that went back");
    return E_INVALIDARG;
  }
  spaces_.check("DeallocateCb");
  spaces_.rotate({});
  holder_ = holder::nobody;
  ++counts_.given_back;
  return S_OK;
}

auto portable_context::check_private_data(const std::string& who, const portable_work& work)
    -> bool {
  const auto refuse = [&](const char* what) {
    rules_.record(contract_rule::bad_argument, who + what);
    return false;
  };
  if (work.private_data != private_data_.data() || work.private_bytes != driver_bytes)
    return refuse(": the private data is not the DMA buffer's first 16 bytes");
  AEROGPU_DMA_PRIV stamp{};
  std::memcpy(&stamp, private_data_.data(), sizeof stamp);
  const bool is_typed = stamp.Type == AEROGPU_SUBMIT_RENDER || stamp.Type == AEROGPU_SUBMIT_PRESENT;
  if (!is_typed || stamp.Reserved0 != 0 || stamp.MetaHandle != 0)
    return refuse(": the private data is not a type and zeroes");
  if (!is_filled(std::span{private_data_}.subspan(driver_bytes), private_byte))
    return refuse(": private data behind its first 16 bytes was written");
  return true;
}

auto portable_context::is_present() const -> bool {
  AEROGPU_DMA_PRIV stamp{};
  std::memcpy(&stamp, private_data_.data(), sizeof stamp);
  return stamp.Type == AEROGPU_SUBMIT_PRESENT;
}

auto portable_context::check(callback which, const portable_work& work) -> bool {
  const std::string who = callback_name(which);
  const auto refuse = [&](contract_rule rule, const std::string& what) {
    rules_.record(rule, who + what);
    return false;
  };
  if (holder_ == holder::nobody)
    return refuse(contract_rule::stale_buffer, ": a submission without a buffer");
  spaces_.check(callback_name(which));
  const bool is_lent = work.commands == spaces_.commands() + offset_ &&
                       work.list == spaces_.allocations<u::D3DDDI_ALLOCATIONLIST>() &&
                       work.patches == (how_.has_patches ? patches_of(spaces_) : nullptr);
  if (!is_lent) return refuse(contract_rule::stale_buffer, ": a buffer that is not lent");
  if (!work.outputs_are_zero || work.used_patches != 0)
    return refuse(contract_rule::bad_argument, ": a member that is not set is not zero");
  const auto size = spaces_.size();
  const auto room = size.command_bytes - offset_;
  if (work.capacity > room || work.command_bytes > room) {
    return refuse(contract_rule::command_overrun, ": " + std::to_string(work.command_bytes) +
                                                      " bytes in a command buffer of " +
                                                      std::to_string(room));
  }
  if (work.used_entries > size.list_entries) {
    return refuse(contract_rule::command_overrun, ": " + std::to_string(work.used_entries) +
                                                      " entries in an allocation list of " +
                                                      std::to_string(size.list_entries));
  }
  if (!check_private_data(who, work)) return false;
  if (is_present()
          ? which == callback::render && how_.routes.has_present_bit != work.has_present_bit
          : which == callback::present || work.has_present_bit) {
    return refuse(contract_rule::bad_argument, ": the private data and the callback differ");
  }
  counts_.render += which == callback::render ? 1 : 0;
  counts_.present += which == callback::present ? 1 : 0;
  counts_.submit_command += which == callback::submit_command ? 1 : 0;
  counts_.present_bits += work.has_present_bit ? 1 : 0;
  ++(is_present() ? counts_.present_typed : counts_.render_typed);
  return true;
}

void portable_context::renew(u::D3DDDICB_RENDER* out) {
  spoil_private_data();
  switch (holder_) {
    case holder::nobody:
    case holder::allocation: return;
    case holder::borrower:
      spaces_.rotate({});
      holder_ = holder::nobody;
      was_lent_ = false;
      return;
    case holder::context: break;
  }
  if (how_.lending == portable_lending::kept || out == nullptr) return;
  spaces_.rotate({});
  const auto size = spaces_.size();
  out->pNewCommandBuffer = spaces_.commands();
  out->NewCommandBufferSize = size.command_bytes;
  out->pNewAllocationList = spaces_.allocations<u::D3DDDI_ALLOCATIONLIST>();
  out->NewAllocationListSize = size.list_entries;
  if (!how_.has_patches) return;
  out->pNewPatchLocationList = patches_of(spaces_);
  out->NewPatchLocationListSize = spaces_.patch_entries();
}

void portable_context::close(const char* who) {
  spaces_.check(who);
  if (holder_ != holder::allocation) return;
  rules_.record(contract_rule::leaked_object,
                std::string{who} + ": buffers of AllocateCb were not given back");
}

}  // namespace aerogpu::sim
