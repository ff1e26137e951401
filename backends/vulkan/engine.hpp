// SPDX-License-Identifier: MIT
/// \file The backend's parts put together: the device with its objects, the guest's records,
/// submissions, and what happens when the device is lost.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "vulkan/backend_options.hpp"
#include "vulkan/commands/capture_labels.hpp"
#include "vulkan/commands/completion_watcher.hpp"
#include "vulkan/commands/flight_log.hpp"
#include "vulkan/commands/submission_queue.hpp"
#include "vulkan/device/abandoned_devices.hpp"
#include "vulkan/device_objects.hpp"
#include "vulkan/device_parts.hpp"
#include "vulkan/guest_records.hpp"
#include "vulkan/pipeline/slow_shaders.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace aerogpu::vulkan {

class engine {
 public:
  explicit engine(backend_options&& chosen) noexcept;
  ~engine();
  engine(const engine&) = delete;
  auto operator=(const engine&) -> engine& = delete;

  /// Errors: those of gpu::create; out_of_memory.
  [[nodiscard]] auto open() -> result<void>;

  /// What an operation on the device's objects returns.
  template <class Operation>
  using outcome = std::invoke_result_t<Operation&, device_objects&>;
  /// What an operation needs before it runs. A lost device is replaced for it, once the caller was
  /// told.
  enum class need : std::uint8_t {
    batch,  ///< A device and an open batch.
    room,   ///< The same, and a device that may hold more. What was staged last stays valid.
  };
  /// For itself before what looks at an image: how it is stored is the device's choice.
  [[nodiscard]] auto make_ready(need what) -> result<void>;
  /// Makes sure of what an operation needs, runs it on the objects of the device, hands on what it
  /// returns, and takes note when the device is lost. Errors: out_of_memory, device_lost, and those
  /// of the operation.
  template <class Operation>
  [[nodiscard]] auto run(need what, Operation&& operation) -> outcome<Operation> {
    if (auto ready = make_ready(what); !ready) return ready.why();
    auto done = operation(*objects_);
    if (done) return value_of(done);
    return note(done.why());
  }
  /// The same for one that records into the open batch. One that finds too little staging memory
  /// left runs again in a batch of its own: nothing that it did until then may matter.
  template <class Operation>
  [[nodiscard]] auto record(Operation&& operation) -> outcome<Operation> {
    return run(need::room, [&](device_objects& on) -> outcome<Operation> {
      {
        auto done = operation(on);
        if (done) return value_of(done);
        if (!on.device.work.is_out_of_staging()) return done.why();
      }
      if (auto opened = renew_batch(); !opened) return opened.why();
      return operation(on);
    });
  }
  /// The same for one that records a piece of what is left, until nothing is. Errors: as above;
  /// unsupported when the device does not get through it in the watchdog's time. What was recorded
  /// until then is done.
  template <class Rest, class Operation>
  [[nodiscard]] auto record_pieces(const Rest& left, Operation&& operation) -> result<void> {
    if (auto recorded = record(operation); !recorded || left.is_done()) return recorded;
    for (const auto begun = now_();
         now_() - begun <= std::chrono::milliseconds{options_.watchdog_ms};) {
      if (auto recorded = record(operation); !recorded || left.is_done()) return recorded;
    }
    return make_error(error_code::unsupported,
                      "a draw or dispatch takes longer than the watchdog allows",
                      options_.watchdog_ms, options_.watchdog_ms);
  }
  /// Hands on what a command returned, and takes note when the device is lost. The caller hands it
  /// on to the processor, which then knows of the loss.
  [[nodiscard]] auto note(result<void>&& done) -> result<void>;
  auto note(const error& why) -> const error&;
  /// Submits what is recorded. What cannot be submitted leaves images in other layouts than their
  /// records say, so that nothing of the device holds: the error is always device_lost.
  [[nodiscard]] auto submit() -> result<void>;
  /// The same, and waits for it. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto submit_and_wait() -> result<void>;

  /// What was staged last, which lies in a batch.
  void note_staged(const_bytes staged) noexcept { staged_ = staged; }
  [[nodiscard]] auto is_staged(const_bytes bytes) const noexcept -> bool;
  /// Bytes that one operation may stage: what is larger is made in parts.
  [[nodiscard]] auto operation_bytes() const noexcept -> std::size_t;
  /// Records a read-back, waits for it, and gives `use` what came: contents for the host, beside
  /// the rows that wait to be reported. Errors: as above, and those of `read`.
  template <class Read, class Use>
  [[nodiscard]] auto read_now(Read&& read, Use&& use) -> result<void> {
    return run(need::batch, [&](device_objects&) -> result<void> {
      if (auto sent = submit_read_backs(); !sent) return sent.why();
      auto rows = record(read);
      if (!rows) return rows.why();
      if (auto done = submit_and_wait(); !done) return done.why();
      use(*rows);
      device_->work.free_read_backs_of(device_->work.submitted());
      return {};
    });
  }

  /// Submits when at least `draws` draws wait. Errors: as above.
  [[nodiscard]] auto flush(std::uint64_t draws) -> result<void>;

  [[nodiscard]] auto begin(const submission_info& info) -> result<void>;
  [[nodiscard]] auto end(submission_end end) -> result<void>;
  /// Keeps rows for the guest until the open submission is reported. Precondition: ready.
  [[nodiscard]] auto add_write_back(const guest_rows& to, read_back_rows&& rows) -> result<void>;

  /// The copy that was put off, if it brings these rows: nobody else makes it any more.
  [[nodiscard]] auto take_copy(const image_record& of, const texture_rows& rows) noexcept
      -> std::optional<image_copy> {
    return objects_ != nullptr ? objects_->copy.take(of, rows) : std::nullopt;
  }
  /// What a record takes of memory. Without a device, the content alone.
  [[nodiscard]] auto memory_bytes(const buffer_desc& desc) const noexcept -> std::uint64_t;
  [[nodiscard]] auto memory_bytes(const texture_desc& desc) const noexcept -> std::uint64_t;
  /// An object of the guest goes, with what the device has of it.
  void destroy(buffer_record* buffer) noexcept;
  void destroy(image_record* image) noexcept;
  void destroy(view_record* view) noexcept;
  void destroy(shader_record* shader) noexcept;
  void destroy(layout_record* layout) noexcept;
  void destroy(sampler_record* sampler) noexcept;

  /// Names the packet that the next commands come from, for captures. Precondition: ready.
  void label(std::string_view packet) noexcept;
  /// Begins a region of labels, and ends the one before. Nobody hears of a loss that it meets: the
  /// next call tells of it.
  void begin_region(std::string_view text) noexcept;

  /// Asks the device how far it is, and gives it up when it takes too long.
  void poll();
  /// The oldest submission if it is done, or null.
  [[nodiscard]] auto done() noexcept -> pending_submission* {
    return submissions_.done(flights_.completed());
  }
  void forget_done() noexcept { submissions_.forget_done(); }
  void wait_idle();
  void reset();

  [[nodiscard]] auto counters() noexcept -> vulkan_counters&;
  [[nodiscard]] auto live_objects() const noexcept -> std::uint64_t;
  /// Ended submissions that were not reported.
  [[nodiscard]] auto pending() const noexcept -> std::uint64_t { return submissions_.ended(); }
  [[nodiscard]] auto validation_errors() const noexcept -> std::uint32_t;
  /// Devices that were given up and are still at work.
  [[nodiscard]] auto abandoned() const noexcept -> std::size_t { return abandoned_.count(); }

  using clock = std::chrono::steady_clock;

  [[nodiscard]] auto records() noexcept -> guest_records& { return records_; }
  /// The device, and what is made on it. Both are null while there is none.
  [[nodiscard]] auto device() noexcept -> device_parts* { return device_.get(); }
  [[nodiscard]] auto objects() noexcept -> device_objects* { return objects_.get(); }

  /// For tests, the limits and the watchdog's time from now on.
  void set_bounds(const backend_limits& bounds) noexcept { options_.bounds = bounds; }
  void set_clock(std::function<clock::time_point()> now) noexcept { now_ = std::move(now); }

 private:
  /// What is counted by parts that go with their device.
  struct device_counts {
    std::uint32_t validation_errors = 0;
    std::uint64_t render_passes = 0;
    std::uint64_t pipelines = 0;
  };

  template <class T>
  [[nodiscard]] static auto value_of(result<T>& done) noexcept -> result<T> {
    return *std::move(done);
  }
  [[nodiscard]] static auto value_of(result<void>&) noexcept -> result<void> { return {}; }

  void forget_draws() noexcept;
  [[nodiscard]] auto open_device() -> result<void>;
  [[nodiscard]] auto set_up_device() -> result<void>;
  [[nodiscard]] auto check_time() const -> result<void>;
  [[nodiscard]] auto compilations() const noexcept -> std::uint64_t;
  [[nodiscard]] auto open_batch() -> result<void>;
  [[nodiscard]] auto renew_batch() -> result<void>;
  [[nodiscard]] auto submit_read_backs() -> result<void>;
  [[nodiscard]] auto wait_for(std::uint64_t batch) -> result<void>;
  [[nodiscard]] auto rebuild() -> result<void>;
  void lose(const error& why, bool is_stuck);
  void drop_device(bool is_stuck);
  [[nodiscard]] auto comes_to_an_end() noexcept -> bool;
  void collect() noexcept;
  [[nodiscard]] auto counts_of_devices() const noexcept -> device_counts;
  [[nodiscard]] auto timeout_ns() const noexcept -> std::uint64_t;

  backend_options options_;
  std::function<clock::time_point()> now_ = clock::now;
  guest_records records_;
  slow_shaders slow_;
  std::unique_ptr<device_parts> device_;
  std::unique_ptr<device_objects> objects_;
  abandoned_devices abandoned_;
  std::unique_ptr<completion_watcher> watcher_;
  submission_queue submissions_;
  capture_labels labels_;
  flight_log flights_;
  const_bytes staged_;
  std::uint64_t seen_compilations_ = 0;  ///< When the time was looked at.
  bool is_loss_untold_ = false;          ///< The processor does not know yet that content is gone.
  device_counts earlier_;                ///< Of devices that went.
  std::uint64_t submitted_draws_ = 0;    ///< Draws before the last submit.
  vulkan_counters counters_;
};

}  // namespace aerogpu::vulkan
