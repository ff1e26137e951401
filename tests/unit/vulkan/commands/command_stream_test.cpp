// SPDX-License-Identifier: MIT
#include "vulkan/commands/command_stream.hpp"

#include "tests/catch.hpp"

#include <cstdint>

using namespace aerogpu::vulkan;

namespace {

std::uint32_t barrier_count = 0;

void count_barrier(VkCommandBuffer, const VkDependencyInfo*) {
  ++barrier_count;
}

/// A stream whose barriers are counted.
struct stream_fixture {
  stream_fixture() {
    barrier_count = 0;
    vk.vkCmdPipelineBarrier2 = count_barrier;
    stream.begin(VK_NULL_HANDLE);
  }
  auto barriers_of(access_epochs& resource, access_kind kind) -> std::uint32_t {
    const std::uint32_t before = barrier_count;
    stream.use(resource, kind);
    static_cast<void>(stream.record());
    return barrier_count - before;
  }

  VolkDeviceTable vk{};
  std::uint64_t epoch = 0;
  command_stream stream{vk, epoch};
};

}  // namespace

TEST_CASE("only uses of which one writes need a barrier between them", "[command_stream]") {
  stream_fixture f;
  access_epochs resource;
  CHECK(f.barriers_of(resource, access_kind::read) == 0);
  CHECK(f.barriers_of(resource, access_kind::read) == 0);
  CHECK(f.barriers_of(resource, access_kind::write) == 1);
  CHECK(f.barriers_of(resource, access_kind::write) == 1);
  CHECK(f.barriers_of(resource, access_kind::read) == 1);
  CHECK(f.barriers_of(resource, access_kind::read) == 0);
}

TEST_CASE("what was announced before a barrier comes behind it", "[command_stream]") {
  stream_fixture f;
  access_epochs early, written;
  CHECK(f.barriers_of(written, access_kind::write) == 0);
  f.stream.use(early, access_kind::read);
  CHECK(f.barriers_of(written, access_kind::read) == 1);
  CHECK(f.barriers_of(early, access_kind::write) == 1);
}

TEST_CASE("a resource that goes after its use was announced is not touched again",
          "[command_stream]") {
  stream_fixture f;
  access_epochs gone, written;
  CHECK(f.barriers_of(written, access_kind::write) == 0);
  f.stream.use(gone, access_kind::read);
  f.stream.forget(gone);
  gone = {};
  CHECK(f.barriers_of(written, access_kind::read) == 1);
  CHECK(gone.read == 0);
}
