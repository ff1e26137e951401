// SPDX-License-Identifier: MIT
/// \file Command streams out: packets that keep every rule, into any sink.
#pragma once

#include "aerogpu/abi/version.h"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/stream/calls/binding.hpp"
#include "aerogpu/stream/calls/draw.hpp"
#include "aerogpu/stream/calls/present.hpp"
#include "aerogpu/stream/calls/resource.hpp"
#include "aerogpu/stream/calls/shader.hpp"
#include "aerogpu/stream/calls/state.hpp"
#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/validate.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace aerogpu {

/// Writes one stream: `begin`, packets, `finish`. A packet that breaks a rule of wire.md or does
/// not fit is refused and leaves the stream as it was; the stream stays usable.
///
/// Every packet has a call of its name, from `calls/`; `write` takes any packet struct.
/// Errors of all of them: invalid_parameter and its kin with the field named, no_space when the
/// sink is full, size_overflow beyond 4 GiB.
template <stream_sink Sink>
class stream_writer : public resource_calls<stream_writer<Sink>>,
                      public shader_calls<stream_writer<Sink>>,
                      public state_calls<stream_writer<Sink>>,
                      public binding_calls<stream_writer<Sink>>,
                      public draw_calls<stream_writer<Sink>>,
                      public present_calls<stream_writer<Sink>> {
 public:
  /// The sink outlives the writer and is not written by others between `begin` and `finish`.
  explicit stream_writer(Sink& sink) noexcept : sink_(&sink) {}

  /// Starts a stream at the sink's end, of a minor that the peer reads (wire.md 2).
  /// Errors: no_space.
  [[nodiscard]] auto begin(std::uint32_t abi_minor = AEROGPU_ABI_MINOR) noexcept -> result<void> {
    AEROGPU_CHECK(abi_minor <= 0xFFFF);
    const std::size_t start = sink_->size();
    const aerogpu_cmd_stream_header header{
        AEROGPU_CMD_STREAM_MAGIC, AEROGPU_ABI_MAJOR << 16 | abi_minor, sizeof header, 0, 0, 0};
    const bool fits = sink_->append(sizeof header, [&](std::byte* at) { store(at, header); });
    if (!fits) return make_error(error_code::no_space, "the sink has no room for a stream header");
    start_ = start;
    largest_end_ = std::uint64_t{start} + std::numeric_limits<std::uint32_t>::max();
    abi_minor_ = abi_minor;
    return {};
  }

  /// Writes a packet. Opcode, size, count field and padding are filled in; `payload` is the bytes
  /// or elements that follow the struct. Precondition: between `begin` and `finish`.
  template <wire_packet P>
  [[nodiscard, gnu::always_inline]] auto write(P fields, const_bytes payload = {}) noexcept
      -> result<void> {
    if (!payload_fits_type<P>(payload.size())) [[unlikely]] {
      return refuse<P>(error_code::invalid_parameter, "the payload is not made of whole elements",
                       payload.size(), element_size<P>);
    }
    fill_count(fields, payload.size());
    breach_note first;
    const auto keep_first = [&](severity, error_code code, const char* what, std::uint64_t detail,
                                std::uint64_t limit) {
      if (first.what == nullptr) first = {what, code, detail, limit};
    };
    detail::check_packet_rules(fields, payload, abi_minor_, keep_first);
    if (first.what != nullptr) [[unlikely]] {
      return refuse<P>(first.code, first.what, first.detail, first.limit);
    }
    return put(fields, payload, sizeof(P) + align4(payload.size()));
  }

  /// A packet of `size_bytes` that readers skip: a multiple of 4, at least 8.
  [[nodiscard]] auto nop(std::uint32_t size_bytes = sizeof(nop_packet)) noexcept -> result<void> {
    if (size_bytes < sizeof(nop_packet) || size_bytes % 4 != 0) {
      return refuse<nop_packet>(error_code::invalid_parameter,
                                "a NOP has at least 8 bytes, in steps of 4", size_bytes,
                                sizeof(nop_packet));
    }
    return put(nop_packet{}, {}, size_bytes);
  }

  /// BIND_SHADERS: the short form, or with a hull or domain shader the extended one. Readers that
  /// know only the short form find the geometry shader in both.
  [[nodiscard]] auto bind_shaders(const shader_handles& handles) noexcept -> result<void> {
    const auto handle = [&](shader_stage stage) {
      return raw(handles[static_cast<std::size_t>(stage)]);
    };
    const aerogpu_cmd_bind_shaders fields{{},
                                          handle(shader_stage::vertex),
                                          handle(shader_stage::pixel),
                                          handle(shader_stage::compute),
                                          handle(shader_stage::geometry)};
    const bind_shaders_extension tail{handle(shader_stage::geometry), handle(shader_stage::hull),
                                      handle(shader_stage::domain)};
    if ((tail.hs | tail.ds) == 0) return put(fields, {}, sizeof fields);
    return put(fields, bytes_of(tail), bind_shaders_extended_size);
  }

  /// Ends the stream: its length goes into the header and comes back. Bytes, header included.
  [[nodiscard]] auto finish() noexcept -> std::uint32_t {
    AEROGPU_CHECK(is_open());
    const std::uint32_t size = size_bytes();
    sink_->patch(start_ + offsetof(aerogpu_cmd_stream_header, size_bytes), bytes_of(size));
    largest_end_ = 0;
    return size;
  }

  /// Bytes of the stream so far, with its header.
  [[nodiscard]] auto size_bytes() const noexcept -> std::uint32_t {
    return static_cast<std::uint32_t>(sink_->size() - start_);
  }
  [[nodiscard]] auto abi_minor() const noexcept -> std::uint32_t { return abi_minor_; }
  [[nodiscard]] auto is_open() const noexcept -> bool { return largest_end_ != 0; }

 private:
  /// Payloads above this fit no stream; below it no sum of sizes overflows.
  static constexpr std::uint64_t max_payload_bytes =
      std::numeric_limits<std::uint32_t>::max() - 1024;

  template <wire_packet P>
  static void fill_count([[maybe_unused]] P& fields, [[maybe_unused]] std::size_t size) noexcept {
    if constexpr (count_field<P> != nullptr) {
      const auto count = static_cast<std::uint32_t>(size / element_size<P>);
      constexpr std::size_t offset = count_field<P>->offset;
      std::byte* const at = mutable_bytes_of(fields).data() + offset;
      if constexpr (count_field<P>->type == field_type::u64) store<std::uint64_t>(at, count);
      if constexpr (count_field<P>->type == field_type::u32) store<std::uint32_t>(at, count);
    }
  }

  template <wire_packet P>
  [[nodiscard]] static constexpr auto payload_fits_type(std::size_t size) noexcept -> bool {
    if constexpr (element_size<P> == 0) return size == 0;
    if constexpr (element_size<P> != 0) {
      return size % element_size<P> == 0 && size <= max_payload_bytes;
    }
  }

  /// The first rule that a packet breaks. Only `what` has a value while there is none, so that the
  /// hot path carries one register.
  struct breach_note {
    const char* what = nullptr;
    error_code code;
    std::uint64_t detail;
    std::uint64_t limit;
  };

  /// Appends a packet of `total` bytes: struct, payload, zeros.
  template <wire_packet P>
  [[nodiscard, gnu::always_inline]] auto put(P fields, const_bytes payload,
                                             std::uint64_t total) noexcept -> result<void> {
    if (sink_->size() + total > largest_end_) [[unlikely]]
      return refuse_size<P>(total);
    fields.hdr = {packet_traits<P>::opcode, static_cast<std::uint32_t>(total)};
    const bool fits = sink_->append(static_cast<std::size_t>(total), [&](std::byte* at) {
      store(at, fields);
      std::byte* const tail = at + sizeof fields;
      const auto tail_size = static_cast<std::size_t>(total) - sizeof fields;
      if (tail_size == 0) return;
      if (payload.empty()) {
        std::memset(tail, 0, tail_size);
        return;
      }
      if constexpr (element_size<P> != 0 && element_size<P> % 16 == 0) {
        copy_registers(tail, payload);
      } else {
        store(tail + tail_size - sizeof(std::uint32_t), std::uint32_t{0});  // Holds the padding.
        std::memcpy(tail, payload.data(), payload.size());
      }
    });
    if (!fits) [[unlikely]] {
      return refuse<P>(error_code::no_space, "the sink has no room for the packet", total, 0);
    }
    return {};
  }

  template <wire_packet P>
  [[nodiscard]] auto refuse_size(std::uint64_t total) const noexcept -> error {
    AEROGPU_CHECK(is_open());
    return refuse<P>(error_code::size_overflow, "the stream would exceed 4 GiB", total,
                     std::numeric_limits<std::uint32_t>::max() - size_bytes());
  }

  template <wire_packet P>
  [[nodiscard]] auto refuse(error_code code, const char* what, std::uint64_t value,
                            std::uint64_t limit) const noexcept -> error {
    return {code, packet_traits<P>::opcode, size_bytes(), value, limit, what};
  }

  Sink* sink_;
  std::size_t start_ = 0;
  std::uint64_t largest_end_ = 0;  ///< Of the sink; 0 = no stream is open.
  std::uint32_t abi_minor_ = AEROGPU_ABI_MINOR;
};

}  // namespace aerogpu
