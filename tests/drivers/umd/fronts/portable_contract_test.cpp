// SPDX-License-Identifier: MIT
/// What a runtime of profile U catches of a driver that breaks the rules of its buffers.
#include "aerogpu/abi/win7_dma.h"
#include "drivers/sim/runtime/portable/context.hpp"
#include "tests/catch.hpp"

#include <cstring>
#include <functional>
#include <vector>

namespace aerogpu::test {

namespace {

namespace u = d3d9ddi_u;
using rule = sim::contract_rule;

/// A context that lends its buffers, and a driver that submits an empty stream of them.
struct lending_rig {
  explicit lending_rig(const sim::portable_variance& chosen = {}) : how(chosen) {
    if (how.lending == sim::portable_lending::allocated) {
      answer.DmaBufferSize = 512;
      answer.AllocationListSize = 8;
      answer.DmaBufferPrivateDataSize = 16;
      REQUIRE(context.allocate(answer) == S_OK);
    } else if (how.lending == sim::portable_lending::borrowed) {
      REQUIRE(context.borrow(answer) == S_OK);
    } else {
      u::D3DDDIARG_CREATECONTEXT made{};
      context.lend(made);
      answer.pCommandBuffer = made.pCommandBuffer;
      answer.CommandBufferSize = made.CommandBufferSize;
      answer.pAllocationList = made.pAllocationList;
      answer.AllocationListSize = made.AllocationListSize;
      answer.pPatchLocationList = made.pPatchLocationList;
      answer.pDmaBufferPrivateData = made.pDmaBufferPrivateData;
    }
    work.commands = answer.pCommandBuffer;
    work.command_bytes = 24;
    work.capacity = 448;
    work.list = answer.pAllocationList;
    work.patches = answer.pPatchLocationList;
    work.private_data = answer.pDmaBufferPrivateData;
    work.private_bytes = sizeof stamp;
    type(AEROGPU_SUBMIT_RENDER);
  }
  void type(std::uint32_t as) {
    stamp.Type = as;
    std::memcpy(answer.pDmaBufferPrivateData, &stamp, sizeof stamp);
  }
  [[nodiscard]] auto private_bytes() -> std::byte* {
    return static_cast<std::byte*>(answer.pDmaBufferPrivateData);
  }
  [[nodiscard]] auto broken() -> std::vector<rule> {
    std::vector<rule> all;
    for (const auto& one : rules.take()) all.push_back(one.rule);
    return all;
  }

  sim::contract rules;
  sim::space_policy policy;
  sim::portable_variance how;
  sim::portable_counts counts;
  sim::command_spaces spaces{rules, policy, {512, 8}, 4, sizeof(u::D3DDDI_ALLOCATIONLIST)};
  sim::portable_context context{rules, how, spaces, counts};
  u::D3DDDICB_ALLOCATE answer{};
  AEROGPU_DMA_PRIV stamp{};
  sim::portable_work work;
  sim::callback through = sim::callback::render;
};

struct misdeed {
  const char* name;
  std::function<void(lending_rig&)> act;
  rule broken;
};

[[nodiscard]] auto misdeeds() -> std::vector<misdeed> {
  return {
      {"another command buffer", [](auto& r) { r.work.commands = &r; }, rule::stale_buffer},
      {"another list",
       [](auto& r) { r.work.list = reinterpret_cast<const u::D3DDDI_ALLOCATIONLIST*>(&r); },
       rule::stale_buffer},
      {"no patch list", [](auto& r) { r.work.patches = nullptr; }, rule::stale_buffer},
      {"patches", [](auto& r) { r.work.used_patches = 1; }, rule::bad_argument},
      {"a fence to begin with", [](auto& r) { r.work.outputs_are_zero = false; },
       rule::bad_argument},
      {"too many bytes", [](auto& r) { r.work.command_bytes = 513; }, rule::command_overrun},
      {"too much room", [](auto& r) { r.work.capacity = 513; }, rule::command_overrun},
      {"too many entries", [](auto& r) { r.work.used_entries = 9; }, rule::command_overrun},
      {"no private data", [](auto& r) { r.work.private_data = nullptr; }, rule::bad_argument},
      {"all of the private data", [](auto& r) { r.work.private_bytes = 40; }, rule::bad_argument},
      {"no type", [](auto& r) { r.type(0); }, rule::bad_argument},
      {"the kernel's type", [](auto& r) { r.type(AEROGPU_SUBMIT_PAGING); }, rule::bad_argument},
      {"a reserved member",
       [](auto& r) {
         r.stamp.Reserved0 = 1;
         r.type(AEROGPU_SUBMIT_RENDER);
       },
       rule::bad_argument},
      {"a handle",
       [](auto& r) {
         r.stamp.MetaHandle = 1;
         r.type(AEROGPU_SUBMIT_RENDER);
       },
       rule::bad_argument},
      {"private data behind the first 16 bytes",
       [](auto& r) { r.private_bytes()[16] = std::byte{0}; }, rule::bad_argument},
      {"private data that is not stamped", [](auto& r) { r.context.renew(nullptr); },
       rule::bad_argument},
      {"a present that is typed as rendering", [](auto& r) { r.through = sim::callback::present; },
       rule::bad_argument},
      {"a present bit that nobody announced", [](auto& r) { r.work.has_present_bit = true; },
       rule::bad_argument},
      {"commands behind the buffer",
       [](auto& r) { static_cast<std::byte*>(r.answer.pCommandBuffer)[512] = std::byte{1}; },
       rule::command_overrun},
  };
}

}  // namespace

TEST_CASE("a submission of profile U that breaks no rule counts as what it is",
          "[sim][contract][portable]") {
  using lending = sim::portable_lending;
  sim::portable_variance how;
  how.lending = GENERATE(lending::rotating, lending::kept, lending::borrowed, lending::allocated);
  how.private_bytes = GENERATE(16u, 40u);
  lending_rig r{how};
  CHECK(r.context.check(sim::callback::render, r.work));
  CHECK_FALSE(r.context.is_present());
  r.type(AEROGPU_SUBMIT_PRESENT);
  CHECK(r.context.check(sim::callback::present, r.work));
  CHECK(r.context.is_present());
  CHECK(r.counts.render_typed == 1);
  CHECK(r.counts.present_typed == 1);
  CHECK(r.broken().empty());
}

TEST_CASE("each breach of a submission of profile U is caught",
          "[sim][contract][portable][T010][T011][T020]") {
  sim::portable_variance how;
  how.private_bytes = 40;
  how.lending = sim::portable_lending::kept;
  const auto does = GENERATE(from_range(misdeeds()));
  CAPTURE(does.name);
  lending_rig r{how};
  does.act(r);
  static_cast<void>(r.context.check(r.through, r.work));
  CHECK(r.broken() == std::vector<rule>{does.broken});
}

TEST_CASE("a buffer of profile U that went back is submitted by nobody",
          "[sim][contract][portable][T015]") {
  using lending = sim::portable_lending;
  sim::portable_variance how;
  how.lending = GENERATE(lending::rotating, lending::borrowed, lending::allocated);
  lending_rig r{how};
  u::D3DDDICB_RENDER renewed{};
  r.context.renew(&renewed);
  if (how.lending == lending::allocated) {
    u::D3DDDICB_DEALLOCATE gone{};
    gone.pDmaBuffer = r.answer.pDmaBuffer;
    gone.pAllocationList = r.answer.pAllocationList;
    CHECK(r.context.give_back(gone) == S_OK);
    CHECK(r.context.give_back(gone) == E_INVALIDARG);
    CHECK(r.broken() == std::vector<rule>{rule::unknown_handle});
  }
  CHECK_FALSE(r.context.check(sim::callback::render, r.work));
  CHECK(r.broken() == std::vector<rule>{rule::stale_buffer});
  const bool has_new = renewed.pNewCommandBuffer != nullptr;
  CHECK(has_new == (how.lending == lending::rotating));
}

TEST_CASE("buffers of AllocateCb that never go back are missed",
          "[sim][contract][portable][T016]") {
  sim::portable_variance how;
  how.lending = sim::portable_lending::allocated;
  lending_rig r{how};
  r.context.close("DestroyContextCb");
  CHECK(r.broken() == std::vector<rule>{rule::leaked_object});
}

}  // namespace aerogpu::test
