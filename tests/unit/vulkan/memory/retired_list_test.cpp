// SPDX-License-Identifier: MIT
// How long records are kept of objects that went.
#include "vulkan/memory/retired_list.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

using namespace aerogpu::vulkan;

namespace {

/// Notes its end, and whether others still hang on it then.
struct retired_record {
  retired_record(int number, std::vector<int>& log) : number_(number), log_(log) {}
  retired_record(const retired_record&) = delete;
  auto operator=(const retired_record&) -> retired_record& = delete;
  ~retired_record() {
    CHECK(next_retired == nullptr);
    log_.push_back(number_);
  }

  std::unique_ptr<retired_record> next_retired;

 private:
  int number_;
  std::vector<int>& log_;
};

struct retired_fixture {
  void retire(int number, std::uint64_t batch) {
    list.add(std::make_unique<retired_record>(number, gone), batch);
  }

  std::vector<int> gone;  // Outlives the list.
  retired_list<retired_record> list;
};

}  // namespace

TEST_CASE("retired_list: records of one batch are kept, also of the one with number 0",
          "[vulkan][retired_list]") {
  const std::uint64_t batch = GENERATE(0u, 1u, UINT64_MAX);
  retired_fixture f;
  f.retire(1, batch);
  f.retire(2, batch);
  f.retire(3, batch);
  CHECK(f.gone.empty());
}

TEST_CASE("retired_list: those of a batch go with the first record of another",
          "[vulkan][retired_list]") {
  retired_fixture f;
  f.retire(1, 5);
  f.retire(2, 5);
  f.retire(3, 6);
  CHECK(f.gone == std::vector{2, 1});
  f.retire(4, 6);
  CHECK(f.gone == std::vector{2, 1});
  f.retire(5, 7);
  CHECK(f.gone == std::vector{2, 1, 4, 3});
}

TEST_CASE("retired_list: a batch of a device that begins anew is another one",
          "[vulkan][retired_list]") {
  retired_fixture f;
  f.retire(1, 5);
  f.retire(2, 1);
  CHECK(f.gone == std::vector{1});
}

TEST_CASE("retired_list: clear lets all go, and the list takes records again",
          "[vulkan][retired_list]") {
  retired_fixture f;
  f.list.clear();
  f.retire(1, 5);
  f.retire(2, 5);
  f.list.clear();
  CHECK(f.gone == std::vector{2, 1});
  f.retire(3, 5);
  f.list.clear();
  CHECK(f.gone == std::vector{2, 1, 3});
}

TEST_CASE("retired_list: records go one by one at its end, too", "[vulkan][retired_list]") {
  std::vector<int> gone;
  {
    retired_list<retired_record> list;
    for (int i = 0; i < 3; ++i) list.add(std::make_unique<retired_record>(i, gone), 1);
  }
  CHECK(gone == std::vector{2, 1, 0});
}
