// SPDX-License-Identifier: MIT
/// \file Recordings compressed with zstd. Not part of `aerogpu/trace.hpp`: who includes it links
/// libzstd.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/trace/sink.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <zstd.h>

namespace aerogpu {

/// How a recording is compressed.
struct zstd_choice {
  int level = 3;
  /// Content that occurs again within 2^24 bytes is written once. Both sides take as much memory;
  /// 27 is the most that readers accept.
  int window_log = 24;
};

/// What unpacking may take.
struct zstd_limits {
  std::uint64_t unpacked_bytes = std::numeric_limits<std::uint64_t>::max();
  int window_log = 27;
};

/// A sink in front of another one. Flushing ends a block of the compressed data, so that all before
/// it can be unpacked from a file that was cut off.
template <byte_sink Sink>
class zstd_sink {
 public:
  /// `sink` outlives it. `out_of_memory` when there is none, `invalid_parameter` for a level or
  /// window that zstd does not know.
  [[nodiscard]] static auto create(Sink& sink, const zstd_choice& how = {}) noexcept
      -> result<zstd_sink>;

  [[nodiscard]] auto append(const_bytes bytes) noexcept -> bool {
    return compress(bytes, ZSTD_e_continue);
  }
  [[nodiscard]] auto flush() noexcept -> bool {
    if (!compress({}, ZSTD_e_flush)) return false;
    if constexpr (flushing_sink<Sink>) {
      return sink_->flush() || fail(sink_failure(0));
    } else {
      return true;
    }
  }
  /// Ends the compressed data; nothing may be appended afterwards. The sink stays open.
  [[nodiscard]] auto finish() noexcept -> result<void> {
    (void)compress({}, ZSTD_e_end);
    return why_;
  }
  /// The first failure; code `none` = there was none.
  [[nodiscard]] auto why() const noexcept -> error { return why_; }

 private:
  struct free_context {
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
  };

  explicit zstd_sink(Sink& sink) noexcept : sink_(&sink), context_(ZSTD_createCCtx()) {}

  [[nodiscard]] auto compress(const_bytes bytes, ZSTD_EndDirective how) noexcept -> bool;
  [[nodiscard]] auto fail(const error& why) noexcept -> bool {
    if (why_.code == error_code::none) why_ = why;
    return false;
  }
  [[nodiscard]] auto sink_failure(std::uint64_t bytes) const noexcept -> error {
    return detail::sink_failure(*sink_, bytes, 0);
  }

  Sink* sink_;
  std::unique_ptr<ZSTD_CCtx, free_context> context_;
  heap_array<std::byte> out_;
  error why_{};
};

/// What unpacking found.
struct zstd_content {
  std::uint64_t bytes = 0;  ///< Given to the sink.
  error why{};              ///< Why the compressed data ends there; code `none` = it is whole.
  bool ends_early = false;  ///< It was cut off. Else `why` is damage, which the checksum may find
                            ///< only behind bytes that are wrong.
};

/// Unpacks into a sink, up to the last whole block of data that was cut off or is broken. Memory is
/// bounded by the window, whatever sizes the data declares. Errors: `out_of_memory` for host memory
/// and for more than `unpacked_bytes`, and the sink's `no_space`.
template <byte_sink Sink>
[[nodiscard]] auto zstd_unpack(const_bytes packed, Sink& sink,
                               const zstd_limits& within = {}) noexcept -> result<zstd_content>;

template <byte_sink Sink>
auto zstd_sink<Sink>::create(Sink& sink, const zstd_choice& how) noexcept -> result<zstd_sink> {
  zstd_sink made{sink};
  if (made.context_ == nullptr || !made.out_.resize(ZSTD_CStreamOutSize())) {
    return make_error(error_code::out_of_memory, "zstd does not fit in memory");
  }
  const struct {
    ZSTD_cParameter name;
    int value;
  } parameters[]{{ZSTD_c_compressionLevel, how.level},
                 {ZSTD_c_windowLog, how.window_log},
                 {ZSTD_c_checksumFlag, 1}};
  for (const auto& parameter : parameters) {
    const std::size_t set =
        ZSTD_CCtx_setParameter(made.context_.get(), parameter.name, parameter.value);
    if (ZSTD_isError(set) != 0) {
      return make_error(error_code::invalid_parameter, ZSTD_getErrorName(set),
                        static_cast<std::uint64_t>(parameter.value));
    }
  }
  return made;
}

template <byte_sink Sink>
auto zstd_sink<Sink>::compress(const_bytes bytes, ZSTD_EndDirective how) noexcept -> bool {
  if (why_.code != error_code::none) return false;
  const mutable_bytes room = out_.view();
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  for (bool is_done = false; !is_done;) {
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, how);
    if (ZSTD_isError(left) != 0) {
      return fail(make_error(error_code::out_of_memory, ZSTD_getErrorName(left)));
    }
    if (out.pos != 0 && !sink_->append(room.first(out.pos))) return fail(sink_failure(out.pos));
    is_done = how == ZSTD_e_continue ? in.pos == in.size : left == 0;
  }
  return true;
}

template <byte_sink Sink>
auto zstd_unpack(const_bytes packed, Sink& sink, const zstd_limits& within) noexcept
    -> result<zstd_content> {
  struct free_context {
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
  };
  const std::unique_ptr<ZSTD_DCtx, free_context> context{ZSTD_createDCtx()};
  heap_array<std::byte> buffer;
  if (context == nullptr || !buffer.resize(ZSTD_DStreamOutSize())) {
    return make_error(error_code::out_of_memory, "zstd does not fit in memory");
  }
  const mutable_bytes room = buffer.view();
  (void)ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, within.window_log);
  zstd_content content;
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t expected = 1;
  bool is_full = true;  // The buffer: then more may wait behind it.
  while (in.pos < in.size || (is_full && expected != 0)) {
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    expected = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(expected) != 0) {
      content.why = make_error(error_code::corrupt, ZSTD_getErrorName(expected), in.pos);
      return content;
    }
    if (out.pos > within.unpacked_bytes - content.bytes) {
      return make_error(error_code::out_of_memory, "the unpacked recording exceeds its limit",
                        content.bytes + out.pos, within.unpacked_bytes);
    }
    if (out.pos != 0 && !sink.append(room.first(out.pos))) {
      return make_error(error_code::no_space, "the unpacked recording does not fit", content.bytes);
    }
    content.bytes += out.pos;
    is_full = out.pos == out.size;
  }
  if (expected != 0) {
    content.why = make_error(error_code::corrupt, "the compressed data ends early", in.pos);
    content.ends_early = true;
  }
  return content;
}

}  // namespace aerogpu
