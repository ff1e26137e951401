// SPDX-License-Identifier: MIT
/// \file The D3DKMT thunks: what user mode calls of gdi32, on the calling thread's machine and for
/// its process (`process_scope`). PASSIVE.
///
/// A device that a timeout took answers STATUS_DEVICE_REMOVED to everything but its destruction; a
/// machine without a running Windows, or one that sleeps, STATUS_DEVICE_NOT_READY.
#pragma once

#include "drivers/win7/ddi/d3dkmt_present.hpp"

// --- adapters ---
auto APIENTRY D3DKMTOpenAdapterFromGdiDisplayName(D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME*)
    -> NTSTATUS;
auto APIENTRY D3DKMTCloseAdapter(const D3DKMT_CLOSEADAPTER*) -> NTSTATUS;
auto APIENTRY D3DKMTQueryAdapterInfo(const D3DKMT_QUERYADAPTERINFO*) -> NTSTATUS;
auto APIENTRY D3DKMTEscape(const D3DKMT_ESCAPE*) -> NTSTATUS;

// --- devices and contexts ---
auto APIENTRY D3DKMTCreateDevice(D3DKMT_CREATEDEVICE*) -> NTSTATUS;
auto APIENTRY D3DKMTDestroyDevice(const D3DKMT_DESTROYDEVICE*) -> NTSTATUS;
auto APIENTRY D3DKMTCreateContext(D3DKMT_CREATECONTEXT*) -> NTSTATUS;
auto APIENTRY D3DKMTDestroyContext(const D3DKMT_DESTROYCONTEXT*) -> NTSTATUS;
auto APIENTRY D3DKMTGetDeviceState(D3DKMT_GETDEVICESTATE*) -> NTSTATUS;
auto APIENTRY D3DKMTWaitForIdle(const D3DKMT_WAITFORIDLE*) -> NTSTATUS;

// --- allocations ---
auto APIENTRY D3DKMTCreateAllocation(D3DKMT_CREATEALLOCATION*) -> NTSTATUS;
auto APIENTRY D3DKMTDestroyAllocation(const D3DKMT_DESTROYALLOCATION*) -> NTSTATUS;
auto APIENTRY D3DKMTQueryResourceInfo(D3DKMT_QUERYRESOURCEINFO*) -> NTSTATUS;
auto APIENTRY D3DKMTOpenResource(D3DKMT_OPENRESOURCE*) -> NTSTATUS;
/// With DonotWait: STATUS_GRAPHICS_ALLOCATION_BUSY while the device works on it.
auto APIENTRY D3DKMTLock(D3DKMT_LOCK*) -> NTSTATUS;
auto APIENTRY D3DKMTUnlock(const D3DKMT_UNLOCK*) -> NTSTATUS;

// --- rendering and presenting ---
auto APIENTRY D3DKMTRender(D3DKMT_RENDER*) -> NTSTATUS;
/// Beyond the device's queued limit it waits or, with FlipDoNotWait, answers STATUS_DEVICE_BUSY and
/// does nothing.
auto APIENTRY D3DKMTPresent(D3DKMT_PRESENT*) -> NTSTATUS;
auto APIENTRY D3DKMTSetQueuedLimit(D3DKMT_SETQUEUEDLIMIT*) -> NTSTATUS;

// --- the display ---
auto APIENTRY D3DKMTGetDisplayModeList(D3DKMT_GETDISPLAYMODELIST*) -> NTSTATUS;
/// For the exclusive owner of the source: its surface becomes the primary.
auto APIENTRY D3DKMTSetDisplayMode(const D3DKMT_SETDISPLAYMODE*) -> NTSTATUS;
auto APIENTRY D3DKMTGetSharedPrimaryHandle(D3DKMT_GETSHAREDPRIMARYHANDLE*) -> NTSTATUS;
auto APIENTRY D3DKMTSetVidPnSourceOwner(const D3DKMT_SETVIDPNSOURCEOWNER*) -> NTSTATUS;
auto APIENTRY D3DKMTWaitForVerticalBlankEvent(const D3DKMT_WAITFORVERTICALBLANKEVENT*) -> NTSTATUS;
auto APIENTRY D3DKMTGetScanLine(D3DKMT_GETSCANLINE*) -> NTSTATUS;
