/// \file Resource handles, the objects they name, and what they may use up.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/processor/heap_map.hpp"
#include "aerogpu/processor/limits.hpp"
#include "aerogpu/processor/object_pool.hpp"
#include "aerogpu/processor/resource.hpp"

#include <cstdint>

namespace aerogpu {

template <backend B>
class resource_table {
 public:
  /// What a handle names now; kind `none` for 0 and for what is not live. O(1).
  [[nodiscard]] auto find(resource_handle handle) const noexcept -> named_resource<B> {
    const named_resource<B>* named = names_.find(handle);
    return named != nullptr ? *named : named_resource<B>{};
  }

 private:
  heap_map<resource_handle, named_resource<B>> names_;
};

}  // namespace aerogpu
