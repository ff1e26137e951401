// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/trace/tracer.hpp"

#include "drivers/win7/umd/d3d9/core/os.hpp"
#include "drivers/win7/umd/d3d9/trace/dump.hpp"
#include "drivers/win7/umd/d3d9/trace/filter.hpp"

#include <array>

namespace aerogpu::umd::trace {

namespace {

constexpr std::uint32_t bits_of_word = 32;

/// The tracer of the process.
class tracer {
 public:
  void start(const trace_settings& settings, std::string_view filter) noexcept {
    settings_ = settings;
    filter_.parse(filter);
    records_.clear(settings.record_limit);
    for (auto& word : seen_) word.store(0);
    is_dumped_.store(false);
  }

  [[nodiscard]] auto settings() const noexcept -> const trace_settings& { return settings_; }
  [[nodiscard]] auto filter() const noexcept -> const entry_filter& { return filter_; }
  [[nodiscard]] auto records() noexcept -> record_buffer& { return records_; }
  [[nodiscard]] auto presents() noexcept -> calls_in_flight& { return presents_; }

  /// Whether a call of `id` that just begins is recorded.
  [[nodiscard]] auto takes(entry_id id) noexcept -> bool {
    return filter_.keeps(id) && (settings_.records_all || is_first(id));
  }
  [[nodiscard]] auto is_dumped() const noexcept -> bool { return is_dumped_.load(); }
  /// True for the one who dumps.
  [[nodiscard]] auto claim_dump() noexcept -> bool { return !is_dumped_.exchange(true); }
  void dump(std::string_view reason) const noexcept {
    write_dump(reason, settings_, filter_, records_);
  }

 private:
  [[nodiscard]] auto is_first(entry_id id) noexcept -> bool {
    const auto index = static_cast<std::uint32_t>(id);
    const std::uint32_t bit = 1U << index % bits_of_word;
    return (seen_[index / bits_of_word].fetch_or(bit) & bit) == 0;
  }

  trace_settings settings_;
  entry_filter filter_;
  std::array<std::atomic<std::uint32_t>, (entry_count + bits_of_word - 1) / bits_of_word> seen_{};
  std::atomic<bool> is_dumped_{false};
  calls_in_flight presents_;
  record_buffer records_;
};

constinit tracer current;

constexpr auto is_present(entry_id id) noexcept -> bool {
  return id == id_of("Device::Present") || id == id_of("Device::PresentEx") ||
         id == id_of("M::Present");
}

auto is_stub(entry_id id) noexcept -> bool {
  return name_of(id).find("(stub)") != std::string_view::npos;
}

}  // namespace

void start(const trace_settings& settings, std::string_view filter) noexcept {
  detail::enabled.store(false);
  current.start(settings, filter);
  if (!settings.is_on) return;
  write_banner(settings, current.filter());
  detail::enabled.store(true);
}

void stop() noexcept {
  if (!is_enabled() || !current.settings().dumps_on_detach) return;
  if (current.claim_dump()) current.dump("DLL_PROCESS_DETACH");
}

void note_present(std::uint32_t count) noexcept {
  if (!is_enabled()) return;
  if (count == 0 || count != current.settings().dump_present || !current.claim_dump()) return;
  traced_call* const call = current.presents().find(os::thread_id());
  if (call != nullptr) call->record_anyway();
  current.dump("present_count");
}

traced_call::traced_call(entry_id entry, const packed_arguments& arguments) noexcept
    : entry_(entry), arguments_(arguments) {
  if (current.takes(entry)) record();
  const bool may_dump = current.settings().dump_present != 0 && !current.is_dumped();
  if (may_dump && is_present(entry)) place_ = current.presents().enter(os::thread_id(), *this);
}

auto traced_call::returns(HRESULT result) noexcept -> HRESULT {
  current.presents().leave(place_);
  result_ = static_cast<std::uint32_t>(result);
  current.records().set_result(index_, result_);
  const trace_settings& settings = current.settings();
  const bool is_trigger =
      (settings.dumps_on_fail && FAILED(result)) || (settings.dumps_on_stub && is_stub(entry_));
  if (is_trigger && current.filter().keeps(entry_) && current.claim_dump()) {
    record_anyway();
    current.dump(name_of(entry_));
  }
  return result;
}

void traced_call::record() noexcept {
  index_ = current.records().add({os::ticks(), os::thread_id(), entry_, arguments_, result_});
}

/// A call that unique mode left out.
void traced_call::record_anyway() noexcept {
  if (index_ == record_buffer::none && current.filter().keeps(entry_)) record();
}

}  // namespace aerogpu::umd::trace
