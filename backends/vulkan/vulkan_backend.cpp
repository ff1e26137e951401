// SPDX-License-Identifier: MIT
#include "vulkan/vulkan_backend.hpp"

#include "aerogpu/hosted/heap_pointer.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"
#include "vulkan/engine.hpp"
#include "vulkan/resources/transfer_strips.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// So many draws are worth handing to the device in the middle of a submission.
constexpr std::uint64_t flush_draws = 256;

auto check_contents(const image_record& image, subresource where, std::size_t size_bytes) noexcept
    -> result<void> {
  const bool fits =
      image.layout.contains(where) && size_bytes == image.layout.locate(where).size_bytes();
  if (fits) return {};
  return make_error(error_code::internal, "contents of another size than the subresource");
}

/// Staged memory lasts until the batch after its own is submitted. What goes in parts may need more
/// batches, so it goes from memory of the host's own.
auto outlast_batches(const engine& from, const_bytes& bytes, heap_array<std::byte>& kept) noexcept
    -> result<void> {
  if (!from.is_staged(bytes)) return {};
  if (!kept.resize_for_overwrite(bytes.size())) return no_memory_for_record();
  copy_bytes(kept.view(), bytes);
  bytes = kept.view();
  return {};
}

/// What reading a whole subresource takes of memory.
auto staged_bytes(const image_record& image, const texture_rows& rows) noexcept -> std::size_t {
  return std::max<std::size_t>(staged_row_bytes(image, rows) * rows.row_count, staging_alignment);
}

/// Records read-backs from the subresource `first` on: as many as fit one operation and the batch,
/// one at least.
auto read_back_several(device_objects& on, image_record& image, std::uint64_t first,
                       std::size_t most_bytes) -> result<heap_array<read_back_rows>> {
  heap_array<read_back_rows> several;
  std::size_t staged = 0;
  for (std::uint64_t i = first; i < image.layout.subresource_count(); ++i) {
    const texture_rows rows = rows_of(image.layout, image.layout.at_index(i));
    staged += staged_bytes(image, rows);
    if (i != first && (staged > most_bytes || on.device.work.wants_submit())) break;
    auto back = on.textures.read_back(image, rows);
    if (!back) return back.why();
    if (!several.push_back(*std::move(back))) return no_memory_for_record();
  }
  return several;
}

/// Reads what a copy brings without making it. The copy is made when that fails.
auto read_back_copy(engine& on, const image_copy& copied, const guest_rows& to) -> result<void> {
  bool is_read = false;
  auto done = on.record([&](device_objects& objects) -> result<void> {
    auto back = objects.textures.read_back_copy(*copied.to, *copied.from, copied.how);
    if (!back) return back.why();
    is_read = true;
    return on.add_write_back(to, *std::move(back));
  });
  if (is_read || on.device() == nullptr) return done;
  return on.record([&](device_objects& objects) -> result<void> {  // As anybody else does it.
    auto made = objects.textures.copy(*copied.to, *copied.from, copied.how);
    if (!made) return made.why();
    auto back =
        objects.textures.read_back(*copied.to, rows_of(copied.to->layout, copied.how.destination));
    if (!back) return back.why();
    return on.add_write_back(to, *std::move(back));
  });
}

}  // namespace

vulkan_backend::vulkan_backend(std::unique_ptr<engine> made) noexcept : engine_(std::move(made)) {}
vulkan_backend::~vulkan_backend() = default;

auto vulkan_backend::create(backend_options options) noexcept
    -> result<std::unique_ptr<vulkan_backend>> {
  if (const auto good = check_limits(options.bounds); !good) return good.why();
  const auto no_memory =
      make_error(error_code::out_of_memory, "the host has no memory for a Vulkan backend");
  auto made = make_heap<engine>(std::move(options));
  if (made == nullptr) return no_memory;
  if (auto opened = made->open(); !opened) return opened.why();
  std::unique_ptr<vulkan_backend> whole{new (std::nothrow) vulkan_backend{std::move(made)}};
  if (whole == nullptr) return no_memory;
  return whole;
}

// Objects

auto vulkan_backend::memory_bytes(const buffer_desc& desc) const noexcept -> std::uint64_t {
  return engine_->memory_bytes(desc);
}

auto vulkan_backend::memory_bytes(const texture_desc& desc) const noexcept -> std::uint64_t {
  return engine_->memory_bytes(desc);
}

auto vulkan_backend::create_buffer(const buffer_desc& desc) noexcept -> result<buffer> {
  const auto made = engine_->run(engine::need::room, [&](device_objects& on) {
    return engine_->records().resources.create(on.resources, desc);
  });
  if (!made) return made.why();
  return buffer{*made};
}

auto vulkan_backend::create_texture(const texture_desc& desc) noexcept -> result<texture> {
  const auto made = engine_->run(engine::need::room, [&](device_objects& on) {
    return engine_->records().resources.create(on.resources, desc);
  });
  if (!made) return made.why();
  return texture{*made};
}

auto vulkan_backend::create_texture_view(texture&, const texture_view_desc& desc) noexcept
    -> result<texture_view> {
  const auto made = engine_->records().resources.create(desc);
  if (!made) return made.why();
  return texture_view{*made};
}

auto vulkan_backend::create_shader(const shader_desc& desc) noexcept -> result<shader> {
  const auto made = engine_->run(engine::need::room, [&](device_objects& on) {
    return engine_->records().shaders.create(on.device, desc);
  });
  if (!made) return made.why();
  return shader{*made};
}

auto vulkan_backend::create_input_layout(const input_layout_desc& desc) noexcept
    -> result<input_layout> {
  const auto made = engine_->records().layouts.create(input_layout_desc{desc.name, {}},
                                                      has_transformed_position(desc.blob));
  if (!made) return made.why();
  return input_layout{*made};
}

auto vulkan_backend::create_sampler(const sampler_desc& desc) noexcept -> result<sampler> {
  const auto made = engine_->records().samplers.create(desc);
  if (!made) return made.why();
  return sampler{*made};
}

void vulkan_backend::destroy(buffer&& object) noexcept {
  engine_->destroy(object.record);
}
void vulkan_backend::destroy(texture&& object) noexcept {
  engine_->destroy(object.record);
}
void vulkan_backend::destroy(texture_view&& object) noexcept {
  engine_->destroy(object.record);
}
void vulkan_backend::destroy(shader&& object) noexcept {
  engine_->destroy(object.record);
}
void vulkan_backend::destroy(input_layout&& object) noexcept {
  engine_->destroy(object.record);
}
void vulkan_backend::destroy(sampler&& object) noexcept {
  engine_->destroy(object.record);
}

// Transfers

auto vulkan_backend::stage(std::size_t size) noexcept -> result<mutable_bytes> {
  return engine_->record([&](device_objects& on) -> result<mutable_bytes> {
    const auto staged = on.device.work.current().uploads.allocate(size, staging_alignment);
    if (!staged) return staged.why();
    engine_->note_staged(staged->bytes);
    return staged->bytes;
  });
}

auto vulkan_backend::upload_buffer(buffer& to, std::uint64_t offset_bytes,
                                   const_bytes bytes) noexcept -> result<void> {
  const std::size_t most = engine_->operation_bytes();
  heap_array<std::byte> kept;
  if (bytes.size() > most) {
    if (auto ready = outlast_batches(*engine_, bytes, kept); !ready) return ready;
  }
  for (std::size_t done = 0; done < bytes.size(); done += most) {
    const const_bytes part = bytes.subspan(done, std::min(most, bytes.size() - done));
    auto uploaded = engine_->record([&](device_objects& on) {
      return on.buffers.upload(*to.record, offset_bytes + done, part);
    });
    if (!uploaded) return uploaded;
  }
  return {};
}

auto vulkan_backend::upload_texture(texture& to, const texture_rows& rows,
                                    const_bytes bytes) noexcept -> result<void> {
  if (auto ready = engine_->make_ready(engine::need::room); !ready) return ready.why();
  image_record& image = *to.record;
  heap_array<std::byte> kept;
  const auto upload = [&](const texture_rows& strip) -> result<void> {
    if (strip.row_count != rows.row_count && kept.empty()) {
      if (auto ready = outlast_batches(*engine_, bytes, kept); !ready) return ready;
    }
    const auto first =
        static_cast<std::size_t>((strip.first_row - rows.first_row) * rows.source_pitch_bytes);
    return engine_->record(
        [&](device_objects& on) { return on.textures.upload(image, strip, bytes.subspan(first)); });
  };
  return for_each_strip(image, rows, engine_->operation_bytes(), upload);
}

auto vulkan_backend::copy_buffer(buffer& to, std::uint64_t to_offset_bytes, buffer& from,
                                 std::uint64_t from_offset_bytes, std::uint64_t size_bytes) noexcept
    -> result<void> {
  return engine_->record([&](device_objects& on) {
    return on.buffers.copy(*to.record, to_offset_bytes, *from.record, from_offset_bytes,
                           size_bytes);
  });
}

auto vulkan_backend::copy_texture(texture& to, texture& from, const texture_copy& copy) noexcept
    -> result<void> {
  if (auto ready = engine_->make_ready(engine::need::room); !ready) return ready.why();
  image_record& image = *to.record;
  if (texture_transfer::can_put_off(image, *from.record, copy)) {
    return engine_->run(engine::need::room, [&](device_objects& on) -> result<void> {
      on.copy.put_off({&image, from.record, copy});
      return {};
    });
  }
  const auto make = [&](const texture_copy& part) {
    return engine_->record(
        [&](device_objects& on) { return on.textures.copy(image, *from.record, part); });
  };
  const bool is_staged = to.record == from.record || image.format->path == texel_path::rgba_blocks;
  return is_staged ? for_each_strip(image, copy, engine_->operation_bytes(), make) : make(copy);
}

auto vulkan_backend::read_back_buffer(buffer& from, std::uint64_t offset_bytes,
                                      const guest_rows& to) noexcept -> result<void> {
  return engine_->record([&](device_objects& on) -> result<void> {
    const std::uint64_t size = to.row_size_bytes * to.row_count;
    const auto bytes = on.buffers.read_back(*from.record, offset_bytes, size);
    if (!bytes) return bytes.why();
    read_back_rows rows;
    rows.texels = *bytes;
    rows.size_bytes = bytes->size();
    return engine_->add_write_back(to, std::move(rows));
  });
}

auto vulkan_backend::read_back_texture(texture& from, const texture_rows& rows,
                                       const guest_rows& to) noexcept -> result<void> {
  if (const auto copied = engine_->take_copy(*from.record, rows)) {
    return read_back_copy(*engine_, *copied, to);
  }
  return engine_->record([&](device_objects& on) -> result<void> {
    auto back = on.textures.read_back(*from.record, rows);
    if (!back) return back.why();
    return engine_->add_write_back(to, *std::move(back));
  });
}

// Commands

auto vulkan_backend::clear(const clear_call<vulkan_backend>& call) noexcept -> result<void> {
  ++engine_->counters().clears;
  return engine_->record([&](device_objects& on) {
    engine_->label("CLEAR");
    return on.draws.clear(call);
  });
}

auto vulkan_backend::draw(const draw_call<vulkan_backend>& call) noexcept -> result<void> {
  ++engine_->counters().draws;
  draw_rest left{drawn_count(call), call.instance_count};
  return engine_->record_pieces(left, [&](device_objects& on) {
    engine_->label(call.is_indexed ? "DRAW_INDEXED" : "DRAW");
    return on.draws.draw(call, left);
  });
}

auto vulkan_backend::dispatch(const dispatch_call<vulkan_backend>& call) noexcept -> result<void> {
  ++engine_->counters().dispatches;
  dispatch_rest left{{call.x, call.y, call.z}};
  return engine_->record_pieces(
      left, [&](device_objects& on) { return on.dispatches.dispatch(call, left); });
}

auto vulkan_backend::present(const present_call<vulkan_backend>&) noexcept -> result<void> {
  return engine_->run(engine::need::batch, [&](device_objects&) {
    ++engine_->counters().presents;
    engine_->label("PRESENT");
    return engine_->flush(flush_draws);
  });
}

auto vulkan_backend::flush() noexcept -> result<void> {
  return engine_->run(engine::need::batch,
                      [&](device_objects&) { return engine_->flush(flush_draws); });
}

void vulkan_backend::annotate(std::string_view text) noexcept {
  engine_->begin_region(text);
}

// Submissions

auto vulkan_backend::begin_submission(const submission_info& info) noexcept -> result<void> {
  return engine_->begin(info);
}
auto vulkan_backend::end_submission(submission_end end) noexcept -> result<void> {
  return engine_->end(end);
}
void vulkan_backend::wait_idle() noexcept {
  engine_->wait_idle();
}
void vulkan_backend::reset() noexcept {
  engine_->reset();
}

void vulkan_backend::finish_what_is_done() noexcept {
  engine_->poll();
}

auto vulkan_backend::next_done() noexcept -> const done_submission* {
  const pending_submission* const oldest = engine_->done();
  if (oldest == nullptr) return nullptr;
  done_ = {oldest->id, oldest->write_backs.size(), oldest->why};
  return &done_;
}

auto vulkan_backend::write_back(std::size_t index) noexcept -> done_write_back {
  pending_write_back& rows = engine_->done()->write_backs[index];
  return {rows.to, rows.rows.wire()};
}

void vulkan_backend::forget_done() noexcept {
  engine_->forget_done();
}

// Contents

auto vulkan_backend::read_buffer(buffer& from, std::uint64_t offset_bytes,
                                 mutable_bytes out) noexcept -> result<void> {
  const std::size_t most = engine_->operation_bytes();
  for (std::size_t done = 0; done < out.size(); done += most) {
    const mutable_bytes part = out.subspan(done, std::min(most, out.size() - done));
    auto read = engine_->read_now(
        [&](device_objects& on) {
          return on.buffers.read_back(*from.record, offset_bytes + done, part.size());
        },
        [&](mutable_bytes& bytes) { copy_bytes(part, bytes); });
    if (!read) return read;
  }
  return {};
}

auto vulkan_backend::write_buffer(buffer& to, std::uint64_t offset_bytes, const_bytes in) noexcept
    -> result<void> {
  return upload_buffer(to, offset_bytes, in);
}

auto vulkan_backend::read_texture(texture& from, subresource where, mutable_bytes out) noexcept
    -> result<void> {
  image_record& image = *from.record;
  if (auto ok = check_contents(image, where, out.size()); !ok) return ok.why();
  if (auto ready = engine_->make_ready(engine::need::room); !ready) return ready.why();
  const texture_rows rows = rows_of(image.layout, where);
  return for_each_strip(image, rows, engine_->operation_bytes(), [&](const texture_rows& strip) {
    const mutable_bytes part = out.subspan(std::size_t{strip.first_row} * strip.row_size_bytes,
                                           std::size_t{strip.row_count} * strip.row_size_bytes);
    return engine_->read_now(
        [&](device_objects& on) { return on.textures.read_back(image, strip); },
        [&](read_back_rows& back) { copy_bytes(part, back.wire()); });
  });
}

auto vulkan_backend::read_whole_texture(texture& from, mutable_bytes out) noexcept -> result<void> {
  image_record& image = *from.record;
  if (out.size() != image.layout.total_bytes()) {
    return make_error(error_code::internal, "contents of another size than the texture");
  }
  if (auto ready = engine_->make_ready(engine::need::room); !ready) return ready.why();
  const std::size_t most = engine_->operation_bytes();
  for (std::uint64_t next = 0; next < image.layout.subresource_count();) {
    const subresource where = image.layout.at_index(next);
    const texture_rows rows = rows_of(image.layout, where);
    if (staged_bytes(image, rows) > most) {
      const auto size = static_cast<std::size_t>(image.layout.locate(where).size_bytes());
      if (auto read = read_texture(from, where, out.first(size)); !read) return read;
      out = out.subspan(size);
      ++next;
      continue;
    }
    auto read = engine_->read_now(
        [&](device_objects& on) { return read_back_several(on, image, next, most); },
        [&](heap_array<read_back_rows>& several) {
          for (read_back_rows& back : several) {
            copy_bytes(out.first(back.size_bytes), back.wire());
            out = out.subspan(back.size_bytes);
          }
          next += several.size();
        });
    if (!read) return read;
  }
  return {};
}

auto vulkan_backend::write_texture(texture& to, subresource where, const_bytes in) noexcept
    -> result<void> {
  image_record& image = *to.record;
  if (auto ok = check_contents(image, where, in.size()); !ok) return ok.why();
  return upload_texture(to, rows_of(image.layout, where), in);
}

// What a test or an embedder may ask

auto vulkan_backend::counters() const noexcept -> const vulkan_counters& {
  return engine_->counters();
}
auto vulkan_backend::live_objects() const noexcept -> std::uint64_t {
  return engine_->live_objects();
}
auto vulkan_backend::pending_submissions() const noexcept -> std::uint64_t {
  return engine_->pending();
}
auto vulkan_backend::validation_errors() const noexcept -> std::uint32_t {
  return engine_->validation_errors();
}
auto vulkan_backend::device_name() const noexcept -> std::string_view {
  return engine_->device() != nullptr ? engine_->device()->gpu->properties.deviceName : "no device";
}

static_assert(backend<vulkan_backend> && annotated_backend<vulkan_backend> &&
              whole_texture_backend<vulkan_backend>);

}  // namespace aerogpu::vulkan
