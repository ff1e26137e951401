// SPDX-License-Identifier: MIT
/// \file The submission that runs: what a packet's handler may look at, change and report.
#pragma once

#include "aerogpu/backend/backend.hpp"
#include "aerogpu/backend/objects.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/memory/alloc_table.hpp"
#include "aerogpu/memory/memory_ref.hpp"
#include "aerogpu/processor/submission.hpp"

#include <cstdint>

namespace aerogpu {

template <backend B>
struct context;
template <backend B>
struct processor_tables;
template <backend B>
struct buffer_object;
template <backend B>
struct texture_object;

/// What a submission moved so far, as `transfer_cost` counts it.
struct transfer_totals {
  std::uint64_t uploaded_bytes = 0;  ///< Read from guest memory for backed resources.
  std::uint64_t moved_bytes = 0;     ///< In all.
};

/// What a submission brings along.
struct submission_source {
  const memory_ref& memory;
  const alloc_table& table;  ///< `is_present()` is false when the submission has none.
  submission_info submission;
  std::uint32_t abi_minor;  ///< Of the stream header.
};

/// One running submission. A handler is an overload
/// `on_packet(execution<B>&, const checked_packet<P>&) noexcept -> error_code` that returns `none`,
/// or what `fail` returns; opcode and offset of the packet are added where handlers are called.
/// It never sees a packet that `is_no_op`, nor one that breaks a fatal rule of its row.
template <backend B>
struct execution {
  /// A constructor, because compilers clear an aggregate of this size with a slow loop first.
  execution(processor_tables<B>& to, B& by, aerogpu::context<B>& in, const aerogpu::limits& most,
            const submission_source& from) noexcept
      : tables(to),
        backend(by),
        context(in),
        limits(most),
        memory(from.memory),
        table(from.table),
        submission(from.submission),
        abi_minor(from.abi_minor) {}

  processor_tables<B>& tables;
  B& backend;
  aerogpu::context<B>& context;
  const aerogpu::limits& limits;
  const memory_ref& memory;
  const alloc_table& table;
  submission_info submission;
  std::uint32_t abi_minor;
  write_back_budget write_backs;
  transfer_totals transfers;
  buffer_object<B>* uploaded_buffers = nullptr;  ///< By this packet; see `settle_uploads`.
  texture_object<B>* uploaded_textures = nullptr;
  error why;  ///< What `fail` stored.

  /// Keeps the error for the report and returns its code. Not inlined, so that handlers keep no
  /// registers and no stack for it.
  [[gnu::cold, gnu::noinline]] auto fail(error_code code, const char* what,
                                         std::uint64_t detail = 0, std::uint64_t limit = 0) noexcept
      -> error_code {
    why = make_error(code, what, detail, limit);
    return code;
  }
  [[gnu::cold, gnu::noinline]] auto fail(const error& e) noexcept -> error_code {
    why = e;
    return e.code;
  }

  /// `none`, or the failure of a backend call or check.
  auto check(const result<void>& done) noexcept -> error_code {
    return done ? error_code::none : fail(done.why());
  }
};

}  // namespace aerogpu
