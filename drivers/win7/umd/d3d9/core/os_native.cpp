// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/core/os_native.hpp"

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/text.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace aerogpu::umd::os {

namespace {

struct plain_system final : native_system {};

constinit plain_system plain;
constinit std::atomic<native_system*> installed{&plain};

auto system() noexcept -> native_system& {
  return *installed.load();
}

// Counters of the process by name, for as long as it lives.
struct named_counter {
  std::array<char, 64> name{};
  alignas(8) std::uint64_t value = 0;
};
constinit std::array<named_counter, 16> counters{};
constinit mutex counters_lock;

auto clock_ns(clockid_t clock) noexcept -> std::uint64_t {
  timespec time{};
  static_cast<void>(clock_gettime(clock, &time));
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

auto membarrier(int command) noexcept -> long {
  return syscall(SYS_membarrier, command, 0, 0);
}

#if defined(__SANITIZE_THREAD__)
constexpr bool is_watched = true;
#elif defined(__has_feature)
constexpr bool is_watched = __has_feature(thread_sanitizer);
#else
constexpr bool is_watched = false;
#endif

// The states of a mutex's word (Drepper, "Futexes are tricky").
constexpr std::uintptr_t unlocked = 0;
constexpr std::uintptr_t locked = 1;
constexpr std::uintptr_t contended = 2;

}  // namespace

auto install(native_system* system) noexcept -> native_system* {
  return installed.exchange(system != nullptr ? system : &plain);
}

auto linux_now_ns() noexcept -> std::uint64_t {
  return clock_ns(CLOCK_MONOTONIC);
}

void linux_sleep_ms(std::uint32_t milliseconds) noexcept {
  if (milliseconds == 0) {
    static_cast<void>(sched_yield());
    return;
  }
  const timespec time{static_cast<time_t>(milliseconds / 1000),
                      static_cast<long>(milliseconds % 1000) * 1'000'000};
  static_cast<void>(nanosleep(&time, nullptr));
}

auto linux_has_process_barrier() noexcept -> bool {
  // ThreadSanitizer does not know that another thread's system call orders this one.
  if constexpr (is_watched) return false;
  static const bool is_registered = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
  return is_registered;
}

void linux_process_barrier() noexcept {
  AEROGPU_CHECK(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0);
}

auto linux_environment(const char* name) noexcept -> const char* {
  return std::getenv(name);
}

void linux_write_log(std::string_view line) noexcept {
  static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
}

auto linux_shared_counter(const char* name) noexcept -> std::uint64_t* {
  const std::string_view wanted{name};
  if (wanted.empty() || wanted.size() >= counters[0].name.size()) return nullptr;
  counters_lock.lock();
  std::uint64_t* found = nullptr;
  for (named_counter& counter : counters) {
    const bool is_free = counter.name[0] == '\0';
    if (is_free) std::memcpy(counter.name.data(), name, wanted.size() + 1);
    if (!is_free && wanted != counter.name.data()) continue;
    found = &counter.value;
    break;
  }
  counters_lock.unlock();
  return found;
}

void mutex::lock() noexcept {
  std::uintptr_t seen = unlocked;
  if (__atomic_compare_exchange_n(&word_, &seen, locked, false, __ATOMIC_ACQUIRE,
                                  __ATOMIC_RELAXED)) {
    return;
  }
  while (__atomic_exchange_n(&word_, contended, __ATOMIC_ACQUIRE) != unlocked) {
    // The low half of the word, which little-endian machines store first.
    static_cast<void>(
        syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, contended, nullptr, nullptr, 0));
  }
}

auto mutex::try_lock() noexcept -> bool {
  std::uintptr_t seen = unlocked;
  return __atomic_compare_exchange_n(&word_, &seen, locked, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED);
}

void mutex::unlock() noexcept {
  if (__atomic_exchange_n(&word_, unlocked, __ATOMIC_RELEASE) == contended) {
    static_cast<void>(syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0));
  }
}

auto has_process_barrier() noexcept -> bool {
  return system().has_process_barrier();
}
void process_barrier() noexcept {
  system().process_barrier();
}

auto now_ns() noexcept -> std::uint64_t {
  return system().now_ns();
}
auto ticks() noexcept -> std::uint64_t {
  return now_ns();
}
auto ticks_per_second() noexcept -> std::uint64_t {
  return 1'000'000'000;
}
void sleep_ms(std::uint32_t milliseconds) noexcept {
  system().sleep_ms(milliseconds);
}
auto thread_id() noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>(syscall(SYS_gettid));
}
auto process_id() noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>(getpid());
}

auto environment(const char* name, std::span<char> out) noexcept -> std::string_view {
  const char* const value = system().environment(name);
  if (value == nullptr) return {};
  text_buffer text{out};
  text.append(value);
  return text.view();
}
void write_log(std::string_view line) noexcept {
  system().write_log(line);
}
void write_trace(std::string_view line, bool) noexcept {
  system().write_log(line);
}
auto module_path(std::span<char> out) noexcept -> std::string_view {
  Dl_info info{};
  if (dladdr(&counters, &info) == 0 || info.dli_fname == nullptr) return {};
  text_buffer text{out};
  text.append(info.dli_fname);
  return text.view();
}

auto shared_counter(const char* name) noexcept -> std::uint64_t* {
  return system().shared_counter(name);
}
auto increment(std::uint64_t& counter) noexcept -> std::uint64_t {
  return __sync_add_and_fetch(&counter, 1);
}
auto random_bits() noexcept -> std::uint64_t {
  std::uint64_t bits = 0;
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits) bits = clock_ns(CLOCK_REALTIME);
  return bits;
}

auto desktop_mode() noexcept -> display_mode {
  return system().desktop_mode();
}
auto ask_window(void* window) noexcept -> window_state {
  return system().ask_window(window);
}
auto scan_line(scan_position& out) noexcept -> bool {
  return system().scan_line(out);
}
auto open_adapter(void* device_context, kernel_adapter& out) noexcept -> bool {
  return system().open_adapter(device_context, out);
}
void close_adapter(std::uint32_t handle) noexcept {
  system().close_adapter(handle);
}
auto escape(std::uint32_t adapter, mutable_bytes buffer) noexcept -> bool {
  return system().escape(adapter, buffer);
}
auto query_private_data(std::uint32_t adapter, mutable_bytes out) noexcept -> bool {
  return system().query_private_data(adapter, out);
}
auto wait_for_fence(std::uint32_t sync_object, std::uint64_t fence,
                    std::uint32_t milliseconds) noexcept -> wait_status {
  return system().wait_for_fence(sync_object, fence, milliseconds);
}

}  // namespace aerogpu::umd::os
