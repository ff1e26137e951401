// SPDX-License-Identifier: MIT
/// \file The thunks that go through the transport, a row each: code, function, members.
///
/// A row's two numbers are the bytes that its message has without what pointers point to: equal in
/// both programs, whatever their bitness, or they do not compile. What needs more than its row is
/// in contexts and locks: command buffers and mapped memory (remote_thunks.cpp,
/// guestd/dispatcher.cpp).
#pragma once

#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "drivers/wine/transport/protocol.hpp"
#include "drivers/wine/transport/thunk_fields.hpp"

namespace aerogpu::wine {

namespace detail {

template <class Function>
struct argument_of;
template <class S>
struct argument_of<NTSTATUS(APIENTRY*)(S*)> {
  using type = std::remove_const_t<S>;
};

}  // namespace detail

template <request_code Code, auto Function, std::uint32_t RequestBytes, std::uint32_t AnswerBytes,
          class... Fields>
struct thunk_row {
  using arguments = typename detail::argument_of<decltype(Function)>::type;
  static constexpr request_code code = Code;
  static_assert((Fields::request_bytes + ... + 0u) == RequestBytes);
  static_assert((Fields::answer_bytes + ... + 0u) == AnswerBytes);

  static void put_request(message_writer& to, const arguments& from) noexcept {
    (Fields::put_request(to, from), ...);
  }
  static void take_request(message_reader& from, arguments& to, pointed_memory& memory) {
    (Fields::take_request(from, to, memory), ...);
  }
  /// `before`: as it was taken; a thunk may change counts.
  static void put_answer(message_writer& to, const arguments& after,
                         const arguments& before) noexcept {
    (Fields::put_answer(to, after, before), ...);
  }
  static void take_answer(message_reader& from, arguments& to, const arguments& before) noexcept {
    (Fields::take_answer(from, to, before), ...);
  }
  [[nodiscard]] static auto call(arguments& with) -> NTSTATUS { return Function(&with); }
};

template <class... Rows>
struct thunk_rows {};

// --- adapters ---
using open_adapter_arguments = D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME;
using open_adapter_row =
    thunk_row<request_code::open_adapter, &D3DKMTOpenAdapterFromGdiDisplayName, 64, 16,
              values<way::in, &open_adapter_arguments::DeviceName>,
              values<way::out, &open_adapter_arguments::hAdapter,
                     &open_adapter_arguments::AdapterLuid, &open_adapter_arguments::VidPnSourceId>>;
using close_adapter_row = thunk_row<request_code::close_adapter, &D3DKMTCloseAdapter, 4, 0,
                                    values<way::in, &D3DKMT_CLOSEADAPTER::hAdapter>>;
using query_adapter_info_row =
    thunk_row<request_code::query_adapter_info, &D3DKMTQueryAdapterInfo, 16, 0,
              values<way::in, &D3DKMT_QUERYADAPTERINFO::hAdapter, &D3DKMT_QUERYADAPTERINFO::Type>,
              list<way::both, &D3DKMT_QUERYADAPTERINFO::pPrivateDriverData,
                   &D3DKMT_QUERYADAPTERINFO::PrivateDriverDataSize>>;
using escape_row = thunk_row<
    request_code::escape, &D3DKMTEscape, 28, 0,
    values<way::in, &D3DKMT_ESCAPE::hAdapter, &D3DKMT_ESCAPE::hDevice, &D3DKMT_ESCAPE::Type,
           &D3DKMT_ESCAPE::Flags, &D3DKMT_ESCAPE::hContext>,
    list<way::both, &D3DKMT_ESCAPE::pPrivateDriverData, &D3DKMT_ESCAPE::PrivateDriverDataSize>>;

// --- devices and contexts ---
using create_device_row =
    thunk_row<request_code::create_device, &D3DKMTCreateDevice, 8, 4,
              values<way::in, &D3DKMT_CREATEDEVICE::hAdapter, &D3DKMT_CREATEDEVICE::Flags>,
              values<way::out, &D3DKMT_CREATEDEVICE::hDevice>>;
using destroy_device_row = thunk_row<request_code::destroy_device, &D3DKMTDestroyDevice, 4, 0,
                                     values<way::in, &D3DKMT_DESTROYDEVICE::hDevice>>;
/// Behind the row's answer comes the slot of the context's command buffer.
using create_context_row = thunk_row<
    request_code::create_context, &D3DKMTCreateContext, 28, 16,
    values<way::in, &D3DKMT_CREATECONTEXT::hDevice, &D3DKMT_CREATECONTEXT::NodeOrdinal,
           &D3DKMT_CREATECONTEXT::EngineAffinity, &D3DKMT_CREATECONTEXT::Flags,
           &D3DKMT_CREATECONTEXT::ClientHint>,
    list<way::both, &D3DKMT_CREATECONTEXT::pPrivateDriverData,
         &D3DKMT_CREATECONTEXT::PrivateDriverDataSize>,
    values<way::out, &D3DKMT_CREATECONTEXT::hContext, &D3DKMT_CREATECONTEXT::CommandBufferSize,
           &D3DKMT_CREATECONTEXT::AllocationListSize,
           &D3DKMT_CREATECONTEXT::PatchLocationListSize>>;
using destroy_context_row = thunk_row<request_code::destroy_context, &D3DKMTDestroyContext, 4, 0,
                                      values<way::in, &D3DKMT_DESTROYCONTEXT::hContext>>;
using get_device_state_row =
    thunk_row<request_code::get_device_state, &D3DKMTGetDeviceState, 48, 40,
              values<way::in, &D3DKMT_GETDEVICESTATE::hDevice, &D3DKMT_GETDEVICESTATE::StateType>,
              values<way::both, &D3DKMT_GETDEVICESTATE::PresentState>>;
using wait_for_idle_row = thunk_row<request_code::wait_for_idle, &D3DKMTWaitForIdle, 4, 0,
                                    values<way::in, &D3DKMT_WAITFORIDLE::hDevice>>;

// --- allocations ---
using create_allocation_row = thunk_row<
    request_code::create_allocation, &D3DKMTCreateAllocation, 36, 8,
    values<way::in, &D3DKMT_CREATEALLOCATION::hDevice, &D3DKMT_CREATEALLOCATION::Flags>,
    values<way::both, &D3DKMT_CREATEALLOCATION::hResource>,
    values<way::out, &D3DKMT_CREATEALLOCATION::hGlobalShare>,
    list<way::in, &D3DKMT_CREATEALLOCATION::pPrivateRuntimeData,
         &D3DKMT_CREATEALLOCATION::PrivateRuntimeDataSize>,
    list<way::in, &D3DKMT_CREATEALLOCATION::pPrivateDriverData,
         &D3DKMT_CREATEALLOCATION::PrivateDriverDataSize>,
    records<&D3DKMT_CREATEALLOCATION::pAllocationInfo, &D3DKMT_CREATEALLOCATION::NumAllocations,
            values<way::both, &D3DDDI_ALLOCATIONINFO::hAllocation>,
            values<way::in, &D3DDDI_ALLOCATIONINFO::VidPnSourceId, &D3DDDI_ALLOCATIONINFO::Flags>,
            list<way::both, &D3DDDI_ALLOCATIONINFO::pPrivateDriverData,
                 &D3DDDI_ALLOCATIONINFO::PrivateDriverDataSize>>>;
using destroy_allocation_row = thunk_row<
    request_code::destroy_allocation, &D3DKMTDestroyAllocation, 16, 0,
    values<way::in, &D3DKMT_DESTROYALLOCATION::hDevice, &D3DKMT_DESTROYALLOCATION::hResource>,
    list<way::in, &D3DKMT_DESTROYALLOCATION::phAllocationList,
         &D3DKMT_DESTROYALLOCATION::AllocationCount>>;
using query_resource_info_row = thunk_row<
    request_code::query_resource_info, &D3DKMTQueryResourceInfo, 16, 16,
    values<way::in, &D3DKMT_QUERYRESOURCEINFO::hDevice, &D3DKMT_QUERYRESOURCEINFO::hGlobalShare>,
    list<way::both, &D3DKMT_QUERYRESOURCEINFO::pPrivateRuntimeData,
         &D3DKMT_QUERYRESOURCEINFO::PrivateRuntimeDataSize>,
    values<way::out, &D3DKMT_QUERYRESOURCEINFO::PrivateRuntimeDataSize,
           &D3DKMT_QUERYRESOURCEINFO::TotalPrivateDriverDataSize,
           &D3DKMT_QUERYRESOURCEINFO::ResourcePrivateDriverDataSize,
           &D3DKMT_QUERYRESOURCEINFO::NumAllocations>>;
/// The pointers of the opened allocations follow from their sizes: one behind the other.
using open_resource_row = thunk_row<
    request_code::open_resource, &D3DKMTOpenResource, 40, 8,
    values<way::in, &D3DKMT_OPENRESOURCE::hDevice, &D3DKMT_OPENRESOURCE::hGlobalShare>,
    records<&D3DKMT_OPENRESOURCE::pOpenAllocationInfo, &D3DKMT_OPENRESOURCE::NumAllocations,
            values<way::out, &D3DDDI_OPENALLOCATIONINFO::hAllocation,
                   &D3DDDI_OPENALLOCATIONINFO::PrivateDriverDataSize>>,
    list<way::both, &D3DKMT_OPENRESOURCE::pPrivateRuntimeData,
         &D3DKMT_OPENRESOURCE::PrivateRuntimeDataSize>,
    list<way::both, &D3DKMT_OPENRESOURCE::pResourcePrivateDriverData,
         &D3DKMT_OPENRESOURCE::ResourcePrivateDriverDataSize>,
    list<way::both, &D3DKMT_OPENRESOURCE::pTotalPrivateDriverDataBuffer,
         &D3DKMT_OPENRESOURCE::TotalPrivateDriverDataBufferSize>,
    values<way::out, &D3DKMT_OPENRESOURCE::TotalPrivateDriverDataBufferSize,
           &D3DKMT_OPENRESOURCE::hResource>>;
/// Behind the row's answer comes where in the shared memory the bytes are.
using lock_row = thunk_row<request_code::lock, &D3DKMTLock, 24, 0,
                           values<way::in, &D3DKMT_LOCK::hDevice, &D3DKMT_LOCK::hAllocation,
                                  &D3DKMT_LOCK::PrivateDriverData, &D3DKMT_LOCK::Flags>,
                           list<way::in, &D3DKMT_LOCK::pPages, &D3DKMT_LOCK::NumPages>>;
using unlock_row =
    thunk_row<request_code::unlock, &D3DKMTUnlock, 12, 0, values<way::in, &D3DKMT_UNLOCK::hDevice>,
              list<way::in, &D3DKMT_UNLOCK::phAllocations, &D3DKMT_UNLOCK::NumAllocations>>;

// --- rendering and presenting ---
/// Commands and lists lie in the context's slot.
using render_row =
    thunk_row<request_code::render, &D3DKMTRender, 24, 4,
              values<way::in, &D3DKMT_RENDER::hContext, &D3DKMT_RENDER::CommandOffset,
                     &D3DKMT_RENDER::CommandLength, &D3DKMT_RENDER::AllocationCount,
                     &D3DKMT_RENDER::PatchLocationCount, &D3DKMT_RENDER::Flags>,
              values<way::out, &D3DKMT_RENDER::QueuedBufferCount>>;
/// The window is not carried: only the runtime knows it.
using present_row = thunk_row<
    request_code::present, &D3DKMTPresent, 72, 0,
    values<way::in, &D3DKMT_PRESENT::hContext, &D3DKMT_PRESENT::VidPnSourceId,
           &D3DKMT_PRESENT::hSource, &D3DKMT_PRESENT::hDestination, &D3DKMT_PRESENT::Color,
           &D3DKMT_PRESENT::DstRect, &D3DKMT_PRESENT::SrcRect, &D3DKMT_PRESENT::PresentCount,
           &D3DKMT_PRESENT::FlipInterval, &D3DKMT_PRESENT::Flags>,
    list<way::in, &D3DKMT_PRESENT::pSrcSubRects, &D3DKMT_PRESENT::SubRectCnt>>;
using set_queued_limit_row =
    thunk_row<request_code::set_queued_limit, &D3DKMTSetQueuedLimit, 16, 8,
              values<way::in, &D3DKMT_SETQUEUEDLIMIT::hDevice, &D3DKMT_SETQUEUEDLIMIT::Type>,
              values<way::both, &D3DKMT_SETQUEUEDLIMIT::VidPnSourceId,
                     &D3DKMT_SETQUEUEDLIMIT::QueuedPendingFlipCount>>;

// --- the display ---
using get_display_mode_list_row = thunk_row<
    request_code::get_display_mode_list, &D3DKMTGetDisplayModeList, 16, 4,
    values<way::in, &D3DKMT_GETDISPLAYMODELIST::hAdapter,
           &D3DKMT_GETDISPLAYMODELIST::VidPnSourceId>,
    list<way::both, &D3DKMT_GETDISPLAYMODELIST::pModeList, &D3DKMT_GETDISPLAYMODELIST::ModeCount>,
    values<way::out, &D3DKMT_GETDISPLAYMODELIST::ModeCount>>;
using set_display_mode_row = thunk_row<
    request_code::set_display_mode, &D3DKMTSetDisplayMode, 20, 0,
    values<way::in, &D3DKMT_SETDISPLAYMODE::hDevice, &D3DKMT_SETDISPLAYMODE::hPrimaryAllocation,
           &D3DKMT_SETDISPLAYMODE::ScanLineOrdering, &D3DKMT_SETDISPLAYMODE::DisplayOrientation,
           &D3DKMT_SETDISPLAYMODE::PrivateDriverFormatAttribute>>;
using get_shared_primary_handle_row =
    thunk_row<request_code::get_shared_primary_handle, &D3DKMTGetSharedPrimaryHandle, 8, 4,
              values<way::in, &D3DKMT_GETSHAREDPRIMARYHANDLE::hAdapter,
                     &D3DKMT_GETSHAREDPRIMARYHANDLE::VidPnSourceId>,
              values<way::out, &D3DKMT_GETSHAREDPRIMARYHANDLE::hSharedPrimary>>;
using set_vidpn_source_owner_row = thunk_row<
    request_code::set_vidpn_source_owner, &D3DKMTSetVidPnSourceOwner, 20, 0,
    values<way::in, &D3DKMT_SETVIDPNSOURCEOWNER::hDevice>,
    paired_lists<&D3DKMT_SETVIDPNSOURCEOWNER::VidPnSourceCount, &D3DKMT_SETVIDPNSOURCEOWNER::pType,
                 &D3DKMT_SETVIDPNSOURCEOWNER::pVidPnSourceId>>;
using wait_for_vertical_blank_row =
    thunk_row<request_code::wait_for_vertical_blank, &D3DKMTWaitForVerticalBlankEvent, 12, 0,
              values<way::in, &D3DKMT_WAITFORVERTICALBLANKEVENT::hAdapter,
                     &D3DKMT_WAITFORVERTICALBLANKEVENT::hDevice,
                     &D3DKMT_WAITFORVERTICALBLANKEVENT::VidPnSourceId>>;
using get_scan_line_row = thunk_row<
    request_code::get_scan_line, &D3DKMTGetScanLine, 8, 5,
    values<way::in, &D3DKMT_GETSCANLINE::hAdapter, &D3DKMT_GETSCANLINE::VidPnSourceId>,
    values<way::out, &D3DKMT_GETSCANLINE::InVerticalBlank, &D3DKMT_GETSCANLINE::ScanLine>>;

/// The rows that a server answers with nothing but the row.
using plain_thunks =
    thunk_rows<open_adapter_row, close_adapter_row, query_adapter_info_row, escape_row,
               create_device_row, get_device_state_row, wait_for_idle_row, create_allocation_row,
               destroy_allocation_row, query_resource_info_row, open_resource_row, unlock_row,
               present_row, set_queued_limit_row, get_display_mode_list_row, set_display_mode_row,
               get_shared_primary_handle_row, set_vidpn_source_owner_row,
               wait_for_vertical_blank_row, get_scan_line_row>;

}  // namespace aerogpu::wine
