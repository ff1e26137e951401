// SPDX-License-Identifier: MIT
#include "vulkan/device/checked_thread.hpp"

namespace aerogpu::vulkan {

auto checked_thread::start(void* (*entry)(void*), void* argument, std::size_t stack_bytes) noexcept
    -> result<void> {
  pthread_attr_t attributes;
  int code = pthread_attr_init(&attributes);
  if (code == 0) {
    if (stack_bytes != 0) code = pthread_attr_setstacksize(&attributes, stack_bytes);
    if (code == 0) code = pthread_create(&handle_, &attributes, entry, argument);
    pthread_attr_destroy(&attributes);
  }
  if (code != 0) {
    return make_error(error_code::out_of_memory, "the system starts no thread",
                      static_cast<std::uint64_t>(code));
  }
  is_running_ = true;
  return {};
}

void checked_thread::join() noexcept {
  if (std::exchange(is_running_, false)) pthread_join(handle_, nullptr);
}

void checked_thread::abandon() noexcept {
  if (std::exchange(is_running_, false)) pthread_detach(handle_);
}

}  // namespace aerogpu::vulkan
