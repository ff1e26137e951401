// SPDX-License-Identifier: MIT
/// \file What the driver that plays dxgkrnl has from the library that holds the simulated machine.
///
/// The driver sees a kernel's headers, the library a program's: pointers cross as void*, a status
/// as its number.
#pragma once

#ifdef AEROGPU_MODEL_LIBRARY
#define AEROGPU_MODEL extern "C" __attribute__((__dllexport__))
#else
#define AEROGPU_MODEL extern "C" __attribute__((__dllimport__))
#endif

/// dxgkrnl has come; its device. A miniport that is loaded already is bound.
AEROGPU_MODEL void model_start(void* device) noexcept;
/// An image was loaded. That of aerogpu.sys is bound, before its entry runs.
AEROGPU_MODEL void model_image_loaded(void* image) noexcept;
/// DxgkInitialize: the miniport's key, by bytes, and its DRIVER_INITIALIZATION_DATA.
AEROGPU_MODEL int model_initialize(const unsigned short* registry_path, unsigned path_bytes,
                                   void* table) noexcept;
/// AddDevice, StartDevice, what a started adapter shows, StopDevice, RemoveDevice.
AEROGPU_MODEL void model_run() noexcept;
/// The miniport's DriverUnload.
AEROGPU_MODEL void model_unload() noexcept;
/// Something is wrong; a sentence.
AEROGPU_MODEL void model_fault(const char* text) noexcept;
