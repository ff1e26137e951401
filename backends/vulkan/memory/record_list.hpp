// SPDX-License-Identifier: MIT
/// \file Records that know their place in a list: a stable address each, removed at once.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace aerogpu::vulkan {

template <class Record>
using record_list = heap_array<std::unique_ptr<Record>>;

[[nodiscard]] inline auto no_memory_for_record() noexcept -> error {
  return make_error(error_code::out_of_memory, "the host has no memory for an object's record");
}

/// A new record, or null when the heap is exhausted.
template <class Record, class... Args>
[[nodiscard]] auto make_record(Args&&... args) noexcept -> std::unique_ptr<Record> {
  return std::unique_ptr<Record>{new (std::nothrow) Record{std::forward<Args>(args)...}};
}

/// Takes a record that `make_record` made. Errors: out_of_memory, also for a null one.
template <class Record>
[[nodiscard]] auto add_record(record_list<Record>& all, std::unique_ptr<Record> made) noexcept
    -> result<Record*> {
  if (made == nullptr || !all.reserve(all.size() + 1)) return no_memory_for_record();
  made->place = all.size();
  Record* const added = made.get();
  AEROGPU_CHECK(all.push_back(std::move(made)));
  return added;
}

/// Destroys the record; another one takes its place.
template <class Record>
void remove_record(record_list<Record>& all, Record* record) noexcept {
  const std::size_t place = record->place;
  std::swap(all[place], all[all.size() - 1]);
  all[place]->place = place;
  all.truncate(all.size() - 1);
}

/// Records that need nothing of a device.
template <class Record>
class record_store {
 public:
  /// Errors: out_of_memory.
  template <class... Args>
  [[nodiscard]] auto create(Args&&... args) noexcept -> result<Record*> {
    return add_record(all_, make_record<Record>(std::forward<Args>(args)...));
  }
  void destroy(Record* record) noexcept { remove_record(all_, record); }
  [[nodiscard]] auto live_objects() const noexcept -> std::size_t { return all_.size(); }

 private:
  record_list<Record> all_;
};

}  // namespace aerogpu::vulkan
