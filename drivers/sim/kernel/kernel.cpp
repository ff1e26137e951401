// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/kernel.hpp"

#include <string>

namespace aerogpu::sim {
namespace {

constexpr std::size_t class_index(sync_level level) {
  return static_cast<std::size_t>(level) - static_cast<std::size_t>(sync_level::pointer);
}

}  // namespace

kernel::kernel(pc& around) : machine(around), dxgk(around) {
  machine.windows = this;
}

kernel::~kernel() {
  machine.interrupts.connect({}, {});
  machine.windows = nullptr;
}

auto kernel::load(driver_entry* entry) -> NTSTATUS {
  static WCHAR path[] =
      AEROGPU_DDI_TEXT("\\Registry\\Machine\\System\\CurrentControlSet\\Services\\aerogpu");
  UNICODE_STRING registry{sizeof path - sizeof(WCHAR), sizeof path, path};
  return entry(reinterpret_cast<PDRIVER_OBJECT>(this), &registry);
}

auto kernel::initialize(PDRIVER_OBJECT driver, PUNICODE_STRING registry_path,
                        PDRIVER_INITIALIZATION_DATA data) -> NTSTATUS {
  if (driver == nullptr || registry_path == nullptr || data == nullptr)
    return STATUS_INVALID_PARAMETER;
  if (data->Version != DXGKDDI_INTERFACE_VERSION_WIN7) return STATUS_INVALID_PARAMETER;
  this_machine().windows->table = *data;
  return STATUS_SUCCESS;
}

void kernel::unload() {
  call(&DRIVER_INITIALIZATION_DATA::DxgkDdiUnload);
  const auto leaks = machine.leaks();
  if (!leaks.empty()) {
    const auto text = "the driver is unloaded and leaves behind: " + leaks;
    stop(stop_code::driver_verifier_detected_violation, {0x62, 0, 0, 0}, text.c_str());
  }
  table = {};
}

auto kernel::add_device() -> NTSTATUS {
  void* made = nullptr;
  const auto status =
      call(&DRIVER_INITIALIZATION_DATA::DxgkDdiAddDevice, dxgk.physical_device(), &made);
  if (NT_SUCCESS(status)) dxgk.device_context = made;
  return status;
}

auto kernel::start_device() -> NTSTATUS {
  machine.interrupts.connect(
      [this] { return table.DxgkDdiInterruptRoutine(context(), 0) != FALSE; },
      [this] { table.DxgkDdiDpcRoutine(context()); });
  auto callbacks = dxgk.callbacks();
  sources_ = children_ = 0;
  const auto status = call(&DRIVER_INITIALIZATION_DATA::DxgkDdiStartDevice, context(), &start_info,
                           &callbacks, &sources_, &children_);
  is_started_ = NT_SUCCESS(status);
  if (!is_started_) machine.interrupts.connect({}, {});
  return status;
}

auto kernel::start() -> NTSTATUS {
  if (context() == nullptr) {
    const auto status = add_device();
    if (!NT_SUCCESS(status)) return status;
  }
  return start_device();
}

auto kernel::stop_device() -> NTSTATUS {
  const auto status = call(&DRIVER_INITIALIZATION_DATA::DxgkDdiStopDevice, context());
  machine.interrupts.connect({}, {});
  is_started_ = false;
  return status;
}

auto kernel::remove_device() -> NTSTATUS {
  const auto status = call(&DRIVER_INITIALIZATION_DATA::DxgkDdiRemoveDevice, context());
  dxgk.device_context = nullptr;
  return status;
}

void kernel::missing(const entry_rule& rule) {
  const auto text = std::string{"the entry point "} +
                    (rule.name != nullptr ? rule.name : "(unknown)") + " is NULL";
  stop(stop_code::video_dxgkrnl_fatal_error, {rule.offset, 0, 0, 0}, text.c_str());
}

/// kmd.md 2.11.
void kernel::check_status(const entry_rule& rule, NTSTATUS status) {
  if (NT_SUCCESS(status) || rule.failure == 0) return;
  const auto text = std::string{rule.name} + " fails";
  stop(rule.failure == 6 ? stop_code::video_tdr_failure : stop_code::video_scheduler_internal_error,
       {rule.failure, static_cast<std::uint32_t>(status), 0, 0}, text.c_str());
}

void kernel::enter(sync_level level) {
  switch (level) {
    case sync_level::free: return;
    case sync_level::reentrant: return whole_driver_.lock_shared();
    case sync_level::alone:
    case sync_level::evicted: return whole_driver_.lock();
    default: whole_driver_.lock_shared(); return class_mutexes_[class_index(level)].lock();
  }
}

void kernel::leave(sync_level level) {
  switch (level) {
    case sync_level::free: return;
    case sync_level::reentrant: return whole_driver_.unlock_shared();
    case sync_level::alone:
    case sync_level::evicted: return whole_driver_.unlock();
    default: class_mutexes_[class_index(level)].unlock(); return whole_driver_.unlock_shared();
  }
}

kernel::call_scope::call_scope(kernel& owner, const entry_rule& rule) : owner_(owner), rule_(rule) {
  auto& self = this_thread();
  if (self.level > rule.level) {
    stop(stop_code::irql_not_less_or_equal, {0, self.level, rule.level, 0},
         "a test calls an entry point above its level");
  }
  owner_.enter(rule.sync);
  locks_before_ = self.locks.size();
  before_ = raise_irql(self.level > rule.level ? self.level : rule.level);
  ++self.driver_calls;
}

kernel::call_scope::~call_scope() {
  auto& self = this_thread();
  --self.driver_calls;
  const auto expected = before_ > rule_.level ? before_ : rule_.level;
  if (self.level != expected || self.locks.size() != locks_before_) {
    const auto text = std::string{rule_.name != nullptr ? rule_.name : "an entry point"} +
                      " returns at another IRQL or with a spin lock held";
    stop(stop_code::driver_left_locked_state, {self.level, expected, self.locks.size(), 0},
         text.c_str());
    self.level = expected;
    self.locks.resize(locks_before_);
  }
  owner_.leave(rule_.sync);
  lower_irql(before_);
}

}  // namespace aerogpu::sim
