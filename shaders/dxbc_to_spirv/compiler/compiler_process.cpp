// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compiler/compiler_process.hpp"

#include "aerogpu/hosted/keyed_hash.hpp"
#include "common/system_random.hpp"
#include "dxbc_to_spirv/compiler/protocol.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::dxbc {
namespace {

using clock = std::chrono::steady_clock;

/// The process may write anything, and a terminal may obey.
void append_printable(std::string& log, const_bytes from) {
  for (const std::byte each : from) {
    const char c = static_cast<char>(each);
    log += c == '\n' || (c >= ' ' && c <= '~') ? c : '?';
  }
}

}  // namespace

// death_budget

void death_budget::refill(deadline now) noexcept {
  const auto interval = std::chrono::milliseconds{std::max(limits_.death_interval_ms, 1u)};
  while (spent_ > 0 && now - since_ >= interval) {
    since_ += interval;
    --spent_;
  }
}

auto death_budget::is_empty(deadline now) noexcept -> bool {
  refill(now);
  return spent_ >= limits_.deaths;
}

void death_budget::spend(deadline now) noexcept {
  refill(now);
  if (spent_ == 0) since_ = now;
  if (spent_ < limits_.deaths) ++spent_;
}

// refused_programs

refused_programs::refused_programs() noexcept : seed_(random_seed()) {}

auto refused_programs::hash_of(const_bytes job) const noexcept -> std::uint64_t {
  keyed_hash hash{seed_};
  hash.add(job);
  return hash.finish();
}

auto refused_programs::contains(const_bytes job) const noexcept -> bool {
  if (count_ == 0) return false;
  const auto end = hashes_.begin() + count_;
  return std::find(hashes_.begin(), end, hash_of(job)) != end;
}

void refused_programs::add(const_bytes job) noexcept {
  hashes_[next_] = hash_of(job);
  next_ = (next_ + 1) % max_refused_programs;
  count_ = std::min(count_ + 1, max_refused_programs);
}

// compiler_process

auto compiler_process::compile(const char* program, const_bytes job, std::string* log) noexcept
    -> result<heap_array<std::uint32_t>> {
  const std::lock_guard guard{lock_};
  if (refused_.contains(job))
    return make_error(error_code::unsupported,
                      "the program ended the shader compiler before and is not tried again");
  // It may have been ended by somebody else since the last program, which is no fault of this one.
  if (child_.is_started() && !child_.is_quiet()) bury();
  if (child_.processor_time() >= std::chrono::milliseconds{limits_.renewal_ms}) child_.end();
  const bool is_fresh = !child_.is_started();
  auto words = try_once(program, job, log);
  if (words) return *std::move(words);
  if (fault_ == fault::ended && !is_fresh) {
    // What broke the process may have been an earlier program: only a fresh process tells.
    auto again = try_once(program, job, log);
    if (again) return *std::move(again);
    if (fault_ != fault::none) refused_.add(job);
    return again.why();
  }
  if (fault_ != fault::none) refused_.add(job);
  return words.why();
}

auto compiler_process::try_once(const char* program, const_bytes job, std::string* log) noexcept
    -> result<heap_array<std::uint32_t>> {
  fault_ = fault::none;
  if (!child_.is_started()) {
    if (auto started = start(program); !started) return started.why();
  }
  auto words = exchange(job, log);
  if (!words) return words.why();
  return *std::move(words);
}

auto compiler_process::start(const char* program) noexcept -> result<void> {
  if (budget_.is_empty(clock::now()))
    return make_error(error_code::out_of_memory,
                      "the shader compiler ended too often and rests for a while", limits_.deaths,
                      limits_.deaths);
  auto child = child_process::start(program);
  if (!child) return child.why();
  child_ = *std::move(child);
  ++counters_.starts;
  hello_frame hello{};
  const deadline until = clock::now() + std::chrono::milliseconds{limits_.start_timeout_ms};
  const transfer how = child_.receive(mutable_bytes_of(hello), until);
  if (how == transfer::done && is_hello(hello)) return {};
  bury();
  if (how == transfer::late)
    return make_error(error_code::out_of_memory, "the shader compiler does not start in time",
                      limits_.start_timeout_ms, limits_.start_timeout_ms);
  return make_error(error_code::unsupported,
                    "the shader compiler's program ends at its start: it is of another version, or "
                    "cannot enter its sandbox here",
                    hello.version, protocol_version);
}

auto compiler_process::exchange(const_bytes job, std::string* log) noexcept
    -> result<heap_array<std::uint32_t>> {
  const deadline until = clock::now() + std::chrono::milliseconds{limits_.timeout_ms};
  const request_frame request{.magic = request_magic,
                              .id = ++last_id_,
                              .job_bytes = static_cast<std::uint32_t>(job.size())};
  transfer how = child_.send(bytes_of(request), until);
  if (how == transfer::done) how = child_.send(job, until);
  if (how != transfer::done) return give_up(how);
  return receive(request.id, until, log);
}

auto compiler_process::receive(std::uint32_t id, deadline until, std::string* log) noexcept
    -> result<heap_array<std::uint32_t>> {
  reply_frame reply{};
  transfer how = child_.receive(mutable_bytes_of(reply), until);
  if (how != transfer::done) return give_up(how);
  if (!is_reply(reply, id)) {
    fault_ = fault::ended;
    bury();
    return make_error(error_code::unsupported, "the shader compiler answers what nobody asked",
                      reply.word_count, max_module_words);
  }
  heap_array<std::uint32_t> words;
  heap_array<std::byte> messages;
  if (!words.resize(reply.word_count) || !messages.resize(reply.message_bytes)) {
    child_.end();  // Its answer cannot be read, and the next one would stand behind it.
    return make_error(error_code::out_of_memory, "no memory for the compiled shader");
  }
  how = child_.receive(std::as_writable_bytes(words.view()), until);
  if (how == transfer::done) how = child_.receive(messages.view(), until);
  if (how != transfer::done) return give_up(how);
  ++counters_.answers;
  if (log != nullptr) append_printable(*log, messages.view());
  if (const auto outcome = outcome_of(reply.status, reply.detail); !outcome) return outcome.why();
  return words;
}

auto compiler_process::give_up(transfer how) noexcept -> error {
  fault_ = how == transfer::late ? fault::late : fault::ended;
  bury();
  if (how == transfer::late)
    return make_error(error_code::unsupported, "the shader compiler takes too long",
                      limits_.timeout_ms, limits_.timeout_ms);
  return make_error(error_code::unsupported, "the program ends the shader compiler");
}

void compiler_process::bury() noexcept {
  child_.end();
  ++counters_.deaths;
  budget_.spend(clock::now());
}

}  // namespace aerogpu::dxbc
