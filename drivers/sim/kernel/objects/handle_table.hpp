// SPDX-License-Identifier: MIT
/// \file The handles of one process, and copies of what user mode points to.
#pragma once

#include "drivers/sim/kernel/machine/pc.hpp"
#include "drivers/win7/ddi/kernel/dxgk_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace aerogpu::sim {

enum class handle_kind : std::uint8_t { adapter, device, context, resource, allocation };

/// Handles of one process; another one has the same numbers for its own objects. What a handle
/// names has a `kind` and a `handle`. Any thread.
class handle_table {
 public:
  template <class Object>
  auto add(const std::shared_ptr<Object>& object) -> D3DKMT_HANDLE {
    const std::lock_guard hold{mutex_};
    next_ += step;
    object->handle = next_;
    entries_[next_] = {Object::kind, object};
    return next_;
  }
  /// nullptr for handles of another kind, too.
  template <class Object>
  [[nodiscard]] auto find(D3DKMT_HANDLE handle) const -> std::shared_ptr<Object> {
    const std::lock_guard hold{mutex_};
    const auto found = entries_.find(handle);
    if (found == entries_.end() || found->second.kind != Object::kind) return nullptr;
    return std::static_pointer_cast<Object>(found->second.object);
  }
  void remove(D3DKMT_HANDLE handle) {
    const std::lock_guard hold{mutex_};
    entries_.erase(handle);
  }
  /// The process is gone.
  void clear() {
    const std::lock_guard hold{mutex_};
    entries_.clear();
  }
  [[nodiscard]] auto size() const -> std::size_t {
    const std::lock_guard hold{mutex_};
    return entries_.size();
  }

 private:
  struct entry {
    handle_kind kind{};
    std::shared_ptr<void> object;
  };
  static constexpr D3DKMT_HANDLE step = 0x40;  ///< As Windows' handles look.

  mutable std::mutex mutex_;
  std::map<D3DKMT_HANDLE, entry> entries_;
  D3DKMT_HANDLE next_ = 0x40000000;
};

using byte_list = std::vector<std::byte>;

/// A kernel copy of `size` bytes at a pointer of the caller's; nothing when they are not there.
[[nodiscard]] inline auto capture(pc& machine, const void* from, std::size_t size)
    -> std::optional<byte_list> {
  byte_list out(size);
  if (size == 0) return out;
  if (from == nullptr) return std::nullopt;
  if (machine.user.contains(from)) {
    if (!machine.user.copy(out, from)) return std::nullopt;
    return out;
  }
  std::memcpy(out.data(), from, size);
  return out;
}

/// `count` elements of the caller's.
template <class T>
[[nodiscard]] auto capture_list(pc& machine, const T* from, std::size_t count)
    -> std::optional<std::vector<T>> {
  const auto bytes = capture(machine, from, count * sizeof(T));
  if (!bytes) return std::nullopt;
  std::vector<T> out(count);
  if (count != 0) std::memcpy(out.data(), bytes->data(), bytes->size());
  return out;
}

/// Back into the caller's buffer, which holds as much as was captured from it.
inline void give_back(const byte_list& bytes, void* to) {
  if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
}

/// The calling thread belongs to a process while this lives.
class process_scope {
 public:
  explicit process_scope(std::uint32_t process) : before_(this_thread().process) {
    this_thread().process = process;
  }
  ~process_scope() { this_thread().process = before_; }
  process_scope(const process_scope&) = delete;
  auto operator=(const process_scope&) -> process_scope& = delete;

 private:
  std::uint32_t before_ = 0;
};

}  // namespace aerogpu::sim
