// SPDX-License-Identifier: MIT
/// \file The command processor: runs checked streams on a backend, one submission at a time.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/hosted/snapshot_io.hpp"
#include "aerogpu/memory/alloc_table.hpp"
#include "aerogpu/memory/memory_ref.hpp"
#include "aerogpu/processor/destruction.hpp"
#include "aerogpu/processor/device_loss.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/handlers/handlers.hpp"
#include "aerogpu/processor/object_counts.hpp"
#include "aerogpu/processor/present_log.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/processor/resources/residency.hpp"
#include "aerogpu/processor/resources/transfer_budget.hpp"
#include "aerogpu/processor/snapshot/tables_snapshot.hpp"
#include "aerogpu/processor/submission.hpp"
#include "aerogpu/stream/checked_packet.hpp"
#include "aerogpu/stream/reader.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace aerogpu {

namespace detail {

/// Packets that only put names and values into a context (host.md 2.12). Nothing is uploaded for
/// them, so nothing has to be settled.
template <wire_packet P>
inline constexpr bool only_binds = packet_traits<P>::wire_name.starts_with("SET_") ||
                                   packet_traits<P>::wire_name.starts_with("BIND_");

/// Packets after which every name and all content in guest memory is as before, and for which
/// nothing is left to settle: draws do it themselves, where they look something up.
template <wire_packet P>
inline constexpr bool keeps_names = only_binds<P> || std::is_same_v<P, aerogpu_cmd_draw> ||
                                    std::is_same_v<P, aerogpu_cmd_draw_indexed>;

/// Holds each packet to its fatal rules and calls its handler, then decides about the dirty ranges
/// that it uploaded.
template <backend B>
struct packet_executor {
  execution<B>& x;

  template <wire_packet P>
  [[gnu::always_inline]] inline auto on_packet(const packet<P>& p) noexcept -> error_code {
    if (is_no_op(p)) return error_code::none;
    const error_code code = checked_packet<P>::check(
        p, x.abi_minor,
        [&](const checked_packet<P>& checked) { return aerogpu::on_packet(x, checked); },
        [&](const error& why) { return x.fail(why); });
    if constexpr (keeps_names<P>) return code;
    x.context.cache.reach(x.tables.binding_epoch());
    const bool has_uploaded = x.uploaded_buffers != nullptr || x.uploaded_textures != nullptr;
    return has_uploaded ? settle_uploads(x, code) : code;
  }
  auto on_unknown(const raw_packet&) noexcept -> error_code { return error_code::none; }
};

/// Stands in for a table that a submission does not have.
inline const alloc_table no_alloc_table{};

}  // namespace detail

/// Checks and executes command streams (host.md 2). Every table lives here, so nothing that a guest
/// did outlives the processor. The backend outlives it, and serves no other processor meanwhile.
///
/// One thread at a time. A submission with a framing error or too many packets has no effect; one
/// that fails at a packet keeps the effects of the packets before it, except write-backs.
///
/// Any call that fails with device_lost tells that the backend lost its device; `save` alone goes
/// on then. What guest memory backs is read again before its next use; other content is that of new
/// objects.
template <backend B>
class command_processor : private check_optional_operations<B> {
 public:
  /// `key` decides where guests' ids lie in tables: made from random numbers, no guest knows it.
  explicit command_processor(B& backend, const aerogpu::limits& most = {},
                             hash_key key = {}) noexcept
      : backend_(backend), limits_(most), key_(key), tables_(limits_, key) {}
  command_processor(const command_processor&) = delete;
  auto operator=(const command_processor&) -> command_processor& = delete;
  /// Whoever uses the backend next hears nothing of what was submitted here (host.md 1.11).
  ~command_processor() { reset(); }

  /// Runs a submission to the point where the backend has all of it. Guest memory is read during
  /// the call, and written only by whoever handles `poll`'s write-backs.
  auto execute(const submission_input& input, const memory_ref& memory) noexcept
      -> execution_report;

  /// Hears what the backend finished: write-backs, then the completion, in submission order.
  template <completion_sink Sink>
  void poll(Sink& sink) noexcept {
    backend_.poll(sink);
  }
  /// Returns when the next `poll` reports everything that is pending.
  void wait_idle() noexcept { backend_.wait_idle(); }

  /// Forgets everything, retired share tokens too; nothing of before is reported (host.md 1.11).
  void reset() noexcept {
    destroy_all(tables_);
    backend_.reset();
  }

  /// Appends all state and content, after all earlier work. Equal content makes equal bytes. When
  /// the device is lost meanwhile, or for ever, the content is that of new objects: zero, and what
  /// guest memory backs is wholly dirty.
  /// Errors: out_of_memory, and those of the backend but device_lost.
  [[nodiscard]] auto save(snapshot_writer& out) noexcept -> result<void>;

  /// Bytes that `save` appends, or some more.
  [[nodiscard]] auto expected_save_bytes() noexcept -> std::uint64_t {
    return expected_bytes(tables_);
  }

  /// Replaces everything by what `save` wrote, all that is left of `in`, or changes nothing.
  /// Every byte is checked. The backend gets each shader at its first use, in a submission.
  /// Submissions that were pending stay pending; an embedder that wants them forgotten resets
  /// first. Errors: bad_version, corrupt, out_of_memory, and those of the backend.
  [[nodiscard]] auto load(snapshot_reader& in) noexcept -> result<void>;

  /// PRESENTs of the last executed submission, in order.
  [[nodiscard]] auto presents() const noexcept -> const present_log& {
    return tables_.pipeline.presents;
  }

  /// The texture that scanout 0 shows, or null for the guest frame buffer (host.md 3.17).
  [[nodiscard]] auto presented() const noexcept -> const texture_desc* {
    const auto* const shown = tables_.scanout.shown();
    return shown != nullptr ? &shown->desc : nullptr;
  }
  /// The same with what flips need to know (kmd.md K-35).
  [[nodiscard]] auto scanout() noexcept -> scanout_source<B>& { return tables_.scanout; }
  [[nodiscard]] auto scanout() const noexcept -> const scanout_source<B>& {
    return tables_.scanout;
  }
  /// Copies mip 0 of layer 0 of the presented texture, tight rows in its own format, after all
  /// earlier work. Errors: unknown_handle when there is none; invalid_parameter when `out` has
  /// another size; those of the backend.
  [[nodiscard]] auto read_presented(mutable_bytes out) noexcept -> result<void>;
  /// The same of any live texture, alias included, for a debugger.
  [[nodiscard]] auto read_texture(resource_handle handle, mutable_bytes out) noexcept
      -> result<void> {
    const named_resource<B>& named = tables_.resources.find(handle);
    return read_content(named.kind == resource_kind::texture ? named.texture : nullptr, out);
  }

  /// Shaders that were accepted since the last reset and cannot run here: their packets succeed,
  /// draws that use them fail with unsupported.
  [[nodiscard]] auto poisoned() const noexcept -> const poisoned_shaders& {
    return tables_.pipeline.poisoned;
  }

  [[nodiscard]] auto counts() const noexcept -> object_counts;
  /// Everything that the guest made, for a debugger to look at between submissions.
  [[nodiscard]] auto tables() const noexcept -> const processor_tables<B>& { return tables_; }
  [[nodiscard]] auto limits() const noexcept -> const aerogpu::limits& { return limits_; }

 private:
  /// Leaves in `report` what came of it. Afterwards the context may be gone.
  void run(const submission_input& input, const framed_stream& stream, context<B>& context,
           const memory_ref& memory, execution_report& report) noexcept;
  [[nodiscard]] auto read_content(texture_object<B>* from, mutable_bytes out) noexcept
      -> result<void>;
  void destroy_all(processor_tables<B>& tables) noexcept;
  /// Looks at each failure that may come from the backend, and hands it on.
  auto follow_loss(const error& why) noexcept -> error {
    if (why.code == error_code::device_lost) [[unlikely]]
      restore_after_device_loss(tables_);
    return why;
  }

  B& backend_;
  const aerogpu::limits limits_;
  const hash_key key_;
  processor_tables<B> tables_;
  std::uint64_t last_id_ = 0;
};

template <backend B>
auto command_processor<B>::execute(const submission_input& input, const memory_ref& memory) noexcept
    -> execution_report {
  execution_report report;
  tables_.pipeline.presents.begin_submission();
  if (input.stream.empty()) return report;
  const auto stream = parse_stream_header(input.stream);
  if (!stream) {
    report.why = stream.why();
    return report;
  }
  const frame_report framed = frame(*stream);
  report.packet_count = framed.packet_count;
  report.unknown_count = framed.unknown_count;
  report.has_vsync_present = framed.has_vsync_present;
  if (!framed) {
    report.why = framed.why;
    return report;
  }
  if (framed.packet_count > limits_.packets_per_submission) {
    report.why = make_error(error_code::out_of_memory, "packets of one submission are too many",
                            framed.packet_count, limits_.packets_per_submission);
    return report;
  }

  const auto context = tables_.pipeline.contexts.find_or_create(input.context, limits_);
  if (!context) {
    report.why = context.why();
    return report;
  }
  const submission_id id{last_id_ + 1};
  if (const auto begun = backend_.begin_submission({id, input.context, input.fence}); !begun) {
    report.why = follow_loss(begun.why());
    return report;
  }
  ++last_id_;
  report.id = id;
  run(input, framed.framed(), **context, memory, report);
  report.why = follow_loss(report.why);
  const bool is_good = report.why.code == error_code::none;
  const auto ended =
      backend_.end_submission(is_good ? submission_end::commit : submission_end::abort);
  report.is_pending = static_cast<bool>(ended);
  if (ended) return report;
  const error why = follow_loss(ended.why());
  if (is_good) report.why = why;
  return report;
}

template <backend B>
void command_processor<B>::run(const submission_input& input, const framed_stream& stream,
                               context<B>& context, const memory_ref& memory,
                               execution_report& report) noexcept {
  const submission_source source{memory,
                                 input.table != nullptr ? *input.table : detail::no_alloc_table,
                                 {report.id, input.context, input.fence},
                                 stream.abi_minor()};
  tables_.scanout.follow(source.table);
  context.cache.reach(tables_.binding_epoch());
  execution<B> x{tables_, backend_, context, limits_, source};
  detail::packet_executor<B> executor{x};
  const error stopped = visit_framed(stream, executor);
  AEROGPU_CHECK(context.cache.is_of(tables_.binding_epoch()));
  AEROGPU_CHECK(x.uploaded_buffers == nullptr && x.uploaded_textures == nullptr);
  report.transfer_bytes = x.transfers.moved_bytes;
  if (stopped.code == error_code::none) {
    report.write_backs = x.write_backs;
    if (is_at_its_end(context)) {
      const std::uint64_t slots = end_context(backend_, tables_, limits_, input.context);
      report.transfer_bytes += detail::walk_cost(slots);
    }
    return;
  }
  report.why = x.why;
  report.why.opcode = stopped.opcode;
  report.why.offset = stopped.offset;
}

template <backend B>
auto command_processor<B>::read_presented(mutable_bytes out) noexcept -> result<void> {
  return read_content(tables_.scanout.shown(), out);
}

template <backend B>
auto command_processor<B>::read_content(texture_object<B>* from, mutable_bytes out) noexcept
    -> result<void> {
  if (from == nullptr) {
    return make_error(error_code::unknown_handle, "there is no texture to read");
  }
  const std::uint64_t size = tight_row_bytes(from->layout.format(), from->desc.width) *
                             row_count(from->layout.format(), from->desc.height);
  if (out.size() != size) {
    return make_error(error_code::invalid_parameter, "read-back has another size than the image",
                      out.size(), size);
  }
  return follow_loss(backend_.read_texture(from->native, {0, 0}, out).why());
}

template <backend B>
auto command_processor<B>::counts() const noexcept -> object_counts {
  object_counts counts = tables_.resources.counts();
  counts.share_tokens = tables_.shares.bound_count();
  counts.retired_tokens = tables_.shares.retired_count();
  counts.shaders = tables_.pipeline.shaders.size();
  counts.input_layouts = tables_.pipeline.layouts.size();
  counts.samplers = tables_.pipeline.samplers.size();
  counts.contexts = tables_.pipeline.contexts.size();
  return counts;
}

template <backend B>
auto command_processor<B>::save(snapshot_writer& out) noexcept -> result<void> {
  if (out.why().code != error_code::none) return out.why();
  out.expect(expected_save_bytes());
  const std::size_t start = out.bytes().size();
  save_tables(&backend_, tables_, out);
  if (follow_loss(out.why()).code != error_code::device_lost) return out.why();
  out.rewind(start);
  save_tables<B>(nullptr, tables_, out);
  return out.why();
}

template <backend B>
auto command_processor<B>::load(snapshot_reader& in) noexcept -> result<void> {
  processor_tables<B> loaded{limits_, key_};
  load_tables(backend_, loaded, limits_, in);
  in.require(in.left() == 0, "snapshot is longer than its content", in.left());
  destroy_all(in.is_good() ? tables_ : loaded);
  if (in.is_good()) tables_ = std::move(loaded);
  return follow_loss(in.why());
}

template <backend B>
void command_processor<B>::destroy_all(processor_tables<B>& tables) noexcept {
  tables.pipeline.clear(backend_);
  tables.resources.destroy_all(backend_);
  tables = processor_tables<B>{limits_, key_};
}

}  // namespace aerogpu
