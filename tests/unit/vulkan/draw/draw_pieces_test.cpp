// SPDX-License-Identifier: MIT
#include "vulkan/draw/draw_pieces.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <vector>

using namespace aerogpu::vulkan;

namespace {

constexpr draw_cost cost{.vertex = 1, .primitive = 10};
constexpr std::uint64_t start = start_of_instance;

auto pieces_of(std::uint32_t count, std::uint32_t instances, const draw_cuts& cuts,
               std::uint64_t most) -> std::vector<draw_piece> {
  std::vector<draw_piece> pieces;
  for (draw_rest left{count, instances}; !left.is_done();) {
    const draw_piece piece = left.next(cuts, cost, most);
    REQUIRE(piece.count != 0);
    REQUIRE(piece.instance_count != 0);
    pieces.push_back(piece);
    left.take(piece, cuts);
    REQUIRE(pieces.size() < 1'000);
  }
  return pieces;
}

/// First vertices of the primitives that are drawn, for each instance in turn.
auto primitives_of(const std::vector<draw_piece>& pieces, const draw_cuts& cuts)
    -> std::vector<std::uint64_t> {
  std::vector<std::uint64_t> drawn;
  for (const draw_piece& piece : pieces) {
    for (std::uint32_t i = 0; i < piece.instance_count; ++i) {
      for (std::uint32_t at = 0; at + cuts.shared + cuts.vertices <= piece.count;
           at += cuts.vertices) {
        drawn.push_back(std::uint64_t{piece.first_instance + i} << 32 | (piece.first + at));
      }
    }
  }
  return drawn;
}

constexpr std::uint64_t everything = UINT64_MAX;

}  // namespace

TEST_CASE("a draw within the bound is one piece", "[vulkan][pieces]") {
  const draw_cuts cuts = cuts_of(AEROGPU_TOPOLOGY_TRIANGLELIST);
  CHECK(pieces_of(6, 2, cuts, 2 * (start + 6 + 20)) == std::vector<draw_piece>{{0, 6, 0, 2}});
}

TEST_CASE("instances are cut first, and vertices where one instance is too much",
          "[vulkan][pieces]") {
  const draw_cuts cuts = cuts_of(AEROGPU_TOPOLOGY_TRIANGLELIST);
  CHECK(pieces_of(6, 3, cuts, 2 * (start + 6 + 20)) ==
        std::vector<draw_piece>{{0, 6, 0, 2}, {0, 6, 2, 1}});
  CHECK(pieces_of(6, 2, cuts, start + 13) ==
        std::vector<draw_piece>{{0, 3, 0, 1}, {3, 3, 0, 1}, {0, 3, 1, 1}, {3, 3, 1, 1}});
}

TEST_CASE("pieces draw each primitive once, in order", "[vulkan][pieces]") {
  const auto topology = GENERATE(AEROGPU_TOPOLOGY_POINTLIST, AEROGPU_TOPOLOGY_LINELIST,
                                 AEROGPU_TOPOLOGY_LINESTRIP, AEROGPU_TOPOLOGY_TRIANGLELIST,
                                 AEROGPU_TOPOLOGY_TRIANGLESTRIP, AEROGPU_TOPOLOGY_LINELIST_ADJ,
                                 AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ, AEROGPU_TOPOLOGY_PATCHLIST_1);
  const draw_cuts cuts = cuts_of(topology);
  for (std::uint32_t count = 1; count < 32; ++count) {
    const auto whole = primitives_of(pieces_of(count, 2, cuts, everything), cuts);
    for (std::uint64_t most = 1; most < 200; most += 7) {
      CAPTURE(topology, count, most);
      CHECK(primitives_of(pieces_of(count, 2, cuts, start + most), cuts) == whole);
    }
  }
}

TEST_CASE("a piece of a triangle strip starts at an even triangle", "[vulkan][pieces]") {
  const draw_cuts cuts = cuts_of(AEROGPU_TOPOLOGY_TRIANGLESTRIP);
  for (const draw_piece& piece : pieces_of(31, 1, cuts, start + 35)) CHECK(piece.first % 2 == 0);
  CHECK(pieces_of(6, 1, cuts, 1) == std::vector<draw_piece>{{0, 4, 0, 1}, {2, 4, 0, 1}});
}

TEST_CASE("pieces stay within the bound where they are more than one primitive",
          "[vulkan][pieces]") {
  const draw_cuts cuts = cuts_of(AEROGPU_TOPOLOGY_TRIANGLELIST);
  for (std::uint64_t most = start + 13; most < start + 200; ++most) {
    const auto pieces = pieces_of(90, 3, cuts, most);
    CHECK(primitives_of(pieces, cuts).size() == 30 * 3);
    for (const draw_piece& piece : pieces) CHECK(work_of(piece, cuts, cost) <= most);
  }
}

TEST_CASE("pieces stay within what a driver may keep of one", "[vulkan][pieces]") {
  const draw_cuts cuts = cuts_of(AEROGPU_TOPOLOGY_TRIANGLELIST);
  constexpr draw_cost kept{.vertex = 1, .primitive = 10, .bytes = 100};
  draw_rest left{30, 2};
  const draw_piece piece = left.next(cuts, kept, everything, 350);
  CHECK(piece == draw_piece{0, 9, 0, 1});
  CHECK(bytes_of(piece, cuts, kept) == 300);
  CHECK(left.next(cuts, kept, start + 26, 350) == draw_piece{0, 6, 0, 1});
  CHECK(left.next(cuts, kept, everything, 1'000) == draw_piece{0, 30, 0, 2});
  CHECK(left.next(cuts, kept, everything, 1) == draw_piece{0, 3, 0, 1});
}

TEST_CASE("a draw that is not cut is of as many primitives as its vertices make",
          "[vulkan][pieces]") {
  draw_cuts cuts = cuts_of(AEROGPU_TOPOLOGY_TRIANGLELIST);
  cuts.of_primitive = 3;
  cuts.vertices = 0;
  constexpr draw_cost kept{.vertex = 0, .primitive = 10, .bytes = 100};
  CHECK(draw_rest{30, 1}.next(cuts, kept, everything, 1) == draw_piece{0, 30, 0, 1});
  CHECK(bytes_of({0, 30, 0, 1}, cuts, kept) == 1'000);
  CHECK(work_of({0, 30, 0, 1}, cuts, kept) == start + 100);
}

TEST_CASE("what cannot be cut between primitives is cut between instances", "[vulkan][pieces]") {
  const draw_cuts fan = cuts_of(AEROGPU_TOPOLOGY_TRIANGLEFAN);
  CHECK(pieces_of(5, 2, fan, 1) == std::vector<draw_piece>{{0, 5, 0, 1}, {0, 5, 1, 1}});
}

TEST_CASE("several instances that cannot be cut stay whole, one may be cut by vertices",
          "[vulkan][pieces]") {
  draw_cuts cuts = cuts_of(AEROGPU_TOPOLOGY_TRIANGLELIST);
  cuts.instances = false;
  CHECK(pieces_of(6, 2, cuts, 1) == std::vector<draw_piece>{{0, 6, 0, 2}});
  CHECK(pieces_of(6, 1, cuts, 1).size() == 2);
}

TEST_CASE("the largest draw has a first piece within the bound", "[vulkan][pieces]") {
  const draw_cuts cuts = cuts_of(AEROGPU_TOPOLOGY_TRIANGLELIST);
  constexpr draw_cost dear{UINT64_MAX / 2, UINT64_MAX / 2};
  draw_rest left{UINT32_MAX, UINT32_MAX};
  CHECK(left.next(cuts, dear, 1) == draw_piece{0, 3, 0, 1});
  const draw_piece piece = left.next(cuts, cost, start + 1'300);
  CHECK(piece == draw_piece{0, 300, 0, 1});
  CHECK(work_of({0, UINT32_MAX, 0, UINT32_MAX}, cuts, dear) == UINT64_MAX);
}

TEST_CASE("instances of no primitive are work too", "[vulkan][pieces]") {
  const draw_cuts cuts = cuts_of(AEROGPU_TOPOLOGY_TRIANGLELIST);
  constexpr std::uint32_t many = 1u << 24;
  CHECK(work_of({0, 1, 0, many}, cuts, cost) >= many * start_of_instance);
  const draw_piece piece = draw_rest{1, UINT32_MAX}.next(cuts, cost, 1ull << 38);
  CHECK(piece.instance_count > 10'000);
  CHECK(piece.instance_count <= 1u << 22);
  CHECK(draw_rest{6, 10'000}.next(cuts, cost, 1ull << 38) == draw_piece{0, 6, 0, 10'000});
}

TEST_CASE("a dispatch is cut into layers, rows and groups, each of which runs once",
          "[vulkan][pieces]") {
  for (std::uint64_t most = 1; most < 70; ++most) {
    CAPTURE(most);
    std::vector<int> runs(3 * 4 * 5);
    for (dispatch_rest left{{3, 4, 5}}; !left.is_done();) {
      const group_box box = left.next(1, most);
      CHECK(std::uint64_t{box.count[0]} * box.count[1] * box.count[2] <= most);
      for (std::uint32_t z = 0; z < box.count[2]; ++z) {
        for (std::uint32_t y = 0; y < box.count[1]; ++y) {
          for (std::uint32_t x = 0; x < box.count[0]; ++x) {
            ++runs.at((box.first[2] + z) * 12 + (box.first[1] + y) * 3 + box.first[0] + x);
          }
        }
      }
      left.take(box);
    }
    CHECK(runs == std::vector<int>(60, 1));
  }
}

TEST_CASE("a dispatch within the bound is one piece", "[vulkan][pieces]") {
  const dispatch_rest left{{65'535, 65'535, 65'535}};
  CHECK(left.next(1, UINT64_MAX) == group_box{{}, {65'535, 65'535, 65'535}});
  CHECK(left.next(UINT64_MAX, 1) == group_box{{}, {1, 1, 1}});
}
