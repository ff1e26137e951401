// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/machine/pc.hpp"

namespace aerogpu::sim {

auto pc::leaks() const -> std::string {
  std::string lines = pool.leaks();
  const auto count = [&](const char* what, std::uint64_t number) {
    if (number != 0) lines += std::string{what} + ": " + std::to_string(number) + '\n';
  };
  count("contiguous blocks", contiguous_blocks.load());
  count("MDL mappings", mdl_mappings.load());
  count("bus mappings", bus.mappings());
  count("running timers", clock.running_timers());
  return lines;
}

auto pc::random() noexcept -> std::uint64_t {
  const std::lock_guard hold{mutex_};
  random_ += 0x9E3779B97F4A7C15u;
  auto x = random_;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

void pc::set_registry(const std::string& key, const std::string& value, std::uint32_t data) {
  const std::lock_guard hold{mutex_};
  registry_[key][value] = data;
}

auto pc::registry(const std::string& key, const std::string& value, std::uint32_t& data) const
    -> bool {
  const std::lock_guard hold{mutex_};
  const auto values = registry_.find(key);
  if (values == registry_.end()) return false;
  const auto found = values->second.find(value);
  if (found == values->second.end()) return false;
  data = found->second;
  return true;
}

void pc::write_registry(const std::string& key, const std::string& value, const_bytes data) {
  const std::lock_guard hold{mutex_};
  written_registry_[key][value].assign(data.begin(), data.end());
}

auto pc::written_registry(const std::string& key, const std::string& value) const
    -> std::vector<std::byte> {
  const std::lock_guard hold{mutex_};
  const auto values = written_registry_.find(key);
  if (values == written_registry_.end()) return {};
  const auto found = values->second.find(value);
  return found != values->second.end() ? found->second : std::vector<std::byte>{};
}

void pc::set_section(std::uint64_t handle, const void* object) {
  const std::lock_guard hold{mutex_};
  sections_[handle] = object;
}

auto pc::section(std::uint64_t handle) const -> const void* {
  const std::lock_guard hold{mutex_};
  const auto found = sections_.find(handle);
  return found != sections_.end() ? found->second : nullptr;
}

void pc::log(const char* text) {
  const std::lock_guard hold{mutex_};
  lines_.emplace_back(text);
}

auto pc::log_lines() const -> std::vector<std::string> {
  const std::lock_guard hold{mutex_};
  return lines_;
}

}  // namespace aerogpu::sim
