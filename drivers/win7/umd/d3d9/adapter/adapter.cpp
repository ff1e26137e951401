// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"

#include "aerogpu/abi/version.h"
#include "aerogpu/hosted/heap_pointer.hpp"
#include "aerogpu/memory/umd_private_data.hpp"
#include "drivers/win7/umd/d3d9/core/log.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace aerogpu::umd {

namespace {

/// One adapter of the process, in a list that `cache_lock` guards.
struct cache_entry {
  cache_entry(os::kernel_adapter kernel, const adapter_facts& facts,
              std::unique_ptr<adapter_runtime> callbacks) noexcept
      : opened(kernel, facts), runtime(std::move(callbacks)) {}

  adapter opened;
  std::unique_ptr<adapter_runtime> runtime;
  std::uint32_t openings = 1;
  cache_entry* next = nullptr;
};

constinit os::mutex cache_lock;
constinit cache_entry* cache = nullptr;

class cache_guard {
 public:
  cache_guard() noexcept { cache_lock.lock(); }
  cache_guard(const cache_guard&) = delete;
  auto operator=(const cache_guard&) -> cache_guard& = delete;
  ~cache_guard() { cache_lock.unlock(); }
};

/// Where the list links to what `is_wanted`; a null link when it is not there.
template <class Wanted>
auto find_link(Wanted&& is_wanted) noexcept -> cache_entry*& {
  cache_entry** link = &cache;
  while (*link != nullptr && !is_wanted(**link)) link = &(*link)->next;
  return *link;
}

void read_device_facts(adapter_runtime& runtime, std::uint32_t kernel,
                       adapter_facts& facts) noexcept {
  std::array<std::byte, sizeof(aerogpu_umd_private_v1)> bytes{};
  const bool is_asked = SUCCEEDED(runtime.query_private_data(bytes)) ||
                        (kernel != 0 && os::query_private_data(kernel, bytes));
  if (!is_asked) return;
  const auto blob = parse_umd_private(bytes);
  if (!blob) return;
  facts.has_device_facts = true;
  facts.device_magic = blob->device_mmio_magic;
  facts.abi_version = blob->device_abi_version_u32;
  facts.features = blob->device_features;
  facts.flags = blob->flags;
}

auto read_facts(adapter_runtime& runtime, std::uint32_t kernel) noexcept -> adapter_facts {
  adapter_facts facts;
  read_device_facts(runtime, kernel, facts);
  const os::display_mode mode = os::desktop_mode();
  if (mode.width != 0 && mode.height != 0) {
    facts.primary_width = mode.width;
    facts.primary_height = mode.height;
    if (mode.refresh_hz > 1) facts.primary_refresh_hz = mode.refresh_hz;  // 0, 1: "the default".
  }
  return facts;
}

/// During a mode change or a timeout the kernel driver may not have answered the first opening.
void ask_missing_facts(cache_entry& known, std::uint32_t kernel) noexcept {
  if (known.opened.facts().has_device_facts) return;
  const adapter_facts facts = read_facts(*known.runtime, kernel);
  if (facts.has_device_facts) known.opened.replace_facts(facts);
}

/// Finds or makes the adapter, which takes `kernel` over.
auto open_known(os::kernel_adapter kernel, std::unique_ptr<adapter_runtime> callbacks,
                adapter*& out) noexcept -> HRESULT {
  {
    const cache_guard guard;
    if (cache_entry* const known = find_link(
            [&](const cache_entry& entry) { return entry.opened.luid() == kernel.luid; })) {
      ++known->openings;
      std::swap(known->runtime, callbacks);
      ask_missing_facts(*known, kernel.handle);
      out = &known->opened;
    } else {
      const adapter_facts facts = read_facts(*callbacks, kernel.handle);
      auto fresh = make_heap<cache_entry>(kernel, facts, std::move(callbacks));
      if (fresh == nullptr) {
        if (kernel.handle != 0) os::close_adapter(kernel.handle);
        return E_OUTOFMEMORY;
      }
      fresh->next = cache;
      cache = fresh.release();
      out = &cache->opened;
      return S_OK;
    }
  }
  if (kernel.handle != 0) os::close_adapter(kernel.handle);  // The first opening has its own.
  return S_OK;
}

}  // namespace

auto adapter_facts::has_block_compression() const noexcept -> bool {
  return has_device_facts && abi_version >> 16 == AEROGPU_ABI_MAJOR && (abi_version & 0xFFFF) >= 2;
}

void adapter::replace_facts(const adapter_facts& later) noexcept {
  if (&facts() != &first_facts_) return;
  later_facts_ = later;
  facts_.store(&later_facts_, std::memory_order_release);
}

auto adapter::takes_event_query(std::uint32_t type) noexcept -> bool {
  constexpr std::uint32_t event = 8;  // D3DQUERYTYPE_EVENT
  if (type != event && type != 0) return false;
  std::uint32_t first = no_query_type;
  return event_query_type_.compare_exchange_strong(first, type) || first == type;
}

auto open_adapter(void* device_context, std::unique_ptr<adapter_runtime> callbacks,
                  adapter*& out) noexcept -> HRESULT {
  os::kernel_adapter kernel;
  if (!os::open_adapter(device_context, kernel)) {
    log_line{"the LUID of the display cannot be asked; using 0"};
  }
  return open_known(kernel, std::move(callbacks), out);
}

auto open_adapter_by_luid(os::adapter_luid luid, std::unique_ptr<adapter_runtime> callbacks,
                          adapter*& out) noexcept -> HRESULT {
  // Windows 7 finds kernel adapters by displays alone: it is the primary's, or has no handle.
  os::kernel_adapter kernel;
  if (os::open_adapter(nullptr, kernel) && !(kernel.luid == luid)) {
    if (kernel.handle != 0) os::close_adapter(kernel.handle);
    kernel.handle = 0;
  }
  kernel.luid = luid;
  return open_known(kernel, std::move(callbacks), out);
}

auto hold_adapter(adapter* held) noexcept -> HRESULT {
  const cache_guard guard;
  cache_entry* const found =
      find_link([&](const cache_entry& entry) { return &entry.opened == held; });
  if (found == nullptr) return E_INVALIDARG;
  ++found->openings;
  return S_OK;
}

auto close_adapter(adapter* closed) noexcept -> HRESULT {
  std::unique_ptr<cache_entry> ended;
  {
    const cache_guard guard;
    cache_entry*& link =
        find_link([&](const cache_entry& entry) { return &entry.opened == closed; });
    if (link == nullptr) return E_INVALIDARG;
    if (--link->openings != 0) return S_OK;
    ended.reset(link);
    link = ended->next;
  }
  if (ended->opened.kernel_handle() != 0) os::close_adapter(ended->opened.kernel_handle());
  return S_OK;
}

auto openings(const adapter& of) noexcept -> std::uint32_t {
  const cache_guard guard;
  const cache_entry* const found =
      find_link([&](const cache_entry& entry) { return &entry.opened == &of; });
  return found != nullptr ? found->openings : 0;
}

}  // namespace aerogpu::umd
