// SPDX-License-Identifier: MIT
#include "vulkan/engine.hpp"

#include "aerogpu/hosted/heap_pointer.hpp"
#include "common/system_random.hpp"
#include "vulkan/memory/memory_headroom.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// Large enough that most uploads are one copy.
constexpr std::uint64_t largest_operation_bytes = 32u << 20;

auto with_seed(backend_options&& options) noexcept -> backend_options {
  if (options.hash_seed == 0) options.hash_seed = random_seed();
  return std::move(options);
}

}  // namespace

engine::engine(backend_options&& chosen) noexcept
    : options_(with_seed(std::move(chosen))), records_(options_), slow_(options_) {}

engine::~engine() {
  if (device_ != nullptr) drop_device(!comes_to_an_end());
}

auto engine::open() -> result<void> {
  if (auto opened = open_device(); !opened) return opened.why();
  return submit();
}

auto engine::open_device() -> result<void> {
  if (!has_memory_left(options_.bounds.driver_headroom_bytes)) {
    return make_error(error_code::out_of_memory,
                      "the process has too little memory left for a device", 0,
                      options_.bounds.driver_headroom_bytes);
  }
  auto opened = gpu::create({.device = options_.device,
                             .validate = options_.validate,
                             .name_objects = options_.name_objects,
                             .allow_unsafe_device = options_.allow_unsafe_device});
  if (!opened) return opened.why();
  device_ = make_heap<device_parts>(*std::move(opened), options_);
  if (device_ == nullptr) return no_memory_for_record();
  device_->memory.set_reserved_elsewhere(abandoned_.reserved_bytes());
  objects_ = make_heap<device_objects>(*device_, records_.shaders, slow_, options_);
  auto made = objects_ != nullptr ? set_up_device() : no_memory_for_record();
  if (!made) drop_device(false);
  return made;
}

auto engine::set_up_device() -> result<void> {
  if (!flights_.reserve()) return no_memory_for_record();
  if (auto made = device_->work.initialize(); !made) return made;
  if (auto made = device_->work.open(); !made) return made;
  if (auto made = objects_->initialize(); !made) return made;
  if (!options_.on_progress) return {};
  auto watcher =
      completion_watcher::create(*device_->gpu, device_->work.timeline(), options_.on_progress);
  if (!watcher) return watcher.why();
  watcher_ = *std::move(watcher);
  return {};
}

/// Every object goes to the garbage of the device, which outlives its work: a device that is stuck
/// keeps it until it comes back.
void engine::drop_device(bool is_stuck) {
  watcher_.reset();
  labels_.forget_region();
  earlier_ = counts_of_devices();
  flights_.clear();
  device_->pass.forget();
  device_->work.drop();
  records_.shaders.drop_modules();
  if (objects_ != nullptr) {
    records_.resources.drop_objects(objects_->resources);
    objects_.reset();
  }
  if (is_stuck) abandoned_.add(std::move(device_));
  device_.reset();
}

/// Whether the device's work ends, well or badly, within the watchdog's time. A wait that fails for
/// want of memory says nothing of the device.
auto engine::comes_to_an_end() noexcept -> bool {
  const auto waited = device_->work.wait(device_->work.submitted(), timeout_ns());
  return waited || (waited.why().code == error_code::device_lost && waited.why().limit == 0);
}

auto engine::rebuild() -> result<void> {
  abandoned_.close_finished();
  if (abandoned_.count() >= options_.bounds.abandoned_devices) {
    return make_error(error_code::device_lost,
                      "3D is off: as many devices as may be given up stand still",
                      abandoned_.count(), options_.bounds.abandoned_devices);
  }
  if (auto opened = open_device(); !opened) {
    return make_error(error_code::device_lost, "no device replaces the one that was lost",
                      static_cast<std::uint64_t>(opened.why().code));
  }
  auto made = records_.resources.rebuild(objects_->resources);
  if (made) made = records_.shaders.rebuild(*device_);
  if (!made) {
    drop_device(false);
    return made.why();
  }
  return {};
}

void engine::lose(const error& why, bool is_stuck) {
  is_loss_untold_ = true;
  ++counters_.device_losses;
  submissions_.lose_device(why, flights_.completed());
  drop_device(is_stuck || device_->is_compiling() || !comes_to_an_end());
}

auto engine::note(const error& why) -> const error& {
  if (why.code == error_code::device_lost) {
    if (device_ != nullptr) lose(why, false);
    is_loss_untold_ = false;
  }
  return why;
}

auto engine::note(result<void>&& done) -> result<void> {
  return done ? result<void>{} : result<void>{note(done.why())};
}

auto engine::memory_bytes(const buffer_desc& desc) const noexcept -> std::uint64_t {
  return objects_ != nullptr ? objects_->resources.memory_bytes(desc) : desc.size_bytes;
}

auto engine::memory_bytes(const texture_desc& desc) const noexcept -> std::uint64_t {
  if (objects_ != nullptr) return objects_->resources.memory_bytes(desc);
  const auto layout = tight_layout(desc);
  return layout ? layout->total_bytes() : UINT64_MAX;
}

void engine::destroy(buffer_record* buffer) noexcept {
  forget_draws();
  if (objects_ != nullptr) objects_->resources.destroy(*buffer);
  records_.resources.destroy(buffer);
}
void engine::destroy(image_record* image) noexcept {
  if (objects_ != nullptr) objects_->copy.forget(*image);
  forget_draws();
  if (objects_ != nullptr) objects_->resources.destroy(*image);
  records_.resources.destroy(image);
}
void engine::destroy(view_record* view) noexcept {
  forget_draws();
  records_.resources.destroy(view);
}
void engine::destroy(shader_record* shader) noexcept {
  forget_draws();
  records_.shaders.destroy(shader);
}
void engine::destroy(layout_record* layout) noexcept {
  forget_draws();
  records_.layouts.destroy(layout);
}
void engine::destroy(sampler_record* sampler) noexcept {
  forget_draws();
  records_.samplers.destroy(sampler);
}

/// Addresses of objects may mean others than at the last draw.
void engine::forget_draws() noexcept {
  if (objects_ != nullptr) objects_->draws.forget_objects();
}

/// For room it submits a batch that is full, and waits for the device when that holds too much.
auto engine::make_ready(need what) -> result<void> {
  if (objects_ != nullptr) objects_->copy.make();
  if (std::exchange(is_loss_untold_, false) && live_objects() != 0) {
    return make_error(error_code::device_lost, "the device was lost, and all content with it");
  }
  if (device_ == nullptr) {
    if (auto made = rebuild(); !made) return made.why();
  }
  if (const std::uint64_t compiled = compilations(); compiled != seen_compilations_) {
    seen_compilations_ = compiled;
    if (auto in_time = check_time(); !in_time) return in_time;
  }
  if (auto opened = open_batch(); !opened || what == need::batch) return opened;
  if (device_->work.wants_wait()) {
    if (auto done = submit_and_wait(); !done) return done.why();
    device_->work.destroy_retired(flights_.completed());
  } else if (device_->work.wants_submit()) {
    if (auto sent = submit(); !sent) return sent.why();
  }
  return open_batch();
}

/// What can take long within one batch.
auto engine::compilations() const noexcept -> std::uint64_t {
  return objects_->pipelines.made() + records_.shaders.translations();
}

/// A submission runs to its end, and the embedder's thread with it. Each batch is bounded, and
/// their number here.
auto engine::check_time() const -> result<void> {
  const std::chrono::milliseconds most{options_.bounds.submission_ms};
  if (!submissions_.is_open() || now_() - submissions_.open_since() <= most) return {};
  return make_error(error_code::out_of_memory, "a submission takes longer than the host allows",
                    options_.bounds.submission_ms, options_.bounds.submission_ms);
}

/// Opens a batch unless one is open, once the device has room for it.
auto engine::open_batch() -> result<void> {
  if (auto room = device_->work.reserve_garbage(); !room) return room.why();
  if (device_->work.is_open()) return {};
  if (auto in_time = check_time(); !in_time) return in_time;
  if (!flights_.reserve()) return no_memory_for_record();
  while (const std::uint64_t batch = device_->work.batch_in_the_way()) {
    if (auto waited = wait_for(batch); !waited) return waited.why();
    collect();
  }
  return note(device_->work.open());
}

auto engine::renew_batch() -> result<void> {
  if (auto sent = submit(); !sent) return sent.why();
  return open_batch();
}

auto engine::submit() -> result<void> {
  if (device_ == nullptr || !device_->work.is_open()) return {};
  device_->pass.end(device_->work.main());
  labels_.end_region(*device_->gpu, device_->work.main().commands());
  const auto sent = device_->work.submit();
  if (!sent) {
    error why = sent.why();
    why.code = error_code::device_lost;
    return note(why);
  }
  ++counters_.batches;
  submitted_draws_ = counters_.draws;
  const std::uint64_t batch = device_->work.submitted();
  flights_.note_submitted(batch, now_());  // There is room since the batch was opened.
  if (watcher_ != nullptr) watcher_->watch(batch);
  return {};
}

void engine::label(std::string_view packet) noexcept {
  labels_.mark_packet(*device_->gpu, device_->work.main().commands(), packet);
}

void engine::begin_region(std::string_view text) noexcept {
  if (const auto ready = make_ready(need::batch); !ready) {
    is_loss_untold_ |= ready.why().code == error_code::device_lost;
    return;
  }
  labels_.begin_region(*device_->gpu, device_->work.main().commands(), text);
}

auto engine::flush(std::uint64_t draws) -> result<void> {
  return counters_.draws - submitted_draws_ >= draws ? submit() : result<void>{};
}

auto engine::timeout_ns() const noexcept -> std::uint64_t {
  return std::uint64_t{options_.watchdog_ms} * 1'000'000;
}

auto engine::submit_and_wait() -> result<void> {
  if (auto sent = submit(); !sent) return sent.why();
  return wait_for(device_->work.submitted());
}

auto engine::wait_for(std::uint64_t batch) -> result<void> {
  const auto waited = device_->work.wait(batch, timeout_ns());
  if (!waited) {
    const error why = waited.why();
    if (why.code == error_code::device_lost) lose(why, why.limit != 0);
    return note(why);
  }
  flights_.note_completed(batch);
  return {};
}

auto engine::begin(const submission_info& info) -> result<void> {
  if (submissions_.is_open()) {
    return make_error(error_code::internal, "a submission is already open");
  }
  poll();
  collect();
  return run(need::batch, [&](device_objects& on) -> result<void> {
    labels_.begin_submission(info.id);
    return submissions_.open(info.id, on.device.work.current().number, now_());
  });
}

auto engine::end(submission_end end) -> result<void> {
  if (!submissions_.is_open()) return make_error(error_code::internal, "no submission is open");
  ++counters_.submissions;
  if (submissions_.is_open_one_lost()) {  // There may be no device.
    submissions_.close(end, 0);
    return {};
  }
  objects_->copy.make();
  // None is open when the last one was submitted and another was refused.
  batches& work = device_->work;
  if (!work.is_open() || (work.early().is_empty() && work.main().is_empty())) {
    submissions_.close(end, work.submitted());
    return {};
  }
  submissions_.close(end, work.current().number);
  auto sent = submit();
  if (!sent) submissions_.drop_newest();  // Only the others are reported.
  return sent;
}

auto engine::add_write_back(const guest_rows& to, read_back_rows&& rows) -> result<void> {
  return submissions_.add_write_back(to, std::move(rows), device_->work.read_backs().used_bytes(),
                                     options_.bounds.read_back_bytes);
}

auto engine::is_staged(const_bytes bytes) const noexcept -> bool {
  const std::less_equal<const std::byte*> is_not_after;
  return !bytes.empty() && is_not_after(staged_.data(), bytes.data()) &&
         is_not_after(bytes.data() + bytes.size(), staged_.data() + staged_.size());
}

auto engine::operation_bytes() const noexcept -> std::size_t {
  const backend_limits& bounds = options_.bounds;
  // Half of a batch, because an operation may need its bytes twice.
  return static_cast<std::size_t>(std::min(
      {largest_operation_bytes, bounds.staging_bytes_per_batch / 2, bounds.staging_bytes / 4}));
}

/// Rows for the guest outlive their batch: what is read for the host gets another one.
auto engine::submit_read_backs() -> result<void> {
  if (device_->work.current().read_backs.is_empty()) return {};
  return renew_batch();
}

void engine::poll() {
  abandoned_.close_finished();
  if (device_ == nullptr) return;
  device_->memory.set_reserved_elsewhere(abandoned_.reserved_bytes());
  const auto value = device_->work.completed();
  if (!value) {
    if (value.why().code == error_code::device_lost) lose(value.why(), false);
    return;
  }
  flights_.note_completed(*value);
  if (!flights_.is_busy()) return;
  const auto age = now_() - flights_.busy_since();
  if (age > std::chrono::milliseconds{options_.watchdog_ms}) {
    lose(make_error(error_code::device_lost, "the device takes longer than the watchdog allows",
                    options_.watchdog_ms),
         true);
  }
}

/// Takes back what the device is done with. Within a submission the batch that was submitted last
/// may hold what an upload is about to read.
void engine::collect() noexcept {
  if (device_ == nullptr) return;
  const std::uint64_t completed = flights_.completed();
  std::uint64_t done = completed;
  if (submissions_.is_open()) done = std::min(done, device_->work.submitted() - 1);
  device_->work.collect(done, submissions_.reported(completed));
  device_->work.destroy_retired(completed);
}

void engine::wait_idle() {
  if (device_ == nullptr || submissions_.is_open()) return;
  const std::uint64_t batch = device_->work.submitted();
  const auto waited = device_->work.wait(batch, timeout_ns());
  if (!waited) return lose(waited.why(), waited.why().limit != 0);  // `poll` must report all.
  flights_.note_completed(batch);
  collect();
}

void engine::reset() {
  submissions_.clear();
  if (objects_ != nullptr) objects_->copy.drop();
  static_cast<void>(submit());
  forget_draws();
}

auto engine::counters() noexcept -> vulkan_counters& {
  const device_counts all = counts_of_devices();
  counters_.pipelines = all.pipelines;
  counters_.shader_modules = records_.shaders.modules_made();
  counters_.render_passes = all.render_passes;
  return counters_;
}

auto engine::counts_of_devices() const noexcept -> device_counts {
  device_counts all = earlier_;
  if (device_ != nullptr) {
    all.validation_errors += device_->gpu->messages.errors.load();
    all.render_passes += device_->pass.count();
  }
  if (objects_ != nullptr) all.pipelines += objects_->pipelines.made();
  return all;
}

auto engine::live_objects() const noexcept -> std::uint64_t {
  return records_.live_objects();
}

auto engine::validation_errors() const noexcept -> std::uint32_t {
  return counts_of_devices().validation_errors;
}

}  // namespace aerogpu::vulkan
