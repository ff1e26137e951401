// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/ddi/ddi_device.hpp"
#include "tests/drivers/support/running_runtime.hpp"
#include "tests/drivers/umd/rigs/fake_umd.hpp"

#include <optional>
#include <thread>

using namespace aerogpu;
using rule = sim::contract_rule;
using test::umd_misdeed;
using entry = D3DDDI_DEVICEFUNCS;

namespace {

/// One process with one adapter and one device of the fake driver.
struct contract_session {
  explicit contract_session(umd_misdeed does = umd_misdeed::none,
                            const sim::runtime_options& options = {})
      : w(test::use_fake_umd(does), options), process(w.runtime, 7), adapter(process) {}
  void open() { REQUIRE(adapter.open(9) == S_OK); }
  void create() {
    open();
    device.emplace(adapter);
    REQUIRE(device->create() == S_OK);
  }
  [[nodiscard]] auto surface(UINT flags = 0) -> D3DDDIARG_CREATERESOURCE {
    D3DDDIARG_CREATERESOURCE wanted{};
    wanted.Format = D3DDDIFMT_A8R8G8B8;
    wanted.Pool = D3DDDIPOOL_VIDEOMEMORY;
    wanted.pSurfList = &size;
    wanted.SurfCount = 1;
    wanted.Flags.Value = flags;
    wanted.Rotation = D3DDDI_ROTATION_IDENTITY;
    return wanted;
  }
  void flush() { static_cast<void>(device->call<&entry::pfnFlush>()); }
  /// The device and the adapter go, and what was broken comes out.
  [[nodiscard]] auto end() -> std::vector<rule> {
    device.reset();
    if (adapter.is_open()) adapter.close();
    return w.take_breaches();
  }

  static constexpr UINT render_target = 1;
  static constexpr UINT shared = 0x800;
  const D3DDDI_SURFACEINFO size{64, 32, 0, nullptr, 0, 0};
  test::running_runtime<> w;
  sim::d3d9_process process;
  sim::ddi_adapter adapter;
  std::optional<sim::ddi_device> device;
};

using rules = std::vector<rule>;

}  // namespace

TEST_CASE("a driver that keeps the rules breaks none, whatever it is asked", "[sim][contract]") {
  contract_session s;
  s.create();
  std::array<std::byte, 304> caps{};
  CHECK(s.adapter.get_caps(D3DDDICAPS_GETD3D9CAPS, {}, caps) == S_OK);
  sim::ddi_resource plain;
  sim::ddi_resource shared;
  REQUIRE(s.device->create_resource(s.surface(), plain) == S_OK);
  REQUIRE(s.device->create_resource(s.surface(s.shared | s.render_target), shared) == S_OK);
  CHECK(s.device->share_of(plain) == 0);
  CHECK(s.device->share_of(shared) != 0);
  D3DDDIARG_LOCK lock{};
  lock.hResource = plain.driver;
  CHECK(s.device->lock(lock) == S_OK);
  CHECK(lock.pSurfData != nullptr);
  CHECK(lock.Pitch == 256);
  const D3DDDIARG_UNLOCK unlock{plain.driver, 0, {}};
  CHECK(s.device->send<&entry::pfnUnlock>(unlock) == S_OK);
  for (int i = 0; i < 5; ++i) CHECK(s.device->call<&entry::pfnFlush>() == S_OK);
  CHECK(s.device->submissions() == 5);
  CHECK(s.device->destroy_resource(plain) == S_OK);
  CHECK(s.device->destroy_resource(shared) == S_OK);
  CHECK(s.end().empty());
  CHECK(test::the_fake_umd().live_adapters == 0);
  CHECK(test::the_fake_umd().live_devices == 0);
  CHECK(test::the_fake_umd().live_resources == 0);
}

TEST_CASE("each breach of opening an adapter is caught", "[sim][contract]") {
  const auto [does, broken] = GENERATE(Catch::Generators::table<umd_misdeed, rule>(
      {{umd_misdeed::report_vista_version, rule::wrong_version},
       {umd_misdeed::leave_adapter_entry_null, rule::missing_entry},
       {umd_misdeed::write_behind_adapter_table, rule::table_overrun},
       {umd_misdeed::give_no_adapter_handle, rule::missing_handle}}));
  contract_session s{does};
  s.open();
  CHECK(s.end() == rules{broken});
}

TEST_CASE("each breach of GetCaps is caught", "[sim][contract]") {
  const auto [does, broken] = GENERATE(Catch::Generators::table<umd_misdeed, rule>(
      {{umd_misdeed::keep_adapter_callbacks, rule::kept_callback_table},
       {umd_misdeed::write_behind_caps, rule::structure_overrun},
       {umd_misdeed::change_data_size, rule::input_changed}}));
  contract_session s{does};
  s.open();
  std::array<std::byte, 4> count{};
  CHECK(s.adapter.get_caps(D3DDDICAPS_GETFORMATCOUNT, {}, count) == S_OK);
  CHECK(s.end() == rules{broken});
}

TEST_CASE("each breach of making a device is caught", "[sim][contract]") {
  const auto [does, broken] = GENERATE(Catch::Generators::table<umd_misdeed, rule>(
      {{umd_misdeed::leave_entry_null, rule::missing_entry},
       {umd_misdeed::leave_one_async_lock_null, rule::missing_entry},
       {umd_misdeed::write_into_default_context, rule::stale_buffer}}));
  contract_session s{does};
  s.create();
  CHECK(s.end() == rules{broken});
}

TEST_CASE("an entry behind the 121st is caught at once and at the end", "[sim][contract]") {
  contract_session s{umd_misdeed::write_behind_device_table};
  s.create();
  CHECK(s.w.take_breaches() == rules{rule::table_overrun});
  CHECK(s.end() == rules{rule::table_overrun});
}

TEST_CASE("LockAsync, UnlockAsync and Rename may be missing together", "[sim][contract]") {
  contract_session s;
  test::the_fake_umd().has_async_locks = false;
  s.create();
  CHECK(s.end().empty());
}

TEST_CASE("each breach of creating a resource is caught", "[sim][contract]") {
  const auto [does, flags, broken] = GENERATE(Catch::Generators::table<umd_misdeed, UINT, rule>(
      {{umd_misdeed::give_no_resource_handle, 0u, rule::missing_handle},
       {umd_misdeed::keep_runtime_resource_handle, 0u, rule::missing_handle},
       {umd_misdeed::change_surface_list, 0u, rule::input_changed},
       {umd_misdeed::share_without_allocation, 0x801u, rule::bad_argument},
       {umd_misdeed::allocate_shared_twice, 0x801u, rule::bad_argument},
       {umd_misdeed::name_unknown_resource, 0x801u, rule::unknown_handle}}));
  contract_session s{does};
  s.create();
  sim::ddi_resource made;
  const auto result = s.device->create_resource(s.surface(flags), made);
  CHECK(result == (does == umd_misdeed::name_unknown_resource ? E_OUTOFMEMORY : S_OK));
  CHECK(s.w.take_breaches() == rules{broken});
  test::the_fake_umd().does = umd_misdeed::none;
  const bool is_usable = made.driver != nullptr && made.driver != made.runtime;
  if (is_usable) CHECK(s.device->destroy_resource(made) == S_OK);
  CHECK(s.end().empty());
}

TEST_CASE("a shared resource whose allocation outlives it is caught", "[sim][contract]") {
  contract_session s{umd_misdeed::leak_shared_allocation};
  s.create();
  sim::ddi_resource made;
  REQUIRE(s.device->create_resource(s.surface(s.shared), made) == S_OK);
  CHECK(s.device->destroy_resource(made) == S_OK);
  CHECK(s.end() == rules{rule::leaked_object});
}

TEST_CASE("each breach of Lock is caught", "[sim][contract]") {
  const auto [does, broken] = GENERATE(Catch::Generators::table<umd_misdeed, rule>(
      {{umd_misdeed::write_behind_structure, rule::structure_overrun},
       {umd_misdeed::change_input, rule::input_changed},
       {umd_misdeed::give_no_memory, rule::missing_handle}}));
  contract_session s{does};
  s.create();
  sim::ddi_resource made;
  REQUIRE(s.device->create_resource(s.surface(), made) == S_OK);
  D3DDDIARG_LOCK lock{};
  lock.hResource = made.driver;
  CHECK(s.device->lock(lock) == S_OK);
  CHECK(s.device->destroy_resource(made) == S_OK);
  CHECK(s.end() == rules{broken});
}

TEST_CASE("a result that no DDI knows is caught", "[sim][contract]") {
  contract_session s{umd_misdeed::invent_result};
  s.create();
  const D3DDDIARG_RENDERSTATE state{D3DDDIRS_ZENABLE, 1};
  CHECK(FAILED(s.device->send<&entry::pfnSetRenderState>(state)));
  CHECK(s.end() == rules{rule::odd_result});
}

TEST_CASE("each breach of a callback is caught where it is made", "[sim][contract]") {
  const auto [does, broken] = GENERATE(Catch::Generators::table<umd_misdeed, rule>(
      {{umd_misdeed::keep_device_callbacks, rule::kept_callback_table},
       {umd_misdeed::call_back_without_structure, rule::bad_argument},
       {umd_misdeed::fill_reserved, rule::bad_argument},
       {umd_misdeed::use_unknown_context, rule::unknown_handle},
       {umd_misdeed::list_unknown_allocation, rule::unknown_handle},
       {umd_misdeed::overrun_command_bytes, rule::command_overrun},
       {umd_misdeed::overrun_list_entries, rule::command_overrun},
       {umd_misdeed::write_behind_commands, rule::command_overrun},
       {umd_misdeed::write_behind_list, rule::command_overrun},
       {umd_misdeed::render_while_locked, rule::rendered_while_locked},
       {umd_misdeed::ignore_sync, rule::forbidden_lock},
       {umd_misdeed::discard_in_kernel, rule::forbidden_lock},
       {umd_misdeed::lock_both_ways, rule::bad_argument},
       {umd_misdeed::unlock_twice, rule::unpaired_lock},
       {umd_misdeed::free_while_locked, rule::unpaired_lock},
       {umd_misdeed::free_twice, rule::unknown_handle},
       {umd_misdeed::present_outside, rule::misplaced_present},
       {umd_misdeed::set_mode_outside, rule::stray_callback}}));
  contract_session s{does};
  s.create();
  s.flush();
  CHECK(s.w.take_breaches() == rules{broken});
  test::the_fake_umd().does = umd_misdeed::none;
  CHECK(s.end().empty());
}

TEST_CASE("a write into buffers that went back is caught by the next submission",
          "[sim][contract]") {
  const auto does =
      GENERATE(umd_misdeed::write_into_old_commands, umd_misdeed::write_into_old_list);
  contract_session s{does};
  s.create();
  s.flush();
  CHECK(s.w.take_breaches().empty());
  test::the_fake_umd().does = umd_misdeed::none;
  s.flush();
  CHECK(s.w.take_breaches() == rules{rule::stale_buffer});
  CHECK(s.end().empty());
}

TEST_CASE("a driver that does not read the sizes again overruns, and is caught",
          "[sim][contract]") {
  sim::runtime_options options;
  options.spaces.sizes = {{8192, 64}, {4096, 32}};
  contract_session s{umd_misdeed::keep_old_size, options};
  s.create();
  s.flush();
  test::the_fake_umd().does = umd_misdeed::none;
  CHECK(s.w.take_breaches().empty());
  s.flush();
  CHECK(s.w.take_breaches() == rules{rule::command_overrun});
  CHECK(s.end().empty());
}

TEST_CASE("what the driver leaves behind is caught", "[sim][contract]") {
  const auto [does, broken] = GENERATE(Catch::Generators::table<umd_misdeed, rules>(
      {{umd_misdeed::leak_allocation, {rule::leaked_object}},
       {umd_misdeed::leak_context, {rule::leaked_object}},
       {umd_misdeed::leave_locked, {rule::unpaired_lock, rule::leaked_object}}}));
  contract_session s{does};
  s.create();
  s.flush();
  CHECK(s.end() == broken);
}

TEST_CASE("a callback from outside, or for a device that is gone, is caught", "[sim][contract]") {
  contract_session s;
  s.create();
  test::call_back_from_here();
  CHECK(s.w.take_breaches() == rules{rule::stray_callback});
  s.device.reset();
  test::call_back_from_here();
  CHECK(s.end() == rules{rule::stray_callback});
}

TEST_CASE("escapes reach the kernel driver, in the name of a device that there is",
          "[sim][contract]") {
  contract_session s;
  s.create();
  s.flush();
  std::vector<HRESULT> results;
  test::the_fake_umd().during_flush = [&] {
    results.push_back(test::escape_from_here(nullptr));
    results.push_back(test::escape_from_here(test::last_device()));
    results.push_back(test::escape_from_here(&s));
  };
  s.flush();
  CHECK(results == std::vector<HRESULT>{S_OK, S_OK, E_INVALIDARG});
  CHECK(s.end() == rules{rule::unknown_handle});
}

TEST_CASE("each breach of Present is caught", "[sim][contract]") {
  const auto does = GENERATE(umd_misdeed::present_nothing, umd_misdeed::present_twice);
  contract_session s{does};
  s.create();
  sim::ddi_resource made;
  REQUIRE(s.device->create_resource(s.surface(s.render_target), made) == S_OK);
  D3DDDIARG_PRESENT present{};
  present.hSrcResource = made.driver;
  present.Flags.Blt = 1;
  CHECK(s.device->present(present, {}) == S_OK);
  CHECK(s.device->destroy_resource(made) == S_OK);
  CHECK(s.end() == rules{rule::misplaced_present});
}

TEST_CASE("two threads in one device are caught, but not where the DDI allows them",
          "[sim][contract]") {
  contract_session s;
  s.create();
  const auto is_query = GENERATE(true, false);
  test::the_fake_umd().during_flush = [&] {
    std::thread{[&] {
      const sim::thread_scope here{s.w.pc};
      if (is_query) {
        const D3DDDIARG_GETQUERYDATA asked{};
        CHECK(s.device->send<&entry::pfnGetQueryData>(asked) == S_OK);
      } else {
        const D3DDDIARG_ZRANGE range{0, 1};
        CHECK(s.device->send<&entry::pfnSetZRange>(range) == S_OK);
      }
    }}.join();
  };
  s.flush();
  CHECK(s.end() == (is_query ? rules{} : rules{rule::two_threads}));
}
