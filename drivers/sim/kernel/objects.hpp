/// \file What user mode has handles of: devices, contexts, allocations and their openings.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace aerogpu::sim {

/// Where an allocation's bytes are.
enum class residency : std::uint8_t {
  nowhere,   ///< Never used: its first place is filled first.
  segment,   ///< In a memory segment.
  aperture,  ///< In system pages that an aperture segment shows.
  system,    ///< In system pages alone.
};

/// One CreateAllocation element.
struct allocation {
  HANDLE driver = nullptr;
  std::vector<std::byte> private_data;  ///< As openers see it.
  std::uint64_t size_bytes = 0;         ///< Whole pages.
  std::uint64_t alignment = 0;
  std::uint32_t segments = 0;  ///< That it may be read and written in: bit 0 is segment 1.
  bool is_cpu_visible = false;
  bool is_shared = false;

  residency where = residency::nowhere;
  std::uint32_t segment = 0;                  ///< 1-based; 0: not in one.
  std::uint64_t offset = 0;                   ///< In the segment.
  std::vector<std::uintptr_t> pages;          ///< System pages; empty while in a memory segment.
  std::uint64_t last_use = 0;                 ///< For eviction.
  std::atomic<std::uint32_t> uses = 0;        ///< Of work in flight.
  std::uint32_t pins = 0;                     ///< Locks and scanout.
  std::atomic<std::uint32_t> last_fence = 0;  ///< Of work that uses it, paging included.
  std::byte* system_view = nullptr;           ///< While locked in system pages.
  std::uint32_t openings = 0;
};

struct device_object {
  D3DKMT_HANDLE handle = 0;
  HANDLE driver = nullptr;
  std::uint32_t process = 0;
  DXGK_DEVICEINFO info{};
  bool is_system = false;
  bool is_lost = false;  ///< A timeout took it.
};

struct context_object {
  D3DKMT_HANDLE handle = 0;
  HANDLE driver = nullptr;
  device_object* device = nullptr;
  DXGK_CONTEXTINFO info{};
  bool is_system = false;
  std::uint32_t last_fence = 0;
};

/// What a process's allocation handle means: one opening by one device.
struct opening {
  D3DKMT_HANDLE handle = 0;
  HANDLE driver = nullptr;  ///< hDeviceSpecificAllocation.
  device_object* device = nullptr;
  std::shared_ptr<allocation> of;
};

/// A shared resource: its global handle lives as long as any opening.
struct shared_resource {
  D3DKMT_HANDLE handle = 0;
  std::vector<std::weak_ptr<allocation>> allocations;
};

/// Any thread may look; objects go away only when their owners destroy them.
class object_table {
 public:
  template <class Object>
  auto add(std::map<D3DKMT_HANDLE, std::unique_ptr<Object>>& to, std::unique_ptr<Object> made)
      -> Object& {
    const std::lock_guard hold{mutex_};
    made->handle = next_ += handle_step;
    auto& kept = *made;
    to[made->handle] = std::move(made);
    return kept;
  }
  template <class Object>
  [[nodiscard]] auto find(const std::map<D3DKMT_HANDLE, std::unique_ptr<Object>>& in,
                          D3DKMT_HANDLE handle) const -> Object* {
    const std::lock_guard hold{mutex_};
    const auto found = in.find(handle);
    return found != in.end() ? found->second.get() : nullptr;
  }
  template <class Object>
  void remove(std::map<D3DKMT_HANDLE, std::unique_ptr<Object>>& from, D3DKMT_HANDLE handle) {
    const std::lock_guard hold{mutex_};
    from.erase(handle);
  }
  /// Handles of openings that match.
  template <class Match>
  [[nodiscard]] auto openings_where(Match&& match) const -> std::vector<D3DKMT_HANDLE> {
    const std::lock_guard hold{mutex_};
    std::vector<D3DKMT_HANDLE> found;
    for (const auto& [handle, one] : openings) {
      if (match(*one)) found.push_back(handle);
    }
    return found;
  }

  std::map<D3DKMT_HANDLE, std::unique_ptr<device_object>> devices;
  std::map<D3DKMT_HANDLE, std::unique_ptr<context_object>> contexts;
  std::map<D3DKMT_HANDLE, std::unique_ptr<opening>> openings;
  std::map<D3DKMT_HANDLE, std::unique_ptr<shared_resource>> resources;

 private:
  static constexpr D3DKMT_HANDLE handle_step = 0x40;  ///< As Windows' handles look.
  mutable std::mutex mutex_;
  D3DKMT_HANDLE next_ = 0x40000000;
};

}  // namespace aerogpu::sim
