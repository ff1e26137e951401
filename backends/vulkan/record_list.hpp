/// \file Records that know their place in a list: a stable address each, removed at once.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace aerogpu::vulkan {

template <class Record>
using record_list = std::vector<std::unique_ptr<Record>>;

template <class Record>
auto add_record(record_list<Record>& all, std::unique_ptr<Record> made) -> Record* {
  made->place = all.size();
  all.push_back(std::move(made));
  return all.back().get();
}

/// Destroys the record; another one takes its place.
template <class Record>
void remove_record(record_list<Record>& all, Record* record) {
  const std::size_t place = record->place;
  std::swap(all[place], all.back());
  all[place]->place = place;
  all.pop_back();
}

}  // namespace aerogpu::vulkan
