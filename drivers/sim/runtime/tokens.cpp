// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/tokens.hpp"

#include <cstdint>
#include <map>
#include <mutex>

namespace aerogpu::sim {
namespace {

struct token_table {
  std::mutex mutex;
  std::map<HANDLE, token_meaning> tokens;
  std::uintptr_t next = 0x7D300001;
};
[[nodiscard]] auto all_tokens() -> token_table& {
  static token_table table;
  return table;
}

}  // namespace

auto new_token(contract& rules) -> HANDLE {
  constexpr std::uintptr_t step = 4;
  auto& table = all_tokens();
  const std::lock_guard hold{table.mutex};
  table.next += step;
  auto* const token = reinterpret_cast<HANDLE>(table.next);
  table.tokens[token] = {nullptr, nullptr, &rules};
  return token;
}

void bind_token(HANDLE token, ddi_adapter* adapter, ddi_device* device) {
  auto& table = all_tokens();
  const std::lock_guard hold{table.mutex};
  auto& meaning = table.tokens[token];
  meaning.adapter = adapter;
  meaning.device = device;
}

auto find_token(HANDLE token) -> token_meaning {
  auto& table = all_tokens();
  const std::lock_guard hold{table.mutex};
  const auto found = table.tokens.find(token);
  return found != table.tokens.end() ? found->second : token_meaning{};
}

void forget_tokens(const contract& rules) {
  auto& table = all_tokens();
  const std::lock_guard hold{table.mutex};
  std::erase_if(table.tokens, [&](const auto& one) { return one.second.rules == &rules; });
}

}  // namespace aerogpu::sim
