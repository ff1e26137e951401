// SPDX-License-Identifier: MIT
// Instantiates the templates of the freestanding tier for kernel_object.py.
#include "aerogpu/core/text.hpp"
#include "aerogpu/memory/memory_ref.hpp"
#include "aerogpu/ring/ring_consumer.hpp"
#include "aerogpu/ring/ring_producer.hpp"
#include "aerogpu/ring/submission_fetch.hpp"
#include "aerogpu/stream/dump.hpp"
#include "aerogpu/stream/generate.hpp"
#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/validate.hpp"
#include "aerogpu/stream/writer.hpp"

namespace aerogpu::kernel_templates {

/// Takes every packet type.
struct any_visitor {
  template <class P>
  auto on_packet(const packet<P>& packet) noexcept -> error_code {
    bytes += packet.payload().size();
    return error_code::none;
  }
  auto on_unknown(const raw_packet& packet) noexcept -> error_code {
    bytes += packet.size();
    return error_code::none;
  }
  std::size_t bytes = 0;
};

/// A driver's barrier and doorbell.
struct any_port {
  void full_barrier() noexcept { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
  void write_doorbell() noexcept { *doorbell = 1; }
  volatile std::uint32_t* doorbell;
};

struct any_storage {
  auto reserve(std::size_t size) noexcept -> mutable_bytes { return bytes.first(size); }
  mutable_bytes bytes;
};

/// One function for each packet type, so that each has a stack frame of its own.
template <wire_packet P>
auto write_one(stream_writer<span_sink>& to, const P& packet, const_bytes payload) -> error {
  return to.write(packet, payload).why();
}
template <wire_packet... P>
struct write_all {
  explicit write_all(packet_type_list<P...>) {}
  void (*functions[sizeof...(P)])() = {reinterpret_cast<void (*)()>(&write_one<P>)...};
};
[[gnu::used]] inline auto write_everything() {
  return write_all{packet_types{}};
}

[[gnu::used]] inline auto use_ring(ring_producer& ring, any_port& port, memory_ref memory,
                                   any_storage& storage) -> error {
  if (const auto pushed = ring.push({}, port); !pushed) return pushed.why();
  ring.notify(port);
  auto view = open_ring(memory, gpa{0x1000}, 4096);
  if (!view) return view.why();
  const auto entry = view->fetch();
  if (!entry) return entry.why();
  if (const auto table = fetch_alloc_table(memory, entry->desc, 4096, storage); !table) {
    return table.why();
  }
  if (const auto stream = fetch_commands(memory, entry->desc, 4096, storage); !stream) {
    return stream.why();
  }
  view->consume();
  return {};
}

[[gnu::used]] inline auto use_tools(const stream_view& stream, text_buffer& out,
                                    mutable_bytes bytes) -> error {
  any_visitor visitor;
  if (const error why = visit(stream, visitor); why.code != error_code::none) return why;
  const auto report = frame(stream);
  if (!report) return report.why;
  if (const error why = visit_framed(report.framed(), visitor); why.code != error_code::none) {
    return why;
  }
  (void)validate(stream, [&](const finding& f) { append_error(out, f.why); });
  seeded_random random{1};
  packet_generator generator{random};
  (void)generator.make_stream(bytes, 10);
  if (const error why = dump_json(out, stream); why.code != error_code::none) return why;
  return dump_text(out, stream);
}

}  // namespace aerogpu::kernel_templates

template class aerogpu::stream_writer<aerogpu::span_sink>;
