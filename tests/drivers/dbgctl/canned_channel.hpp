// SPDX-License-Identifier: MIT
/// \file A driver of fixed answers, which keeps what it was sent.
#pragma once

#include "aerogpu/abi/dbgctl_escape.h"
#include "drivers/win7/tools/dbgctl/escape_channel.hpp"
#include "drivers/win7/tools/dbgctl/program.hpp"
#include "tests/catch.hpp"

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace aerogpu::test {

/// One operation's answer, or a refusal.
struct canned_answer {
  dbgctl::nt_status status = dbgctl::nt_status::success;
  std::vector<std::byte> bytes;  ///< With its header; may be shorter than the request.
};

/// An answer of a structure, its header filled in.
template <class T>
auto answer_of(std::uint32_t op, T body) -> canned_answer {
  body.hdr = {AEROGPU_ESCAPE_VERSION, op, sizeof body, 0};
  canned_answer answer;
  answer.bytes.resize(sizeof body);
  std::memcpy(answer.bytes.data(), &body, sizeof body);
  return answer;
}

/// What a session gives and what it was asked.
struct canned_driver {
  std::map<std::uint32_t, canned_answer> answers;
  std::vector<std::vector<std::byte>> requests;
  std::uint64_t section = 0x44;
  int opened = 0;
};

class canned_channel final : public dbgctl::escape_channel {
 public:
  explicit canned_channel(canned_driver& driver) : driver_(driver) { ++driver_.opened; }

  auto escape(std::span<std::byte> buffer) -> dbgctl::nt_status override {
    driver_.requests.emplace_back(buffer.begin(), buffer.end());
    aerogpu_escape_header header{};
    std::memcpy(&header, buffer.data(), sizeof header);
    const auto found = driver_.answers.find(header.op);
    if (found == driver_.answers.end()) return dbgctl::nt_status::not_supported;
    const canned_answer& answer = found->second;
    if (answer.bytes.size() > buffer.size()) return dbgctl::nt_status{0xC0000023};
    if (!answer.bytes.empty()) {
      std::memcpy(buffer.data(), answer.bytes.data(), answer.bytes.size());
    }
    return answer.status;
  }
  auto own_section() -> std::uint64_t override { return driver_.section; }

 private:
  canned_driver& driver_;
};

struct run_result {
  dbgctl::exit_code code;
  std::string out, err;
};

/// Runs the program with a driver below it.
inline auto run_dbgctl(canned_driver& driver, std::vector<std::string_view> words) -> run_result {
  dbgctl::output to;
  const dbgctl::exit_code code = dbgctl::run(
      words, [&](std::string&) { return std::make_unique<canned_channel>(driver); }, to);
  return {code, to.out, to.err};
}

/// A member of the last request.
template <class T>
auto last_request(const canned_driver& driver) -> T {
  T request{};
  REQUIRE(!driver.requests.empty());
  REQUIRE(driver.requests.back().size() >= sizeof request);
  std::memcpy(&request, driver.requests.back().data(), sizeof request);
  return request;
}

}  // namespace aerogpu::test
