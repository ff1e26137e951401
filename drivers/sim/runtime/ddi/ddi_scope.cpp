// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/ddi/ddi_scope.hpp"

#include <string>

namespace aerogpu::sim {
namespace {

thread_local const ddi_scope* this_threads_call = nullptr;
thread_local bool this_thread_is_in_driver = false;

}  // namespace

ddi_scope::ddi_scope(const void* object, std::uint32_t process, contract& rules,
                     std::string_view name, occupancy* inside)
    : object_(object),
      rules_(rules),
      name_(name),
      inside_(inside),
      outer_(this_threads_call),
      was_in_driver_(this_thread_is_in_driver),
      process_(process) {
  this_threads_call = this;
  if (inside_ != nullptr && inside_->fetch_add(1) != 0) {
    rules_.record(contract_rule::two_threads,
                  std::string{name_} + " was called while another thread is inside");
  }
  this_thread_is_in_driver = true;
}

ddi_scope::~ddi_scope() {
  if (inside_ != nullptr) inside_->fetch_sub(1);
  this_threads_call = outer_;
  this_thread_is_in_driver = was_in_driver_;
}

callback_scope::callback_scope() noexcept : was_in_driver_(this_thread_is_in_driver) {
  this_thread_is_in_driver = false;
}

callback_scope::~callback_scope() {
  this_thread_is_in_driver = was_in_driver_;
}

auto is_in_driver() noexcept -> bool {
  return this_thread_is_in_driver;
}

auto ddi_scope::find(const void* object) noexcept -> const ddi_scope* {
  const auto* one = this_threads_call;
  while (one != nullptr && one->object_ != object) one = one->outer_;
  return one;
}

auto ddi_scope::innermost() noexcept -> const ddi_scope* {
  return this_threads_call;
}

}  // namespace aerogpu::sim
