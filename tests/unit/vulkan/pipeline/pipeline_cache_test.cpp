// SPDX-License-Identifier: MIT
#include "vulkan/pipeline/pipeline_cache.hpp"

#include "aerogpu/core/bytes.hpp"
#include "tests/catch.hpp"
#include "tests/unit/vulkan/test_gpu.hpp"
#include "vulkan/pipeline/pipeline_cache_file.hpp"
#include "vulkan/pipeline/pipeline_compiler.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

/// A new folder that ends with its contents.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "aerogpu-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~scratch_folder() {
    std::error_code code;
    std::filesystem::remove_all(path_, code);
  }
  scratch_folder(const scratch_folder&) = delete;
  auto operator=(const scratch_folder&) -> scratch_folder& = delete;

  [[nodiscard]] auto file(const char* name) const -> std::string { return (path_ / name).string(); }
  [[nodiscard]] auto count() const -> std::ptrdiff_t {
    return std::distance(std::filesystem::directory_iterator{path_}, {});
  }

 private:
  std::filesystem::path path_;
};

auto some_device() -> VkPhysicalDeviceProperties {
  VkPhysicalDeviceProperties device{};
  device.vendorID = 0x1002;
  device.deviceID = 0x73BF;
  for (std::size_t i = 0; i < VK_UUID_SIZE; ++i) {
    device.pipelineCacheUUID[i] = static_cast<std::uint8_t>(i + 1);
  }
  return device;
}

/// What the driver of `device` could have made.
auto cache_of(const VkPhysicalDeviceProperties& device) -> std::vector<std::byte> {
  VkPipelineCacheHeaderVersionOne header{};
  header.headerSize = sizeof header;
  header.headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE;
  header.vendorID = device.vendorID;
  header.deviceID = device.deviceID;
  std::copy(std::begin(device.pipelineCacheUUID), std::end(device.pipelineCacheUUID),
            std::begin(header.pipelineCacheUUID));
  std::vector<std::byte> bytes(sizeof header + 100, std::byte{0x77});
  store(bytes.data(), header);
  return bytes;
}

auto read_all(const std::string& path) -> std::string {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

void write_all(const std::string& path, const std::string& bytes) {
  std::ofstream file{path, std::ios::binary};
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

constexpr std::size_t wrapper_bytes = 24;
const std::string no_file;

void save(const std::string& path, const std::vector<std::byte>& bytes) {
  REQUIRE(static_cast<bool>(save_pipeline_cache(path, bytes)));
}

void check_unused(const std::string& path, const std::string& warning) {
  const auto loaded = load_pipeline_cache(path, some_device());
  CHECK(loaded.bytes.empty());
  CHECK(loaded.warning == warning);
}

}  // namespace

TEST_CASE("a pipeline cache comes back as it was saved", "[vulkan][cache]") {
  const scratch_folder folder;
  const auto bytes = cache_of(some_device());
  save(folder.file("cache"), bytes);
  const auto loaded = load_pipeline_cache(folder.file("cache"), some_device());
  CHECK(std::ranges::equal(loaded.bytes, bytes));
  CHECK(std::string{loaded.warning}.empty());
}

TEST_CASE("saving replaces the file and leaves no other behind", "[vulkan][cache]") {
  const scratch_folder folder;
  save(folder.file("cache"), std::vector<std::byte>(4000));
  const auto bytes = cache_of(some_device());
  save(folder.file("cache"), bytes);
  CHECK(std::ranges::equal(load_pipeline_cache(folder.file("cache"), some_device()).bytes, bytes));
  CHECK(folder.count() == 1);
}

TEST_CASE("no file is an empty cache without a warning", "[vulkan][cache]") {
  const scratch_folder folder;
  check_unused(folder.file("nothing"), "");
}

TEST_CASE("a cache of another device or driver is not used", "[vulkan][cache]") {
  const scratch_folder folder;
  auto device = some_device();
  SECTION("another vendor") {
    ++device.vendorID;
    save(folder.file("cache"), cache_of(device));
    check_unused(folder.file("cache"), "the pipeline cache is of another device");
  }
  SECTION("another device") {
    ++device.deviceID;
    save(folder.file("cache"), cache_of(device));
    check_unused(folder.file("cache"), "the pipeline cache is of another device");
  }
  SECTION("another driver") {
    device.pipelineCacheUUID[VK_UUID_SIZE - 1] ^= 1;
    save(folder.file("cache"), cache_of(device));
    check_unused(folder.file("cache"), "the pipeline cache is of another driver");
  }
}

TEST_CASE("a cache whose own header is odd is not used", "[vulkan][cache]") {
  const scratch_folder folder;
  auto bytes = cache_of(some_device());
  SECTION("too short for a header") {
    bytes.resize(31);
    save(folder.file("cache"), bytes);
    check_unused(folder.file("cache"), "the pipeline cache is shorter than its header");
  }
  SECTION("just the header") {
    bytes.resize(32);
    save(folder.file("cache"), bytes);
    CHECK(
        std::ranges::equal(load_pipeline_cache(folder.file("cache"), some_device()).bytes, bytes));
  }
  SECTION("another header size") {
    store(bytes.data(), std::uint32_t{33});
    save(folder.file("cache"), bytes);
    check_unused(folder.file("cache"), "the pipeline cache has a header of an unknown version");
  }
  SECTION("another version") {
    store(bytes.data() + 4, std::uint32_t{2});
    save(folder.file("cache"), bytes);
    check_unused(folder.file("cache"), "the pipeline cache has a header of an unknown version");
  }
}

TEST_CASE("a file that is cut anywhere, or is longer, is not used", "[vulkan][cache]") {
  const scratch_folder folder;
  save(folder.file("good"), cache_of(some_device()));
  const std::string whole = read_all(folder.file("good"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_all(folder.file("cut"), whole.substr(0, size));
    check_unused(folder.file("cut"), size < wrapper_bytes
                                         ? "the file is not a pipeline cache"
                                         : "the pipeline cache is not as long as it states");
  }
  write_all(folder.file("longer"), whole + "x");
  check_unused(folder.file("longer"), "the pipeline cache is not as long as it states");
}

TEST_CASE("a file with any byte changed is not used", "[vulkan][cache]") {
  const scratch_folder folder;
  save(folder.file("good"), cache_of(some_device()));
  const std::string whole = read_all(folder.file("good"));
  constexpr std::size_t reserved = 20;  // Ignored when read, as room for later versions.
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    write_all(folder.file("damaged"), damaged);
    const auto loaded = load_pipeline_cache(folder.file("damaged"), some_device());
    INFO("byte " << i);
    CHECK(loaded.bytes.empty() == (i < reserved || i >= wrapper_bytes));
  }
}

TEST_CASE("a size that no cache has is refused before memory is taken", "[vulkan][cache]") {
  const scratch_folder folder;
  save(folder.file("cache"), cache_of(some_device()));
  std::string bytes = read_all(folder.file("cache"));
  for (std::size_t i = 8; i < 16; ++i) bytes[i] = static_cast<char>(0xFF);
  write_all(folder.file("cache"), bytes);
  check_unused(folder.file("cache"), "the pipeline cache states more bytes than any cache has");
}

TEST_CASE("a folder or garbage in place of the file is not used", "[vulkan][cache]") {
  const scratch_folder folder;
  write_all(folder.file("garbage"), std::string(5000, '\x5C'));
  check_unused(folder.file("garbage"), "the file is not a pipeline cache");
  std::filesystem::create_directory(folder.file("folder"));
  check_unused(folder.file("folder"), "the file is not a pipeline cache");
}

TEST_CASE("a file that cannot be written is an error and leaves nothing", "[vulkan][cache]") {
  const scratch_folder folder;
  const auto bytes = cache_of(some_device());
  const auto no_folder = save_pipeline_cache(folder.file("missing/cache"), bytes);
  CHECK(no_folder.why().code == error_code::no_space);
  std::filesystem::create_directory(folder.file("taken"));
  const auto is_folder = save_pipeline_cache(folder.file("taken"), bytes);
  CHECK(is_folder.why().code == error_code::no_space);
  CHECK(folder.count() == 1);
}

TEST_CASE("a device starts from its own file and from nothing else", "[vulkan][cache][gpu]") {
  const scratch_folder folder;
  const std::string file = folder.file("cache");
  test_gpu device;
  {
    const auto cache = pipeline_cache::create(*device, file);
    REQUIRE(static_cast<bool>(cache));
    CHECK((*cache)->handle() != VK_NULL_HANDLE);
    CHECK(std::string{(*cache)->warning()}.empty());
    CHECK(static_cast<bool>((*cache)->save()));
  }
  const std::string written = read_all(folder.file("cache"));
  CHECK(written.size() >= wrapper_bytes + sizeof(VkPipelineCacheHeaderVersionOne));
  CHECK_FALSE(load_pipeline_cache(folder.file("cache"), device->properties).bytes.empty());
  {
    auto again = pipeline_cache::create(*device, file);
    REQUIRE(static_cast<bool>(again));
    CHECK(std::string{(*again)->warning()}.empty());
  }
  write_all(folder.file("cache"), "garbage");
  {
    const auto warned = pipeline_cache::create(*device, file);
    REQUIRE(static_cast<bool>(warned));
    CHECK(std::string{(*warned)->warning()} == "the file is not a pipeline cache");
    CHECK(static_cast<bool>((*warned)->save()));
  }
  CHECK(read_all(folder.file("cache")) == written);
  device.close();
}

TEST_CASE("a backend starts from its pipeline_cache_file, which it writes as it ends",
          "[vulkan][cache][gpu]") {
  const scratch_folder folder;
  const auto open = [file = folder.file("cache")] {
    backend_options options;
    options.pipeline_cache_file = file;
    auto made = vulkan_backend::create(options);
    REQUIRE(made);
    return *std::move(made);
  };
  open().reset();
  const std::string written = read_all(folder.file("cache"));
  CHECK(written.size() >= wrapper_bytes + sizeof(VkPipelineCacheHeaderVersionOne));
  {
    const auto again = open();
    std::filesystem::remove(folder.file("cache"));
  }
  CHECK(folder.count() == 0);  // Nothing was added to what it started from.
  write_all(folder.file("cache"), "garbage");
  open().reset();
  CHECK(read_all(folder.file("cache")) == written);
}

TEST_CASE("what the file holds counts into the driver's cache", "[vulkan][cache][gpu]") {
  const scratch_folder folder;
  const std::string file = folder.file("cache");
  test_gpu device;
  {
    const auto compiler = pipeline_compiler::create(*device, file);
    REQUIRE(static_cast<bool>(compiler));
    CHECK((*compiler)->cached_bytes() == 0);
    (*compiler)->save_cache();
  }
  {
    const auto again = pipeline_compiler::create(*device, file);
    REQUIRE(static_cast<bool>(again));
    CHECK((*again)->cached_bytes() == read_all(file).size() - wrapper_bytes);
  }
  device.close();
}

TEST_CASE("a cache that did not change is not written again", "[vulkan][cache][gpu]") {
  const scratch_folder folder;
  const std::string file = folder.file("cache");
  test_gpu device;
  {
    const auto cache = pipeline_cache::create(*device, file);
    REQUIRE(static_cast<bool>(cache));
    REQUIRE(static_cast<bool>((*cache)->save()));
    std::filesystem::remove(folder.file("cache"));
    CHECK(static_cast<bool>((*cache)->save()));
  }
  CHECK(folder.count() == 0);
  device.close();
}

TEST_CASE("a cache without a path lives in memory alone", "[vulkan][cache][gpu]") {
  test_gpu device;
  {
    const auto cache = pipeline_cache::create(*device, no_file);
    REQUIRE(static_cast<bool>(cache));
    CHECK(static_cast<bool>((*cache)->save()));
  }
  device.close();
}

TEST_CASE("the driver's failure to make a cache is an error", "[vulkan][cache][gpu]") {
  gpu device;
  device.vk.vkCreatePipelineCache = [](VkDevice, const VkPipelineCacheCreateInfo*,
                                       const VkAllocationCallbacks*,
                                       VkPipelineCache*) { return VK_ERROR_OUT_OF_HOST_MEMORY; };
  device.vk.vkDestroyPipelineCache = [](VkDevice, VkPipelineCache, const VkAllocationCallbacks*) {};
  const auto cache = pipeline_cache::create(device, no_file);
  REQUIRE_FALSE(static_cast<bool>(cache));
  CHECK(cache.why().code == error_code::out_of_memory);
}
