// SPDX-License-Identifier: MIT
/// \file What each packet of a recording depends on and changes, by the objects that it names.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/stream/packet_cursor.hpp"
#include "tools/aerogpu/files/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace aerogpu::tool {

/// An object of the recording: one life of a handle.
using object_number = std::uint32_t;

/// What becomes of a packet that comes before the frames of interest.
enum class packet_role : std::uint8_t {
  nothing,  ///< Of no use later: PRESENT, FLUSH, a marker, NOP.
  always,   ///< Stays: what happens outside a context's state and an object's content.
  creates,
  destroys,
  sets,      ///< State of its context.
  produces,  ///< Content of objects.
};

/// One packet. Contents are those of the buffer or texture behind a view or an alias.
struct packet_flow {
  std::size_t work = 0;
  const_bytes bytes;
  std::uint32_t context = 0;
  packet_role role = packet_role::nothing;
  object_number object = 0;             ///< Of creates and destroys.
  std::vector<object_number> names;     ///< Must exist.
  std::vector<object_number> reads;     ///< Contents that it uses.
  std::vector<object_number> writes;    ///< Contents that it changes.
  std::vector<object_number> replaces;  ///< Those of which nothing of before stays.
  bool uses_state = false;              ///< Of its context.
  std::string key;                      ///< Of sets: a later packet with the same key undoes it.
};

/// Walks submissions in order and remembers what is bound.
class flow_tracer {
 public:
  /// `unsteady` are objects whose guest memory changes without a word, as another tracer of the
  /// same recording found them: when they are read counts.
  explicit flow_tracer(std::set<object_number> unsteady = {}) : unsteady_(std::move(unsteady)) {}

  /// All packets of a submission, or those in front of `end` bytes.
  void trace(const recorded_work& work, std::uint64_t end = UINT64_MAX);
  [[nodiscard]] auto packets() const -> const std::vector<packet_flow>& { return packets_; }
  [[nodiscard]] auto unsteady() const -> const std::set<object_number>& { return unsteady_; }

 private:
  using handle_name = std::pair<handle_space, std::uint32_t>;
  using slot_name = std::pair<std::uint32_t, std::uint64_t>;  ///< Kind; stage and number.

  struct object {
    object_number content = 0;      ///< Itself, or what it views.
    std::uint64_t size_bytes = 0;   ///< Of a buffer.
    bool is_plain_texture = false;  ///< One mip, one layer: a clear covers all of it.
    std::uint32_t width = 0;        ///< Of a texture, in pixels.
    std::uint32_t height = 0;
    std::uint32_t format = 0;  ///< aerogpu_format
    bool is_depth = false;
    bool has_stencil = false;
    std::uint32_t alloc = 0;  ///< 0 = no guest memory.
    std::uint64_t alloc_offset = 0;
    const_bytes seen{};  ///< Its guest memory when it was last told to read it.
  };
  /// What a submission tells the host to read again.
  struct told_range {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    bool is_late = false;  ///< Behind a draw, which may have used what was there.
  };
  struct bound_state {
    std::map<slot_name, std::vector<object_number>> slots;
    bool may_scissor_clears = false;
  };

  void compare_memory(const recorded_work& work, std::uint64_t end);
  void remember_memory(const recorded_work& work, object_number which);
  void trace_packet(const raw_packet& packet, packet_flow& flow, const recorded_work& work);
  void trace_create(const raw_packet& packet, packet_flow& flow, const recorded_work& work);
  void trace_binding(const raw_packet& packet, packet_flow& flow);
  void trace_draw(packet_flow& flow);
  void trace_clear(const raw_packet& packet, packet_flow& flow);
  void trace_transfer(const raw_packet& packet, packet_flow& flow, const recorded_work& work);
  void trace_texture_copy(const raw_packet& packet, packet_flow& flow);
  void use_all_bound(packet_flow& flow);
  [[nodiscard]] auto told_in(const recorded_work& work, std::uint64_t end) const
      -> std::map<object_number, std::vector<told_range>>;
  [[nodiscard]] auto find(handle_space space, std::uint32_t handle) const
      -> std::optional<object_number>;
  [[nodiscard]] auto handles_of(const raw_packet& packet) const -> std::vector<object_number>;
  [[nodiscard]] auto content_of(object_number which) const -> object_number {
    return objects_[which].content;
  }

  std::set<object_number> unsteady_;
  std::vector<packet_flow> packets_;
  std::vector<object> objects_;
  std::map<handle_name, object_number> live_;
  std::map<std::uint64_t, object_number> shared_;  ///< By token.
  std::map<std::uint32_t, bound_state> contexts_;
};

/// For each packet of `packets` whether the packets of submissions from `first_kept` on need it, so
/// that they do the same without the others.
[[nodiscard]] auto needed_packets(const std::vector<packet_flow>& packets, std::size_t first_kept)
    -> std::vector<bool>;

}  // namespace aerogpu::tool
