// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compiler/shader_compiler.hpp"

#include "common/system_random.hpp"
#include "dxbc_to_spirv/compiler/job.hpp"
#include "dxbc_to_spirv/compiler/protocol.hpp"
#include "dxbc_to_spirv/vkd3d.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <sys/stat.h>
#include <utility>

namespace aerogpu::dxbc {
namespace {

constexpr std::size_t spirv_header_words = 5;
constexpr std::uint32_t spirv_magic = 0x07230203;
constexpr std::size_t longest_identity = 160;

/// The validator judges the rest.
auto check_header(std::span<const std::uint32_t> words) noexcept -> result<void> {
  if (words.size() <= spirv_header_words || words.size() > max_module_words)
    return make_error(error_code::unsupported, "the compiled shader is of no sensible size",
                      words.size(), max_module_words);
  if (words[0] != spirv_magic)
    return make_error(error_code::unsupported, "the compiled shader is no SPIR-V", words[0]);
  return {};
}

/// A copy that was judged.
auto judged(std::span<const std::uint32_t> words, const compiled& facts,
            const compile_options& options, module_judge judge)
    -> result<heap_array<std::uint32_t>> {
  if (const auto checked = check_header(words); !checked) return checked.why();
  heap_array<std::uint32_t> copy;
  if (!copy.append(words))
    return make_error(error_code::out_of_memory, "no memory for the compiled shader");
  if (const auto done = judge(copy, facts, options); !done) return done.why();
  return copy;
}

void copy_path(std::string_view from, path_buffer& to) noexcept {
  if (from.size() < to.size()) std::memcpy(to.data(), from.data(), from.size() + 1);
}

}  // namespace

auto compile_in_process(const_bytes job, std::string* log) noexcept
    -> result<heap_array<std::uint32_t>> {
  const auto parsed = compile_job::parse(job);
  if (!parsed) return parsed.why();
  const library_answer made{*parsed};
  if (log != nullptr) *log += made.messages();
  const auto outcome = outcome_of(made.status(), made.detail());
  if (!outcome) return outcome.why();
  heap_array<std::uint32_t> words;
  if (!words.resize(made.words().size() / sizeof(std::uint32_t)))
    return make_error(error_code::out_of_memory, "no memory for the compiled shader");
  copy_bytes(std::as_writable_bytes(words.view()), made.words());
  return words;
}

void close_shader_compiler::operator()(shader_compiler* compiler) const noexcept {
  delete compiler;
}

auto open_shader_compiler(const compiler_choice& choice) noexcept -> owned_shader_compiler {
  return owned_shader_compiler{new (std::nothrow) shader_compiler{choice}};
}

shader_compiler::shader_compiler(const compiler_choice& choice) noexcept
    : in_process_(choice.in_process),
      process_(choice.limits),
      cache_(choice.cache_folder, choice.limits),
      seed_(random_seed()),
      failures_(seed_, {choice.limits.known_failures}, {nullptr, [](void*, error&) noexcept {}}) {
  copy_path(choice.program, chosen_);
}

auto shader_compiler::compile(const_bytes container, const compiled& facts,
                              const compile_options& options, module_judge judge) noexcept
    -> result<heap_array<std::uint32_t>> {
  const auto job = write_job(container, facts, options);
  if (!job) return job.why();
  const std::lock_guard guard{lock_};
  if (auto found = find_program(); !found) return found.why();
  const failure_key key = failure_key_of(job->view(), options);
  auto* const failed = failures_.find(key);
  if (failed != nullptr && options.log == nullptr) return failed->value;
  was_judged_ = false;
  auto module = make_module(job->view(), facts, options, judge);
  if (module) return *std::move(module);
  const error why = module.why();
  const bool is_final = was_judged_ && why.code != error_code::out_of_memory;
  if (is_final && failed == nullptr) static_cast<void>(failures_.insert(key, error{why}));
  return why;
}

auto shader_compiler::failure_key_of(const_bytes job, const compile_options& options) const noexcept
    -> failure_key {
  keyed_hash hash{seed_};
  hash.add(job);
  // What the job does not say, because only `judge` asks for it.
  hash.add((options.draws_points ? 1u : 0u) | (options.device_zeroes_workgroup ? 2u : 0u));
  return {hash.finish()};
}

auto shader_compiler::make_module(const_bytes job, const compiled& facts,
                                  const compile_options& options, module_judge judge) noexcept
    -> result<heap_array<std::uint32_t>> {
  const const_bytes identity = std::as_bytes(identity_.view());
  if (const auto known = cache_.find(job, identity); known) {
    auto module = judged(known->view(), facts, options, judge);
    if (module) return *std::move(module);
    cache_.remove(job, identity);
  }
  const auto words = make_words(job, options.log);
  if (!words) return words.why();
  was_judged_ = true;
  auto module = judged(words->view(), facts, options, judge);
  if (!module) return module.why();
  cache_.store(job, identity, words->view());
  return *std::move(module);
}

/// A process that does not answer says nothing about a program; those that end it are its own
/// memory.
auto shader_compiler::make_words(const_bytes job, std::string* log) noexcept
    -> result<heap_array<std::uint32_t>> {
  const std::uint64_t answers = process_.counters().answers;
  auto made =
      in_process_ ? compile_in_process(job, log) : process_.compile(program_.data(), job, log);
  was_judged_ = in_process_ || process_.counters().answers != answers;
  if (!made) return made.why();
  return *std::move(made);
}

/// Until it is found: the user may install it meanwhile.
auto shader_compiler::find_program() noexcept -> result<void> {
  if (!identity_.empty()) return {};
  if (!in_process_) {
    if (auto found = find_compiler_program(chosen_.data(), program_); !found) return found.why();
  }
  identify();
  if (!identity_.empty()) return {};
  return make_error(error_code::out_of_memory, "no memory for the shader compiler");
}

/// Which compiler writes the words of the cache: the library, and the program's file.
void shader_compiler::identify() noexcept {
  struct stat file {};
  if (in_process_) silence_library();
  if (!in_process_) static_cast<void>(stat(program_.data(), &file));
  std::array<char, longest_identity> text;
  const int size =
      std::snprintf(text.data(), text.size(), "%s; %u; %lld; %lld.%09ld", library_version(),
                    protocol_version, static_cast<long long>(file.st_size),
                    static_cast<long long>(file.st_mtim.tv_sec), file.st_mtim.tv_nsec);
  const auto used = std::min(static_cast<std::size_t>(size), text.size() - 1);
  if (size > 0 && identity_.resize(used)) std::memcpy(identity_.begin(), text.data(), used);
}

}  // namespace aerogpu::dxbc
