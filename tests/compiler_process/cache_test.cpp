// SPDX-License-Identifier: MIT
#include "aerogpu/core/hash.hpp"
#include "dxbc_to_spirv/compile.hpp"
#include "dxbc_to_spirv/compiler/shader_cache.hpp"
#include "dxbc_to_spirv/compiler/shader_compiler.hpp"
#include "tests/compiler_process/support.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/vulkan/vulkan_leaks.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <cstring>
#include <sys/stat.h>

using namespace aerogpu;
using dxbc::shader_cache;
namespace fs = std::filesystem;
namespace sm4 = aerogpu::test::sm4;

namespace {

constexpr std::array<std::uint32_t, 8> words{1, 2, 3, 4, 5, 6, 7, 8};
constexpr char name_text[] = "compiler 1";
const const_bytes identity = std::as_bytes(std::span{name_text});

auto holds(shader_cache& cache, int number) -> bool {
  const auto found = cache.find(test::job_that('w', number), identity);
  return found && std::ranges::equal(*found, words);
}

void store(shader_cache& cache, int number) {
  cache.store(test::job_that('w', number), identity, words);
}

auto files_of(const test::temporary_folder& folder) -> std::vector<fs::path> {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator{folder.path()}) files.push_back(entry.path());
  return files;
}

void flip(const fs::path& file, std::streamoff at) {
  std::fstream bytes{file, std::ios::in | std::ios::out | std::ios::binary};
  bytes.seekg(at);
  const char was = static_cast<char>(bytes.get());
  bytes.seekp(at);
  bytes.put(static_cast<char>(was ^ 0x10));
}

/// Whether a backend that is opened for it starts a process to compile a shader.
auto starts_process(const fs::path& cache_folder) -> bool {
  vulkan::backend_options options;
  options.shader_compiler_program = BUILT_COMPILER;
  options.shader_cache_folder = cache_folder;
  const auto backend = vulkan::vulkan_backend::create(options);
  REQUIRE(backend);
  const auto code = sm4::ps_textured();
  auto made = (*backend)->create_shader(
      {static_cast<shader_handle>(1), shader_stage::pixel, shader_language::dxbc_container, code});
  REQUIRE(made);
  const bool has_process = test::has_children();
  (*backend)->destroy(*std::move(made));
  return has_process;
}

}  // namespace

TEST_CASE("a stored program is found again by another cache of the folder") {
  test::temporary_folder folder;
  shader_cache first{folder.path().c_str()};
  CHECK_FALSE(holds(first, 1));
  store(first, 1);
  CHECK(holds(first, 1));
  CHECK_FALSE(holds(first, 2));
  shader_cache second{folder.path().c_str()};
  CHECK(holds(second, 1));
  CHECK(second.counters().hits == 1);
  CHECK(second.size_bytes() == first.size_bytes());
}

TEST_CASE("a folder that does not exist is made, and one that cannot be made keeps nothing") {
  test::temporary_folder folder;
  const auto inner = folder.path() / "inner";
  shader_cache cache{inner.c_str()};
  store(cache, 1);
  CHECK(holds(cache, 1));
  CHECK((fs::status(inner).permissions() & fs::perms::others_all) == fs::perms::none);
  shader_cache nowhere{"/proc/nowhere"};
  store(nowhere, 1);
  CHECK_FALSE(holds(nowhere, 1));
  shader_cache off{""};
  store(off, 1);
  CHECK_FALSE(holds(off, 1));
}

TEST_CASE("a program of another compiler is not used") {
  test::temporary_folder folder;
  shader_cache cache{folder.path().c_str()};
  store(cache, 1);
  constexpr char other[] = "compiler 2";
  CHECK_FALSE(cache.find(test::job_that('w', 1), std::as_bytes(std::span{other})));
  CHECK(holds(cache, 1));
}

TEST_CASE("a damaged entry is a miss and goes, whichever byte it is") {
  test::temporary_folder folder;
  std::uintmax_t size = 0;
  {
    shader_cache cache{folder.path().c_str()};
    store(cache, 1);
    size = cache.size_bytes();
  }
  for (std::uintmax_t at = 0; at < size; ++at) {
    CAPTURE(at);
    shader_cache cache{folder.path().c_str()};
    REQUIRE(files_of(folder).size() == 1);
    flip(files_of(folder)[0], static_cast<std::streamoff>(at));
    CHECK_FALSE(holds(cache, 1));
    CHECK(cache.counters().damaged == 1);
    CHECK(files_of(folder).empty());
    store(cache, 1);
    CHECK(holds(cache, 1));
  }
}

TEST_CASE("an entry of any other length is a miss") {
  test::temporary_folder folder;
  std::uintmax_t size = 0;
  {
    shader_cache cache{folder.path().c_str()};
    store(cache, 1);
    size = cache.size_bytes();
  }
  for (std::uintmax_t length = 0; length <= size + 1; ++length) {
    if (length == size) continue;
    CAPTURE(length);
    shader_cache cache{folder.path().c_str()};
    fs::resize_file(files_of(folder)[0], length);
    CHECK_FALSE(holds(cache, 1));
    store(cache, 1);
  }
}

TEST_CASE("an entry that is a link, a folder or a pipe is not read") {
  test::temporary_folder folder, elsewhere;
  shader_cache cache{folder.path().c_str()};
  store(cache, 1);
  const auto file = files_of(folder)[0];
  const auto target = elsewhere.path() / "target";
  fs::rename(file, target);
  fs::create_symlink(target, file);
  CHECK_FALSE(holds(cache, 1));
  fs::remove(file);
  fs::create_directory(file);
  CHECK_FALSE(holds(cache, 1));
  fs::remove(file);
  REQUIRE(mkfifo(file.c_str(), 0600) == 0);
  CHECK_FALSE(holds(cache, 1));
}

TEST_CASE("a full cache gives up what was not used for longest") {
  test::temporary_folder folder;
  shader_cache sample{folder.path().c_str()};
  store(sample, 0);
  const std::uint64_t entry_bytes = sample.size_bytes();
  sample.remove(test::job_that('w', 0), identity);
  CHECK(sample.size_bytes() == 0);
  const bool by_bytes = GENERATE(true, false);
  dxbc::compiler_limits limits;
  if (by_bytes) limits.cache_bytes = entry_bytes * 5 - 1;
  if (!by_bytes) limits.cache_entries = 4;
  shader_cache cache{folder.path().c_str(), limits};
  for (int i = 0; i < 4; ++i) store(cache, i);
  CHECK(cache.counters().evicted == 0);
  CHECK(holds(cache, 0));
  store(cache, 4);
  CHECK(cache.counters().evicted == 1);
  CHECK(holds(cache, 0));
  CHECK_FALSE(holds(cache, 1));
  CHECK(holds(cache, 4));
  CHECK(files_of(folder).size() == 4);
  CHECK(cache.size_bytes() == 4 * entry_bytes);
}

TEST_CASE("a folder above the bounds is brought within them, and strange files stay") {
  test::temporary_folder folder;
  shader_cache large{folder.path().c_str()};
  for (int i = 0; i < 20; ++i) store(large, i);
  std::ofstream{folder.path() / "letter.txt"} << "not a cache";
  shader_cache small{folder.path().c_str(), {.cache_entries = 5}};
  CHECK(small.size_bytes() == large.size_bytes() / 4);
  CHECK(files_of(folder).size() == 6);
  CHECK(fs::exists(folder.path() / "letter.txt"));
}

TEST_CASE("an entry too large for its share is not kept") {
  test::temporary_folder folder;
  shader_cache cache{folder.path().c_str(), {.cache_bytes = 256}};
  store(cache, 1);
  CHECK(files_of(folder).empty());
}

TEST_CASE("a compiled shader is found on disk by the next backend, which starts no process") {
  test::temporary_folder folder;
  const dxbc::compiler_choice choice{.cache_folder = folder.path().c_str()};
  const auto first = dxbc::open_shader_compiler(choice);
  const auto fresh = dxbc::compile(sm4::ps_textured(), {}, first.get());
  REQUIRE(fresh);
  const auto second = dxbc::open_shader_compiler(choice);
  const auto known = dxbc::compile(sm4::ps_textured(), {}, second.get());
  REQUIRE(known);
  CHECK(known->words == fresh->words);
  CHECK(second->process().counters().starts == 0);
  CHECK(second->cache().counters().hits == 1);
}

TEST_CASE("words on disk that are no valid module are compiled again") {
  test::temporary_folder folder;
  const dxbc::compiler_choice choice{.cache_folder = folder.path().c_str()};
  const auto first = dxbc::open_shader_compiler(choice);
  const auto fresh = dxbc::compile(sm4::ps_textured(), {}, first.get());
  REQUIRE(fresh);
  // Somebody who can write to the folder makes the checksum right.
  const auto file = files_of(folder)[0];
  std::string bytes(fs::file_size(file), '\0');
  std::ifstream{file, std::ios::binary}.read(bytes.data(),
                                             static_cast<std::streamsize>(bytes.size()));
  bytes[bytes.size() - 2] ^= 0x40;
  constexpr std::size_t header_bytes = 24, checksum_at = 8;
  const std::uint32_t checksum = crc32(std::as_bytes(std::span{bytes}).subspan(header_bytes));
  std::memcpy(bytes.data() + checksum_at, &checksum, sizeof checksum);
  std::ofstream{file, std::ios::binary} << bytes;
  const auto second = dxbc::open_shader_compiler(choice);
  const auto again = dxbc::compile(sm4::ps_textured(), {}, second.get());
  REQUIRE(again);
  CHECK(again->words == fresh->words);
  CHECK(second->cache().counters().hits == 1);
  CHECK(second->process().counters().answers == 1);
}

TEST_CASE("a backend makes its shader_cache_folder, starts from it, and compiles damage again") {
  test::require_vulkan_device();
  test::temporary_folder folder;
  const auto cached = folder.path() / "shaders";
  CHECK(starts_process(cached));
  REQUIRE(fs::exists(cached));
  CHECK_FALSE(starts_process(cached));
  for (const auto& file : fs::directory_iterator{cached}) flip(file, 40);
  CHECK(starts_process(cached));
  CHECK_FALSE(starts_process(cached));
}
