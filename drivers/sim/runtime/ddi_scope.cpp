#include "drivers/sim/runtime/ddi_scope.hpp"

#include <string>

namespace aerogpu::sim {
namespace {

thread_local const ddi_scope* this_threads_call = nullptr;

}  // namespace

ddi_scope::ddi_scope(const void* object, std::uint32_t process, contract& rules, const char* name,
                     occupancy* inside)
    : object_(object),
      rules_(rules),
      name_(name),
      inside_(inside),
      outer_(this_threads_call),
      process_(process) {
  this_threads_call = this;
  if (inside_ != nullptr && inside_->fetch_add(1) != 0) {
    rules_.record(contract_rule::two_threads,
                  std::string{name_} + " was called while another thread is inside");
  }
}

ddi_scope::~ddi_scope() {
  if (inside_ != nullptr) inside_->fetch_sub(1);
  this_threads_call = outer_;
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
