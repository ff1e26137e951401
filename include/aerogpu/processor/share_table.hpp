/// \file The registry of share tokens over the processor's textures, in tables that grow.
#pragma once

#include "aerogpu/processor/heap_map.hpp"
#include "aerogpu/processor/limits.hpp"
#include "aerogpu/processor/resource.hpp"
#include "aerogpu/share/share_registry.hpp"

namespace aerogpu {

/// Tables on the heap.
struct heap_maps {
  template <class Key, class Value>
  using map = heap_map<Key, Value>;
};

/// Which texture each share token names (host.md 2.8).
template <backend B>
class share_table : public share_registry<texture_object<B>, heap_maps> {
 public:
  explicit share_table(const limits& most) noexcept
      : share_registry<texture_object<B>, heap_maps>(
            {.bound_tokens = most.share_tokens, .known_tokens = most.retired_share_tokens}) {}
};

}  // namespace aerogpu
