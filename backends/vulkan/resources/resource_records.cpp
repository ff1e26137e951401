// SPDX-License-Identifier: MIT
#include "vulkan/resources/resource_records.hpp"

#include <utility>

namespace aerogpu::vulkan {

namespace {

template <class Record>
auto add_with_object(resource_objects& on, record_list<Record>& all, std::unique_ptr<Record> made)
    -> result<Record*> {
  const auto added = add_record(all, std::move(made));
  if (!added) return added.why();
  if (auto created = on.create(**added); !created) {
    remove_record(all, *added);
    return created.why();
  }
  return *added;
}

}  // namespace

auto resource_records::create(resource_objects& on, const buffer_desc& desc)
    -> result<buffer_record*> {
  auto made = make_record<buffer_record>();
  if (made == nullptr) return no_memory_for_record();
  made->id = next_id_++;
  made->desc = desc;
  return add_with_object(on, buffers_, std::move(made));
}

auto resource_records::create(resource_objects& on, const texture_desc& desc)
    -> result<image_record*> {
  const auto layout = tight_layout(desc);
  if (!layout) return layout.why();
  auto made = make_record<image_record>(*layout);
  if (made == nullptr) return no_memory_for_record();
  made->id = next_id_++;
  made->desc = desc;
  return add_with_object(on, images_, std::move(made));
}

auto resource_records::create(const texture_view_desc& desc) -> result<view_record*> {
  return add_record(views_, make_record<view_record>(desc));
}

auto resource_records::rebuild(resource_objects& on) -> result<void> {
  for (const auto& buffer : buffers_) {
    if (auto made = on.create(*buffer); !made) return made.why();
  }
  for (const auto& image : images_) {
    if (auto made = on.create(*image); !made) return made.why();
  }
  return {};
}

void resource_records::drop_objects(resource_objects& on) noexcept {
  for (const auto& buffer : buffers_) on.destroy(*buffer);
  for (const auto& image : images_) on.destroy(*image);
}

}  // namespace aerogpu::vulkan
