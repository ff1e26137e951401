// SPDX-License-Identifier: MIT
#include "drivers/wine/transport/remote_process.hpp"

#include "drivers/wine/transport/lane.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace aerogpu::wine {
namespace {

/// A server that has not answered a greeting for so long does not run.
constexpr std::chrono::seconds longest_greeting{10};

[[nodiscard]] auto digits_of(const std::array<std::uint8_t, 16>& name) -> std::string {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (const auto one : name) {
    text += digits[one >> 4];
    text += digits[one & 15];
  }
  return text;
}

/// A server's memory is mapped once a program: 32 bits of addresses hold it only a few times.
[[nodiscard]] auto memory_of(std::uint64_t life, const std::string& path, std::uint64_t size_bytes)
    -> std::shared_ptr<const mapped_file> {
  struct table {
    std::mutex mutex;
    std::map<std::uint64_t, std::weak_ptr<const mapped_file>> by_life;
  };
  static auto* const known = new table;  // As the connections, it is there to the last moment.
  const std::lock_guard hold{known->mutex};
  auto& slot = known->by_life[life];
  if (auto there = slot.lock()) return there;
  auto made = std::make_shared<mapped_file>();
  if (!made->open(path, size_bytes)) return nullptr;
  slot = made;
  return made;
}

}  // namespace

remote_process::remote_process(const std::string& folder) : folder_(folder) {
  if (!connect()) is_lost_.store(true);
}

auto remote_process::connect() -> bool {
  if (folder_.empty()) {
    why_ = "AEROGPU_GUESTD does not name the folder of a server";
    return false;
  }
  greeting hello;
  hello.address_bits = sizeof(void*) * 8;
  fill_random(std::as_writable_bytes(std::span{hello.name}));
  name_ = folder_ + "/" + digits_of(hello.name);
  fifo_end greetings;
  if (!greetings.open_to_write(folder_ + "/connect") || !greetings.write(bytes_of(hello))) {
    why_ = "there is no server in " + folder_;
    return false;
  }
  const auto end = std::chrono::steady_clock::now() + longest_greeting;
  while (!file_.open(name_ + ".process", process_file_bytes)) {
    if (std::chrono::steady_clock::now() > end) {
      why_ = "the server in " + folder_ + " does not answer, or has no room for another process";
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  process_page page;
  std::memcpy(&page, file_.bytes().data(), sizeof page);
  if (page.magic != protocol_magic || page.version != protocol_version ||
      page.answer != verdict::accepted) {
    why_ = "the server speaks version " + std::to_string(page.version) + " of the protocol, not " +
           std::to_string(protocol_version);
    return false;
  }
  process_id_ = page.process_id;
  memory_ = memory_of(page.life, folder_ + "/memory", std::uint64_t{page.memory_mib} << 20);
  if (memory_ == nullptr) {
    why_ = "the server's " + std::to_string(page.memory_mib) + " MiB cannot be mapped";
    return false;
  }
  for (std::uint32_t i = 0; i < bounds.lanes; ++i) {
    if (!open_lane(i)) return false;
  }
  const auto begun = call(
      request_code::begin, [](message_writer&) {}, [](message_reader&, NTSTATUS) {});
  if (!NT_SUCCESS(begun)) why_ = "the server went away";
  return NT_SUCCESS(begun);
}

auto remote_process::open_lane(std::uint32_t index) -> bool {
  auto& one = lanes_[index];
  const auto name = name_ + "." + std::to_string(index);
  if (!one.answers.open_to_read(name + ".answers") ||
      !one.requests.open_to_write(name + ".requests")) {
    why_ = "the FIFOs of a lane cannot be opened";
    return false;
  }
  const auto part = file_.bytes().subspan(lane_offset(index));
  one.page = reinterpret_cast<lane_page*>(part.data());
  one.message = part.subspan(page_bytes, bounds.message_bytes);
  return true;
}

auto remote_process::take_lane() -> lane* {
  std::unique_lock hold{mutex_};
  for (;;) {
    if (is_lost_.load()) return nullptr;
    for (auto& one : lanes_) {
      if (one.is_busy) continue;
      one.is_busy = true;
      return &one;
    }
    lane_is_free_.wait(hold);
  }
}

void remote_process::give_lane(lane& one) {
  const std::lock_guard hold{mutex_};
  one.is_busy = false;
  if (is_lost_.load()) {
    lane_is_free_.notify_all();
  } else {
    lane_is_free_.notify_one();
  }
}

auto remote_process::exchange(lane& one, request_code code, std::uint32_t bytes) -> bool {
  auto& page = *one.page;
  page.code = static_cast<std::uint32_t>(code);
  page.request_bytes = bytes;
  shared(page.request).store(++one.number);
  ++calls_;
  bool is_there = true;
  if (must_wake(page.server_waits)) {
    ++wakeups_;
    is_there = one.requests.write(bytes_of(std::byte{1}));
  }
  is_there = is_there && wait_answer(one) && page.answer_bytes <= one.message.size();
  if (!is_there) is_lost_.store(true);
  return is_there;
}

auto remote_process::wait_answer(lane& one) -> bool {
  auto& page = *one.page;
  const auto is_answered = [&] { return shared(page.answer).load() == one.number; };
  if (spin_until(is_answered)) return true;
  for (;;) {
    begin_wait(page.client_waits);
    if (is_answered() && withdraw_wait(page.client_waits)) return true;
    if (!one.answers.wait_byte()) return false;
    if (is_answered()) return true;
  }
}

auto remote_process::context_part(std::uint32_t slot) const noexcept -> std::byte* {
  return slot < bounds.contexts ? file_.bytes().data() + context_offset(slot) : nullptr;
}

void remote_process::keep_context(const D3DKMT_CREATECONTEXT& made) {
  const std::lock_guard hold{mutex_};
  contexts_[made.hContext] = made;
}

void remote_process::forget_context(D3DKMT_HANDLE context) {
  const std::lock_guard hold{mutex_};
  contexts_.erase(context);
}

auto remote_process::kept_context(D3DKMT_HANDLE context) -> D3DKMT_CREATECONTEXT {
  const std::lock_guard hold{mutex_};
  return contexts_[context];
}

auto remote_process::shared_bytes(std::uint64_t offset) const noexcept -> std::byte* {
  const auto all = memory_ == nullptr ? mutable_bytes{} : memory_->bytes();
  return offset < all.size() ? all.data() + offset : nullptr;
}

/// Lane 0 alone would do; threads that wait in the others find out by it.
void remote_process::disconnect() {
  is_lost_.store(true);
  std::unique_lock hold{mutex_};
  lane_is_free_.notify_all();
  lanes_[0].requests.close();
  lane_is_free_.wait(hold, [this] {
    return std::none_of(lanes_.begin(), lanes_.end(), [](const lane& one) { return one.is_busy; });
  });
}

}  // namespace aerogpu::wine
