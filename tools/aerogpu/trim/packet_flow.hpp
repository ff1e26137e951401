// SPDX-License-Identifier: MIT
/// \file What each packet of a recording depends on and changes, by the objects that it names.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/stream/packet_cursor.hpp"
#include "tools/aerogpu/files/recording.hpp"
#include "tools/aerogpu/trim/packet_role.hpp"
#include "tools/aerogpu/trim/untold_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace aerogpu::tool {

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

/// Walks submissions in order and remembers what is bound. A copy goes on from where it was made.
class flow_tracer {
 public:
  /// The packets of a submission, or those in front of `end` bytes; without those that nothing
  /// comes of, as NOP.
  [[nodiscard]] auto trace(const recorded_work& work, std::uint64_t end = UINT64_MAX)
      -> std::vector<packet_flow>;

  /// Objects whose guest memory was seen to change without a word.
  [[nodiscard]] auto unsteady() const -> const std::set<object_number>& {
    return memory_.unsteady();
  }
  /// The same of the whole recording: when their memory is read counts from here on.
  void set_unsteady(const std::set<object_number>& all) { memory_.set_unsteady(all); }

  /// What the packet at `end` bytes, which fails, looks at: it changes nothing. Nothing where none
  /// begins.
  [[nodiscard]] auto trace_failed(const recorded_work& work, std::uint64_t end)
      -> std::optional<packet_flow>;

  /// How many things it remembers, some ten bytes each.
  [[nodiscard]] auto remembered() const -> std::size_t;

 private:
  using slot_name = std::pair<std::uint32_t, std::uint64_t>;  ///< Kind; stage and number.

  struct object {
    object_number content = 0;      ///< Itself, or what it views.
    std::uint32_t maker = 0;        ///< The context that made it.
    std::uint64_t size_bytes = 0;   ///< Of a buffer.
    bool is_plain_texture = false;  ///< One mip, one layer: a clear covers all of it.
    std::uint32_t width = 0;        ///< Of a texture, in pixels.
    std::uint32_t height = 0;
    std::uint32_t format = 0;  ///< aerogpu_format
    bool is_depth = false;
    bool has_stencil = false;
  };
  /// A handle in a slot.
  struct bound_name {
    handle_name name;
    std::optional<object_number> object;  ///< What it named when it was bound; else the host looks
                                          ///< for it when the slot is used.
  };
  struct bound_state {
    std::map<slot_name, std::vector<bound_name>> slots;
    bool may_scissor_clears = false;
    bool is_ending = false;  ///< With a submission that does not fail.
  };

  [[nodiscard]] static auto flow_of(const recorded_work& work, const raw_packet& packet)
      -> packet_flow;
  void trace_packet(const raw_packet& packet, packet_flow& flow, const brought_memory& brought);
  void trace_create(const raw_packet& packet, packet_flow& flow, const brought_memory& brought);
  void trace_binding(const raw_packet& packet, packet_flow& flow);
  void trace_draw(packet_flow& flow);
  void trace_clear(const raw_packet& packet, packet_flow& flow);
  void trace_transfer(const raw_packet& packet, packet_flow& flow, const brought_memory& brought);
  void trace_texture_copy(const raw_packet& packet, packet_flow& flow);
  void use_all_bound(packet_flow& flow);
  void end_if_asked(std::uint32_t context);
  [[nodiscard]] auto bind(const handle_name& name) const -> bound_name;
  static void stay_if_late(const bound_name& bound, packet_flow& flow);
  [[nodiscard]] auto told_in(const recorded_work& work, std::uint64_t end) const -> told_ranges;
  [[nodiscard]] auto find(handle_space space, std::uint32_t handle) const
      -> std::optional<object_number>;
  [[nodiscard]] auto find(const bound_name& bound) const -> std::optional<object_number> {
    return bound.object ? bound.object : find(bound.name.first, bound.name.second);
  }
  [[nodiscard]] auto live_of(const std::vector<handle_name>& names) const
      -> std::vector<object_number>;
  [[nodiscard]] auto content_of(object_number which) const -> object_number {
    return objects_[which].content;
  }

  untold_memory memory_;
  std::vector<object> objects_;
  std::map<handle_name, object_number> live_;
  std::map<std::uint64_t, object_number> shared_;  ///< By token.
  std::map<std::uint32_t, bound_state> contexts_;
};

}  // namespace aerogpu::tool
