// SPDX-License-Identifier: MIT
/// \file All that outlives a submission: every table of the processor.
#pragma once

#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/processor/bindings/pipeline_tables.hpp"
#include "aerogpu/processor/resources/resource_table.hpp"
#include "aerogpu/processor/resources/scanout_source.hpp"
#include "aerogpu/processor/resources/texture_shares.hpp"

#include <cstdint>

namespace aerogpu {

/// The guest-visible state that lasts until reset.
template <backend B>
struct processor_tables {
  explicit processor_tables(const limits& most, hash_key key = {}) noexcept
      : resources(most, key),
        shares(share_limits_of(most), typename texture_shares<B>::map{key}),
        pipeline(key) {}

  resource_table<B> resources;
  texture_shares<B> shares;
  pipeline_tables<B> pipeline;

  /// What scanout 0 shows (host.md 3.17).
  scanout_source<B> scanout;

  /// Rises whenever a handle starts or stops to name something, a backing changes, or a resource
  /// becomes dirty; a draw resolved at one epoch holds until the next.
  [[nodiscard]] auto binding_epoch() const noexcept -> std::uint64_t {
    return resources.revision() + pipeline.revision();
  }
};

}  // namespace aerogpu
