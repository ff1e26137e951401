// SPDX-License-Identifier: MIT
// What each container of the hosted tier, and what a context keeps, does when an allocation fails.
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/heap_map.hpp"
#include "aerogpu/hosted/heap_queue.hpp"
#include "aerogpu/hosted/object_pool.hpp"
#include "aerogpu/hosted/object_table.hpp"
#include "aerogpu/hosted/snapshot_archive.hpp"
#include "aerogpu/processor/context_table.hpp"
#include "aerogpu/processor/snapshot/state_snapshot.hpp"
#include "null/null_backend.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/failing_heap.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// What `call` returns while its first allocation fails, which it must ask for.
template <class Call>
auto without_memory(Call&& call, std::uint64_t allocation = 1) {
  failing_heap::plan(allocation);
  auto answer = [&] {
    const heap_scope armed;
    return call();
  }();
  REQUIRE(failing_heap::has_failed());
  failing_heap::plan(0);
  return answer;
}

auto three_numbers() -> heap_array<int> {
  heap_array<int> array;
  for (const int value : {1, 2, 3}) REQUIRE(array.push_back(value));
  REQUIRE(array.resize(3));
  return array;
}

void check_three(const heap_array<int>& array) {
  CHECK(array.size() == 3);
  CHECK(array.capacity() == 3);
  CHECK(std::ranges::equal(array.view(), std::array{1, 2, 3}));
}

}  // namespace

TEST_CASE("an array that cannot grow is as it was", "[exhaustion]") {
  heap_array<int> array = three_numbers();
  CHECK_FALSE(without_memory([&] { return array.resize(4); }));
  check_three(array);
  CHECK_FALSE(without_memory([&] { return array.resize(2); }));
  check_three(array);
  CHECK_FALSE(without_memory([&] { return array.reserve(4); }));
  check_three(array);
  CHECK_FALSE(without_memory([&] { return array.reserve_more(1); }));
  check_three(array);
  CHECK_FALSE(without_memory([&] { return array.push_back(4); }));
  check_three(array);
  CHECK_FALSE(without_memory([&] { return array.insert(0, 4); }));
  check_three(array);
  const std::array more{4, 5};
  CHECK_FALSE(without_memory([&] { return array.append(more); }));
  check_three(array);
  const std::array others{4, 5, 6, 7};
  CHECK_FALSE(without_memory([&] { return array.assign(others); }));
  CHECK(array.empty());
  CHECK(array.capacity() == 3);
}

TEST_CASE("what an array cannot take in stays the caller's", "[exhaustion]") {
  heap_array<std::unique_ptr<int>> array;
  std::unique_ptr<int> mine{new int{7}};
  CHECK_FALSE(without_memory([&] { return array.push_back(std::move(mine)); }));
  REQUIRE(mine != nullptr);
  CHECK(*mine == 7);
  CHECK(array.empty());
}

TEST_CASE("a map that cannot grow is as it was", "[exhaustion]") {
  enum class key : std::uint32_t {};
  heap_map<key, int> map;
  CHECK(without_memory([&] { return map.insert(key{1}, 1); }) ==
        std::pair<int*, bool>{nullptr, false});
  CHECK(map.empty());
  int count = 0;
  failing_heap::plan(2);  // The first one makes the first slots.
  {
    const heap_scope armed;
    while (map.insert(key{static_cast<std::uint32_t>(count) + 1}, count).second) ++count;
  }
  REQUIRE(failing_heap::has_failed());
  failing_heap::plan(0);
  CHECK(count == 48);
  CHECK(map.size() == 48);
  for (int i = 0; i < count; ++i) {
    const int* const found = map.find(key{static_cast<std::uint32_t>(i) + 1});
    REQUIRE(found != nullptr);
    CHECK(*found == i);
  }
  CHECK_FALSE(without_memory([&] { return map.reserve(49); }));
  CHECK_FALSE(without_memory([&] { return map.reserve_one(); }));
  CHECK(map.reserve_one());
  CHECK(map.insert(key{1}, 9).first == map.find(key{1}));
}

TEST_CASE("a map of a size that no heap has is refused", "[exhaustion]") {
  enum class key : std::uint32_t {};
  heap_map<key, int> map;
  CHECK_FALSE(map.reserve(SIZE_MAX));
  CHECK_FALSE(map.reserve(SIZE_MAX / 2));
  CHECK(map.reserve(48));
  CHECK(map.empty());
}

TEST_CASE("a queue that cannot grow is as it was", "[exhaustion]") {
  heap_queue<std::unique_ptr<int>> queue{8};
  std::unique_ptr<int> item{new int{0}};
  CHECK_FALSE(without_memory([&] { return queue.push_back(std::move(item)); }));
  REQUIRE(item != nullptr);
  REQUIRE(queue.push_back(std::move(item)));
  for (int i = 1; i < 4; ++i) REQUIRE(queue.push_back(std::unique_ptr<int>{new int{i}}));
  static_cast<void>(queue.pop_front());
  REQUIRE(queue.push_back(std::unique_ptr<int>{new int{4}}));
  std::unique_ptr<int> more{new int{5}};
  CHECK_FALSE(without_memory([&] { return queue.push_back(std::move(more)); }));
  REQUIRE(more != nullptr);
  CHECK(*more == 5);
  CHECK_FALSE(without_memory([&] { return queue.reserve(5); }));
  REQUIRE(queue.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(*queue[i] == static_cast<int>(i) + 1);
  CHECK_FALSE(queue.reserve(9));
  CHECK(queue.reserve(8));
  for (std::size_t i = 0; i < 4; ++i) CHECK(*queue[i] == static_cast<int>(i) + 1);
}

TEST_CASE("a table that cannot make room takes nothing in", "[exhaustion]") {
  struct object {
    int value = 0;
    std::uint64_t serial = 0;
  };
  enum class handle : std::uint32_t {};
  object_table<handle, object> table;
  CHECK_FALSE(without_memory([&] { return table.reserve_one(); }));
  CHECK_FALSE(without_memory([&] { return table.reserve_one(); }));
  CHECK(table.size() == 0);
  REQUIRE(table.reserve_one());
  CHECK(table.insert(handle{3}, {7}).value == 7);
}

TEST_CASE("a context without memory is out of memory, and can be made later", "[exhaustion]") {
  context_table<null_backend> contexts;
  const limits most;
  for (const std::uint64_t allocation : {1u, 2u}) {
    CAPTURE(allocation);
    const auto code = without_memory(
        [&] {
          const auto made = contexts.find_or_create(context_id{5}, most);
          return made ? error_code::none : made.why().code;
        },
        allocation);
    CHECK(code == error_code::out_of_memory);
    CHECK(contexts.size() == 0);
    CHECK(contexts.find(context_id{5}) == nullptr);
  }
  CHECK(contexts.find_or_create(context_id{5}, most));
  CHECK(contexts.size() == 1);
}

TEST_CASE("constants without memory stay as they are", "[exhaustion]") {
  constant_file file;
  const std::array<vec4i, 1> ints{vec4i{1, 2, 3, 4}};
  const std::array<vec4f, 1> floats{vec4f{1, 2, 3, 4}};
  CHECK_FALSE(without_memory([&] { return file.set_ints(0, std::as_bytes(std::span{ints})); }));
  CHECK(file.view().ints.empty());
  CHECK_FALSE(without_memory([&] { return file.grow_floats(1); }));
  CHECK(file.view().floats.empty());
  REQUIRE(file.grow_floats(256));
  REQUIRE(file.set_floats(255, std::as_bytes(std::span{floats})));
  CHECK_FALSE(without_memory([&] { return file.grow_floats(257); }));
  CHECK(file.has_floats(256));
  CHECK_FALSE(file.has_floats(257));
  CHECK(file.view().floats[255] == floats[0]);
  REQUIRE(file.set_ints(255, std::as_bytes(std::span{ints})));
  CHECK(file.view().ints[255] == ints[0]);
}

TEST_CASE("constants of a snapshot that find no memory fail the load", "[exhaustion]") {
  constant_file file;
  const std::array<vec4i, 1> ints{vec4i{1, 2, 3, 4}};
  const std::array<vec4f, 1> floats{vec4f{1, 2, 3, 4}};
  REQUIRE(file.set_ints(0, std::as_bytes(std::span{ints})));
  REQUIRE(file.grow_floats(1));
  REQUIRE(file.set_floats(0, std::as_bytes(std::span{floats})));
  snapshot_writer out;
  save_archive saving{out};
  aerogpu::detail::exchange(saving, file);
  for (const std::uint64_t allocation : {1u, 2u}) {
    constant_file loaded;
    snapshot_reader in{out.bytes()};
    const auto code = without_memory(
        [&] {
          load_archive loading{in};
          aerogpu::detail::exchange(loading, loaded);
          return in.why().code;
        },
        allocation);
    CHECK(code == error_code::out_of_memory);
  }
}

TEST_CASE("a snapshot without memory is out of memory", "[exhaustion]") {
  snapshot_writer out;
  const auto code = without_memory([&] {
    out.put(std::uint32_t{1});
    return out.why().code;
  });
  CHECK(code == error_code::out_of_memory);
  CHECK(out.bytes().empty());
}

TEST_CASE("an archive keeps the failure that it is told of", "[exhaustion]") {
  const auto lost = make_error(error_code::device_lost, "lost");
  snapshot_writer out;
  save_archive saving{out};
  CHECK(saving.is_good());
  saving.fail(lost);
  CHECK(out.why().code == error_code::device_lost);
  CHECK_FALSE(saving.is_good());
  CHECK_FALSE(saving.require(true, "fails after a failure"));
  CHECK(saving.count(3, 9) == 0);
  snapshot_reader in{{}};
  load_archive loading{in};
  CHECK(loading.is_good());
  loading.fail(lost);
  CHECK(in.why().code == error_code::device_lost);
  CHECK_FALSE(loading.is_good());
}
