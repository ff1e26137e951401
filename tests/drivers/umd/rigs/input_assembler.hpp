// SPDX-License-Identifier: MIT
/// \file The vertices that draws fetched: buffers, bindings and draws of everything submitted,
/// followed packet by packet without the driver or the processor.
#pragma once

#include "tests/drivers/umd/rigs/state_rig.hpp"

#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace aerogpu::umd::test {

struct fetched_draw {
  std::uint32_t topology = 0;
  bool is_indexed = false;
  std::vector<byte_vector> vertices;  ///< In the order in which they are drawn.
};

class input_assembler {
 public:
  struct stream_bytes {
    std::uint32_t stream;
    std::size_t bytes;  ///< Of a vertex, that a test asks for.
  };

  /// Submits what is recorded, then follows everything since the rig began.
  input_assembler(device_rig& rig, std::vector<stream_bytes> read) : read_(std::move(read)) {
    CHECK(rig.device.commands.submit() == S_OK);
    for (const seen_submission& each : rig.runtime.submissions()) {
      const auto parsed = parse_stream_header(each.stream);
      REQUIRE(parsed);
      for (packet_cursor at{*parsed}; at.next();) follow(at.packet().bytes());
    }
  }

  [[nodiscard]] auto draws() const -> const std::vector<fetched_draw>& { return draws_; }
  /// What is bound at the end.
  [[nodiscard]] auto stream(std::size_t i) const -> aerogpu_vertex_buffer_binding {
    return streams_[i];
  }
  [[nodiscard]] auto indices() const -> aerogpu_cmd_set_index_buffer { return indices_; }

 private:
  template <class Packet, class Visit>
  void on(const_bytes packet, Visit&& visit) {
    const auto opcode = load<aerogpu_cmd_hdr>(packet.data()).opcode;
    if (opcode != packet_traits<Packet>::opcode) return;
    visit(load<Packet>(packet.data()), packet.subspan(sizeof(Packet)));
  }

  void follow(const_bytes packet) {
    on<aerogpu_cmd_create_buffer>(packet, [this](const auto& p, const_bytes) {
      buffers_[p.buffer_handle].resize(static_cast<std::size_t>(p.size_bytes));
    });
    on<aerogpu_cmd_upload_resource>(packet, [this](const auto& p, const_bytes payload) {
      const auto found = buffers_.find(p.resource_handle);
      if (found == buffers_.end()) return;
      const const_bytes bytes = payload.first(static_cast<std::size_t>(p.size_bytes));
      std::copy(bytes.begin(), bytes.end(),
                found->second.begin() + static_cast<std::ptrdiff_t>(p.offset_bytes));
    });
    on<aerogpu_cmd_set_vertex_buffers>(packet, [this](const auto& p, const_bytes payload) {
      for (std::uint32_t i = 0; i < p.buffer_count; ++i) {
        streams_[p.start_slot + i] =
            load<aerogpu_vertex_buffer_binding>(payload.data() + i * sizeof streams_[0]);
      }
    });
    on<aerogpu_cmd_set_index_buffer>(packet, [this](const auto& p, const_bytes) { indices_ = p; });
    on<aerogpu_cmd_set_primitive_topology>(
        packet, [this](const auto& p, const_bytes) { topology_ = p.topology; });
    on<aerogpu_cmd_draw>(packet, [this](const auto& p, const_bytes) {
      fetched_draw made{topology_, false, {}};
      for (std::uint32_t i = 0; i < p.vertex_count; ++i) {
        made.vertices.push_back(fetch(std::int64_t{p.first_vertex} + i));
      }
      draws_.push_back(std::move(made));
    });
    on<aerogpu_cmd_draw_indexed>(packet, [this](const auto& p, const_bytes) {
      fetched_draw made{topology_, true, {}};
      for (std::uint32_t i = 0; i < p.index_count; ++i) {
        made.vertices.push_back(fetch(std::int64_t{p.base_vertex} + index(p.first_index + i)));
      }
      draws_.push_back(std::move(made));
    });
  }

  [[nodiscard]] auto index(std::uint32_t number) -> std::uint32_t {
    const bool is_wide = indices_.format == AEROGPU_INDEX_FORMAT_UINT32;
    const byte_vector& from = buffers_[indices_.buffer];
    const std::size_t at = indices_.offset_bytes + std::size_t{number} * (is_wide ? 4 : 2);
    REQUIRE(at + (is_wide ? 4 : 2) <= from.size());
    return is_wide ? load<std::uint32_t>(from.data() + at) : load<std::uint16_t>(from.data() + at);
  }

  [[nodiscard]] auto fetch(std::int64_t number) -> byte_vector {
    byte_vector vertex;
    REQUIRE(number >= 0);
    for (const stream_bytes& each : read_) {
      const auto& bound = streams_[each.stream];
      const byte_vector& from = buffers_[bound.buffer];
      const auto at = bound.offset_bytes + static_cast<std::size_t>(number) * bound.stride_bytes;
      REQUIRE(at + each.bytes <= from.size());
      const auto first = from.begin() + static_cast<std::ptrdiff_t>(at);
      vertex.insert(vertex.end(), first, first + static_cast<std::ptrdiff_t>(each.bytes));
    }
    return vertex;
  }

  std::vector<stream_bytes> read_;
  std::map<std::uint32_t, byte_vector> buffers_;
  std::array<aerogpu_vertex_buffer_binding, 16> streams_{};
  aerogpu_cmd_set_index_buffer indices_{};
  std::uint32_t topology_ = 0;
  std::vector<fetched_draw> draws_;
};

}  // namespace aerogpu::umd::test
