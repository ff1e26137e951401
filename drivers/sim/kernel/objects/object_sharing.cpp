// SPDX-License-Identifier: MIT
/// \file Share handles of either kind.
#include "drivers/sim/kernel/objects/object_manager.hpp"

namespace aerogpu::sim {

auto object_manager::share(process& with, const std::shared_ptr<kernel_resource>& resource)
    -> D3DKMT_HANDLE {
  constexpr D3DKMT_HANDLE global_step = 0x40;
  constexpr D3DKMT_HANDLE local_step = 4;
  const std::lock_guard hold{mutex_};
  if (base_.options.shares == share_handle_kind::process_local) {
    with.next_share += local_step;
    with.shares[with.next_share] = resource;
    ++resource->share_handles;
    return with.next_share;
  }
  if (resource->global_handle == 0) {
    resource->global_handle = next_share_;
    next_share_ += global_step;
    global_shares_[resource->global_handle] = resource;
  }
  return resource->global_handle;
}

auto object_manager::find_share(process& by, D3DKMT_HANDLE share)
    -> std::shared_ptr<kernel_resource> {
  const std::lock_guard hold{mutex_};
  if (base_.options.shares == share_handle_kind::process_local) {
    const auto found = by.shares.find(share);
    return found != by.shares.end() ? found->second : nullptr;
  }
  const auto found = global_shares_.find(share);
  return found != global_shares_.end() ? found->second.lock() : nullptr;
}

auto object_manager::duplicate_share(std::uint32_t from, D3DKMT_HANDLE share, std::uint32_t to)
    -> D3DKMT_HANDLE {
  const auto resource = find_share(process_of(from), share);
  return resource != nullptr ? this->share(process_of(to), resource) : 0;
}

void object_manager::close_share(process& by, D3DKMT_HANDLE share) {
  std::shared_ptr<kernel_resource> resource;
  {
    const std::lock_guard hold{mutex_};
    const auto found = by.shares.find(share);
    if (found == by.shares.end()) return;
    resource = std::move(found->second);
    by.shares.erase(found);
  }
  drop_share(resource);
}

/// The last handle of a resource that nobody has open takes its allocations with it.
void object_manager::drop_share(const std::shared_ptr<kernel_resource>& resource) {
  std::vector<std::shared_ptr<allocation>> unused;
  {
    const std::lock_guard hold{mutex_};
    if (--resource->share_handles != 0) return;
    for (const auto& one : resource->allocations) {
      if (one->openings == 0) unused.push_back(one);
    }
  }
  if (!unused.empty()) destroy_driver_allocations(*resource, unused);
}

}  // namespace aerogpu::sim
