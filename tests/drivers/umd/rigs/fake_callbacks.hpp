// SPDX-License-Identifier: MIT
/// \file The Windows 7 runtime's callbacks, as tables, over a fake: they refuse what is not exact.
#pragma once

#include "aerogpu/abi/umd_private.h"
#include "aerogpu/abi/wddm_alloc.h"
#include "aerogpu/memory/umd_private_data.hpp"
#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "tests/drivers/umd/rigs/stream_host.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace aerogpu::umd::test {

/// One render that arrived.
struct seen_render {
  byte_vector stream;
  std::vector<D3DDDI_ALLOCATIONLIST> list;
  UINT wished_bytes = 0;
  UINT wished_entries = 0;
};

/// A runtime's side of one adapter and one device. Its handles are addresses of itself.
class fake_callbacks {
 public:
  struct allocation {
    D3DKMT_HANDLE handle;
    byte_vector bytes;
    D3DDDI_ALLOCATIONINFO info{};  ///< As it was asked for; its private data is gone.
    aerogpu_wddm_alloc_priv_v3 data{};
    int locks = 0;
    bool is_busy = false;
  };

  fake_callbacks();
  ~fake_callbacks();
  fake_callbacks(const fake_callbacks&) = delete;
  auto operator=(const fake_callbacks&) -> fake_callbacks& = delete;

  D3DDDI_ADAPTERCALLBACKS adapter{};
  D3DDDI_DEVICECALLBACKS device{};
  aerogpu_umd_private_v1 blob =
      make_umd_private({AEROGPU_UMDPRIV_MMIO_MAGIC_NEW_AGPU, AEROGPU_ABI_VERSION_U32, 0x3F, true});
  HRESULT blob_result = S_OK;

  // What is lent next; a null buffer stays null.
  UINT command_bytes = 16 * 1024;
  UINT list_entries = 64;
  bool lends_new_buffers = true;
  bool has_patch_list = true;
  bool gives_context = true;
  HRESULT render_result = S_OK;
  bool makes_markers_busy = false;  ///< What is listed is in use until `finish`.

  std::vector<seen_render> renders;
  std::vector<D3DDDICB_PRESENT> presents;
  std::vector<allocation> allocations;
  std::vector<std::pair<D3DKMT_HANDLE, UINT>> priorities;
  std::vector<D3DKMT_HANDLE> shown;
  int contexts = 0;
  std::function<void()> during_render;  ///< Called inside RenderCb.
  std::vector<std::string> breaches;    ///< Of what a runtime may expect.
  /// Calls that can fail count; this one does.
  std::uint64_t calls = 0;
  std::uint64_t failing_call = 0;
  HRESULT failure = E_FAIL;

  void finish();
  [[nodiscard]] auto find(D3DKMT_HANDLE handle) -> allocation*;
  void expect(bool holds, const char* what) {
    if (holds) return;
    const std::scoped_lock lock{breaches_lock_};
    breaches.emplace_back(what);
  }

 private:
  static auto of(HANDLE handle) -> fake_callbacks& { return *static_cast<fake_callbacks*>(handle); }

  /// For the time of one of the device's callbacks: one thread at a time may be in them.
  class inside {
   public:
    explicit inside(HANDLE device);
    inside(const inside&) = delete;
    auto operator=(const inside&) -> inside& = delete;
    ~inside();

   private:
    std::atomic<int>& count_;
  };

  [[nodiscard]] auto count_call() -> HRESULT { return ++calls == failing_call ? failure : S_OK; }
  [[nodiscard]] static auto context_of(fake_callbacks& self) -> HANDLE { return &self.contexts; }

  void lend(void*& commands, UINT& bytes, D3DDDI_ALLOCATIONLIST*& list, UINT& entries);

  static auto APIENTRY query_adapter_info(HANDLE adapter, const D3DDDICB_QUERYADAPTERINFO* query)
      -> HRESULT;
  static auto APIENTRY create_context(HANDLE device, D3DDDICB_CREATECONTEXT* context) -> HRESULT;
  static auto APIENTRY destroy_context(HANDLE device, const D3DDDICB_DESTROYCONTEXT* context)
      -> HRESULT;
  static auto APIENTRY render(HANDLE device, D3DDDICB_RENDER* render) -> HRESULT;
  void take(const D3DDDICB_RENDER& render);
  void check_old_buffer();
  static auto APIENTRY present(HANDLE device, D3DDDICB_PRESENT* present) -> HRESULT;
  static auto APIENTRY allocate(HANDLE device, D3DDDICB_ALLOCATE* allocate) -> HRESULT;
  static auto APIENTRY deallocate(HANDLE device, const D3DDDICB_DEALLOCATE* freed) -> HRESULT;
  static auto APIENTRY set_priority(HANDLE device, D3DDDICB_SETPRIORITY* set) -> HRESULT;
  static auto APIENTRY set_display_mode(HANDLE device, D3DDDICB_SETDISPLAYMODE* mode) -> HRESULT;
  static auto APIENTRY lock(HANDLE device, D3DDDICB_LOCK* lock) -> HRESULT;
  static auto APIENTRY unlock(HANDLE device, const D3DDDICB_UNLOCK* unlock) -> HRESULT;

  static auto APIENTRY set_async_callbacks(HANDLE device, BOOL is_enabled) -> HRESULT;

  std::atomic<int> threads_inside_ = 0;
  std::mutex breaches_lock_;
  byte_vector commands_;
  byte_vector old_commands_;
  std::vector<D3DDDI_ALLOCATIONLIST> list_;
  std::array<D3DDDI_PATCHLOCATIONLIST, 4> patches_{};
  D3DKMT_HANDLE next_handle_ = 0x40000000;
};

}  // namespace aerogpu::umd::test
