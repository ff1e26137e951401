/// \file All that outlives a submission: every table of the processor.
#pragma once

#include "aerogpu/processor/limits.hpp"
#include "aerogpu/processor/pipeline_tables.hpp"
#include "aerogpu/processor/resource_table.hpp"

#include <cstdint>

namespace aerogpu {

/// The guest-visible state that lasts until reset.
///
/// `pipeline_tables<B>` holds shaders, layouts, samplers, contexts and the present log:
///   explicit pipeline_tables(const limits&);
///   auto context_of(context_id) -> context<B>*;  // made on first use; null = out_of_memory
///   void begin_submission();                     // empties the present log
///   auto presents() const -> const present_log&;
///   void count(object_counts&) const;
///   void destroy_all(B&);
template <backend B>
struct world_tables {
  explicit world_tables(const limits& most) noexcept : resources(most), pipeline(most) {}

  resource_table<B> resources;
  pipeline_tables<B> pipeline;

  /// What scanout 0 shows (host.md 3.17): set by PRESENT, cleared when the texture's last handle
  /// dies. Null = the guest frame buffer.
  texture_object<B>* presented = nullptr;

  /// Rises whenever a handle starts or stops to name something, a backing changes, or a resource
  /// becomes dirty; a draw validated at one epoch holds until the next.
  std::uint64_t binding_epoch = 1;
};

}  // namespace aerogpu
