#include "vulkan/engine.hpp"

#include "vulkan/debug_names.hpp"

#include <utility>

namespace aerogpu::vulkan {

engine::engine(const backend_options& chosen)
    : options(chosen),
      resources(device),
      shaders(device, chosen.fast_shader_math),
      samplers(device),
      dummies(device),
      pipeline_layouts_(device),
      pipelines(device, chosen.pipeline_cache_file),
      buffers(device, resources),
      textures(device, resources),
      draws({device, resources, shaders, samplers, dummies, pipeline_layouts_, pipelines},
            chosen.applies_fog),
      dispatches({device, resources, shaders, samplers, dummies, pipeline_layouts_, pipelines}) {}

engine::~engine() {
  if (device != nullptr) drop_device(false);
  close_stuck();
  // A device that is still at work cannot be closed.
  for (auto& stuck : stuck_) static_cast<void>(stuck.release());
}

auto engine::open() -> result<void> {
  if (auto opened = open_device(); !opened) return opened.why();
  return kick();
}

auto engine::open_device() -> result<void> {
  auto opened = gpu::create({.device = options.device,
                             .validate = options.validate,
                             .name_objects = options.name_objects});
  if (!opened) return opened.why();
  owned_ = std::make_unique<device_parts>(*std::move(opened), options);
  device = owned_.get();
  auto made = device->work.initialize();
  if (made) made = device->work.open();
  if (made) made = resources.initialize();
  if (made) made = dummies.initialize();
  if (made) made = pipelines.initialize();
  if (!made) {
    drop_device(false);
    return made.why();
  }
  completed_ = 0;
  if (options.on_progress) {
    auto watcher =
        completion_watcher::create(*device->gpu, device->work.timeline(), options.on_progress);
    if (!watcher) {
      drop_device(false);
      return watcher.why();
    }
    watcher_ = *std::move(watcher);
  }
  return {};
}

/// Every object goes to the garbage of the device, which outlives its work: a device that is stuck
/// keeps it until it comes back.
void engine::drop_device(bool is_stuck) {
  watcher_.reset();
  draws.abandon();
  has_region_ = false;
  earlier_validation_errors_ += device->gpu->messages.errors;
  earlier_passes_ += device->pass.count();
  flights_.clear();
  device->pass.forget();
  device->work.drop();
  pipelines.destroy_objects();
  pipeline_layouts_.destroy_objects();
  dummies.destroy_objects();
  samplers.destroy_objects();
  shaders.destroy_objects();
  resources.destroy_objects();
  if (is_stuck) stuck_.push_back(std::move(owned_));
  owned_.reset();
  device = nullptr;
}

/// Closes the devices that came to an end after they had been given up.
void engine::close_stuck() noexcept {
  std::erase_if(stuck_, [](const std::unique_ptr<device_parts>& each) {
    const auto completed = each->work.completed();
    return !completed || *completed >= each->work.submitted();
  });
}

auto engine::rebuild() -> result<void> {
  if (auto opened = open_device(); !opened) {
    return make_error(error_code::device_lost, "no device replaces the one that was lost",
                      static_cast<std::uint64_t>(opened.why().code));
  }
  auto made = resources.rebuild();
  if (made) made = shaders.rebuild();
  if (!made) {
    drop_device(false);
    return made.why();
  }
  return {};
}

void engine::lose(const error& why, bool is_stuck) {
  is_loss_untold_ = true;
  ++counters_.device_losses;
  for (pending_submission& submission : submissions_) {
    const bool is_done = submission.is_ended && submission.last_batch <= completed_;
    submission.first_batch = submission.last_batch = 0;  // Nothing of the next device.
    if (is_done) {
      for (pending_write_back& rows : submission.write_backs) rows.rows.keep();
      continue;
    }
    submission.why = why;
    submission.why.code = error_code::device_lost;
    submission.write_backs.clear();
  }
  drop_device(is_stuck);
}

auto engine::note(const error& why) -> const error& {
  if (why.code == error_code::device_lost) {
    if (device != nullptr) lose(why, false);
    is_loss_untold_ = false;
  }
  return why;
}

auto engine::note(result<void>&& done) -> result<void> {
  return done ? result<void>{} : result<void>{note(done.why())};
}

auto engine::ready() -> result<void> {
  if (std::exchange(is_loss_untold_, false) && live_objects() != 0) {
    return make_error(error_code::device_lost, "the device was lost, and all content with it");
  }
  if (device == nullptr) {
    if (auto made = rebuild(); !made) return made.why();
  }
  return note(device->work.open());
}

auto engine::ready_for_more() -> result<void> {
  if (auto made = ready(); !made) return made.why();
  batches& work = device->work;
  if (work.wants_wait()) {
    if (auto done = kick_and_wait(); !done) return done.why();
    work.destroy_retired(completed_);
  } else if (work.wants_submit()) {
    if (auto sent = kick(); !sent) return sent.why();
  }
  return note(work.open());
}

auto engine::kick() -> result<void> {
  if (device == nullptr || !device->work.is_open()) return {};
  device->pass.end(device->work.main());
  end_region();
  pipelines.forget(shaders.take_removed());
  const auto sent = device->work.submit();
  if (!sent) {
    error why = sent.why();
    why.code = error_code::device_lost;
    return note(why);
  }
  ++counters_.batches;
  kicked_draws_ = counters_.draws;
  const std::uint64_t batch = device->work.submitted();
  flights_.push_back({batch, now()});
  if (watcher_ != nullptr) watcher_->watch(batch);
  return {};
}

void engine::label(std::string_view packet) noexcept {
  if (device->gpu->debug.insert_label == nullptr) return;
  const auto id = submissions_.empty() ? submission_id{} : submissions_.back().id;
  insert_label(*device->gpu, device->work.main().commands(), packet, " ", ++labels_,
               " of submission ", id);
}

void engine::begin_region(std::string_view text) noexcept {
  if (device->gpu->debug.begin_label == nullptr) return;
  end_region();
  begin_label(*device->gpu, device->work.main().commands(), text);
  has_region_ = true;
}

void engine::end_region() noexcept {
  if (has_region_) end_label(*device->gpu, device->work.main().commands());
  has_region_ = false;
}

auto engine::flush(std::uint64_t draws) -> result<void> {
  return counters_.draws - kicked_draws_ >= draws ? kick() : result<void>{};
}

auto engine::timeout_ns() const noexcept -> std::uint64_t {
  return std::uint64_t{options.watchdog_ms} * 1'000'000;
}

auto engine::kick_and_wait() -> result<void> {
  if (auto sent = kick(); !sent) return sent.why();
  const std::uint64_t batch = device->work.submitted();
  auto waited = device->work.wait(batch, timeout_ns());
  if (!waited) {
    const error why = waited.why();
    if (why.code == error_code::device_lost) lose(why, why.limit != 0);
    return note(why);
  }
  completed_ = batch;
  return {};
}

auto engine::begin(const submission_info& info) -> result<void> {
  if (is_submission_open_) {
    return make_error(error_code::internal, "a submission is already open");
  }
  look();
  collect();
  if (auto opened = ready(); !opened) return opened.why();
  pending_submission begun;
  begun.id = info.id;
  begun.first_batch = device->work.current().number;
  submissions_.push_back(std::move(begun));
  is_submission_open_ = true;
  labels_ = 0;
  return {};
}

auto engine::end(submission_end end) -> result<void> {
  if (!is_submission_open_) return make_error(error_code::internal, "no submission is open");
  is_submission_open_ = false;
  ++counters_.submissions;
  pending_submission& submission = submissions_.back();
  submission.is_ended = true;
  if (end == submission_end::abort) submission.write_backs.clear();
  if (submission.why.code != error_code::none) {            // The device died on the way.
    if (end == submission_end::abort) submission.why = {};  // A call of it failed and said so.
    return {};
  }
  const bool is_empty = device->work.early().is_empty() && device->work.main().is_empty();
  if (is_empty) {
    submission.last_batch = device->work.submitted();
    return {};
  }
  submission.last_batch = device->work.current().number;
  auto sent = kick();
  if (!sent) submissions_.pop_back();  // Only the others are reported.
  return sent;
}

auto engine::add_write_back(const guest_rows& to, read_back_rows&& rows) -> result<void> {
  if (!is_submission_open_) return make_error(error_code::internal, "no submission is open");
  submissions_.back().write_backs.push_back({to, std::move(rows)});
  return {};
}

void engine::look() {
  close_stuck();
  if (device == nullptr) return;
  const auto value = device->work.completed();
  if (!value) {
    if (value.why().code == error_code::device_lost) lose(value.why(), false);
    return;
  }
  completed_ = *value;
  while (!flights_.empty() && flights_.front().batch <= completed_) flights_.pop_front();
  if (flights_.empty()) return;
  const auto age = now() - flights_.front().since;
  if (age > std::chrono::milliseconds{options.watchdog_ms}) {
    lose(make_error(error_code::device_lost, "the device takes longer than the watchdog allows",
                    options.watchdog_ms),
         true);
  }
}

auto engine::done() noexcept -> pending_submission* {
  if (submissions_.empty()) return nullptr;
  pending_submission& oldest = submissions_.front();
  if (!oldest.is_ended || oldest.last_batch > completed_) return nullptr;
  return &oldest;
}

void engine::forget_done() noexcept {
  submissions_.pop_front();
}

void engine::collect() noexcept {
  if (device == nullptr) return;
  std::uint64_t free = completed_;
  if (!submissions_.empty() && submissions_.front().first_batch != 0) {
    free = std::min(free, submissions_.front().first_batch - 1);
  }
  device->work.collect(free);
  device->work.destroy_retired(completed_);  // Whoever still waits for rows has them elsewhere.
}

void engine::wait_idle() {
  if (device == nullptr || is_submission_open_) return;
  const std::uint64_t batch = device->work.submitted();
  const auto waited = device->work.wait(batch, timeout_ns());
  if (!waited) return lose(waited.why(), waited.why().limit != 0);  // `poll` must report all.
  completed_ = batch;
  collect();
}

void engine::reset() {
  is_submission_open_ = false;
  submissions_.clear();
  static_cast<void>(kick());
  draws.forget_objects();
}

auto engine::counters() noexcept -> vulkan_counters& {
  counters_.pipelines = pipelines.made();
  counters_.shader_modules = shaders.modules_made();
  counters_.render_passes = earlier_passes_ + (device != nullptr ? device->pass.count() : 0);
  return counters_;
}

auto engine::live_objects() const noexcept -> std::uint64_t {
  return resources.live_objects() + shaders.live_objects() + samplers.live_objects() +
         layouts.live_objects();
}

auto engine::pending() const noexcept -> std::uint64_t {
  return submissions_.size() - (is_submission_open_ ? 1 : 0);
}

auto engine::validation_errors() const noexcept -> std::uint32_t {
  return earlier_validation_errors_ +
         (device != nullptr ? device->gpu->messages.errors.load() : 0u);
}

}  // namespace aerogpu::vulkan
