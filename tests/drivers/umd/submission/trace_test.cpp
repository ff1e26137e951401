// SPDX-License-Identifier: MIT
/// What the tracer records, and when it writes its dump.
#include "tests/drivers/umd/submission/trace_rig.hpp"

#include <array>
#include <atomic>
#include <set>
#include <thread>
#include <tuple>

namespace aerogpu::umd::test {

namespace {

using trace::id_of;
using strings = std::vector<std::string>;

constexpr auto flush = id_of("M::Flush");
constexpr auto clear_entry = id_of("M::Clear");
constexpr auto present_m = id_of("M::Present");
constexpr auto stub_1 = id_of("Trace::TestStub (stub)");
constexpr auto stub_2 = id_of("Trace::TestStub2 (stub)");

std::uint32_t presents = 0;

auto APIENTRY present_once(HANDLE) noexcept -> HRESULT {
  trace::note_present(++presents);
  return S_OK;
}
std::atomic<std::uint32_t> counted_presents;

auto APIENTRY present_counted(HANDLE) noexcept -> HRESULT {
  trace::note_present(++counted_presents);
  return S_OK;
}

void present(int times) {
  constexpr auto entry = trace::traced<trace::packing_m, present_m, present_once>;
  for (int i = 0; i < times; ++i) CHECK(entry(nullptr) == S_OK);
}

[[nodiscard]] auto entries_of_plan_stub() -> std::size_t {
  const auto& rows = ddi::device_entries;
  return static_cast<std::size_t>(std::count_if(
      std::begin(rows), std::end(rows), [](const ddi::entry_row& row) { return row.is_stub(); }));
}

}  // namespace

TEST_CASE("nothing is recorded without the switch", "[umd][T240]") {
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE", "0"},
                       {"AEROGPU_D3D9_TRACE_MODE", "all"},
                       {"AEROGPU_D3D9_TRACE_DUMP_ON_FAIL", "1"}}};
  CHECK_FALSE(trace::is_enabled());
  call_entry<flush, E_FAIL>();
  trace::stop();
  CHECK(rig.system.log().empty());
}

TEST_CASE("unique mode is what is not the other", "[umd][T240]") {
  const auto [mode, shown] = GENERATE(table<std::string, std::string>({{"", "unique"},
                                                                       {"unique", "unique"},
                                                                       {"every", "unique"},
                                                                       {"all of them", "unique"},
                                                                       {" ALL ", "all"},
                                                                       {"all", "all"}}));
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_MODE", mode}}};
  CHECK(trace_rig::value_of(rig.banner(), "mode") == shown);
  call_entry<flush>();
  call_entry<clear_entry>();
  call_entry<flush, S_FALSE>();
  const strings first{"M::Flush 0x00000000", "M::Clear 0x00000000"};
  strings all = first;
  all.push_back("M::Flush 0x00000001");
  CHECK(rig.calls_at_detach() == (shown == "all" ? all : first));
}

TEST_CASE("the limit of records has every spelling of a number, and an end", "[umd][T240]") {
  const auto [text, limit] = GENERATE(table<std::string, std::size_t>({{"", 512},
                                                                       {"0", 512},
                                                                       {"none", 512},
                                                                       {"-1", 512},
                                                                       {"0x", 512},
                                                                       {"09", 512},
                                                                       {"12 records", 512},
                                                                       {"1", 1},
                                                                       {" 0x1F ", 31},
                                                                       {"017", 15},
                                                                       {"511", 511},
                                                                       {"512", 512},
                                                                       {"513", 512},
                                                                       {"4294967297", 512}}));
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_MODE", "all"}, {"AEROGPU_D3D9_TRACE_MAX", text}}};
  CHECK(trace_rig::value_of(rig.banner(), "max") == std::to_string(limit));
  for (int i = 0; i < 600; ++i) call_entry<flush>();
  call_entry<clear_entry>();
  const strings calls = rig.calls_at_detach();
  CHECK(calls.size() == limit);
  CHECK(std::count(calls.begin(), calls.end(), "M::Flush 0x00000000") ==
        static_cast<std::ptrdiff_t>(limit));
}

TEST_CASE("the filter keeps names that contain a token, in any case", "[umd][T241]") {
  const std::size_t all = trace::entry_count;
  const std::size_t stubs = 2 + entries_of_plan_stub();
  const std::string late = "SetFVF," + std::string(504, ' ') + "Flush";
  const auto [text, is_on, count] = GENERATE_COPY(table<std::string, bool, std::size_t>({
      {"", false, all},
      {" , ,\t,", false, all},
      {"no such entry", true, 0},
      {"sEtReNdErStAtE", true, 2},
      {"stateblock", true, 6},
      {"(stub)", true, stubs},
      {" flush , setfvf,", true, 3},
      {"flush,no such entry", true, 2},
      {late, true, 1},
  }));
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_FILTER", text}}};
  CHECK(trace_rig::value_of(rig.banner(), "filter_on") == (is_on ? "1" : "0"));
  CHECK(trace_rig::value_of(rig.banner(), "filter_count") == std::to_string(count));
}

TEST_CASE("a call that the filter leaves out is not recorded", "[umd][T241]") {
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_FILTER", "flush"}, {"AEROGPU_D3D9_TRACE_MODE", "all"}}};
  call_entry<clear_entry>();
  call_entry<flush>();
  CHECK(rig.calls_at_detach() == strings{"M::Flush 0x00000000"});
}

TEST_CASE("the dump at a present shows the call that is in it, once", "[umd][T242]") {
  const auto [number, mode, records] = GENERATE(table<std::string, std::string, strings>({
      {"1", "unique", {"M::Present 0x7fffffff"}},
      {"2", "unique", {"M::Present 0x00000000", "M::Present 0x7fffffff"}},
      {"3", "unique", {"M::Present 0x00000000", "M::Present 0x7fffffff"}},
      {"3", "all", {"M::Present 0x00000000", "M::Present 0x00000000", "M::Present 0x7fffffff"}},
  }));
  const trace_rig rig{
      {{"AEROGPU_D3D9_TRACE_DUMP_PRESENT", number}, {"AEROGPU_D3D9_TRACE_MODE", mode}}};
  presents = 0;
  present(5);
  CHECK(rig.header("reason") == "present_count");
  CHECK(rig.calls() == records);
  presents = 0;
  present(5);
  trace::stop();
  CHECK(rig.dumps() == 1);
}

TEST_CASE("a present that the filter leaves out dumps all the same", "[umd][T242]") {
  const trace_rig rig{
      {{"AEROGPU_D3D9_TRACE_DUMP_PRESENT", "2"}, {"AEROGPU_D3D9_TRACE_FILTER", "flush"}}};
  presents = 0;
  call_entry<flush>();
  present(2);
  CHECK(rig.header("reason") == "present_count");
  CHECK(rig.calls() == strings{"M::Flush 0x00000000"});
}

TEST_CASE("presents of several threads are told apart", "[umd][T242]") {
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_DUMP_PRESENT", "40"}}};
  counted_presents = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([] {
      for (int times = 0; times < 10; ++times) {
        static_cast<void>(trace::traced<trace::packing_m, present_m, present_counted>(nullptr));
      }
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(rig.dumps() == 1);
  const strings calls = rig.calls();
  REQUIRE_FALSE(calls.empty());
  CHECK(calls.size() <= 2);
  CHECK(std::find(calls.begin(), calls.end(), "M::Present 0x7fffffff") != calls.end());
}

TEST_CASE("the first call that fails is dumped, though it was seen before", "[umd][T243]") {
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_DUMP_ON_FAIL", "1"}}};
  call_entry<flush>();
  call_entry<clear_entry, S_FALSE>();
  CHECK(rig.dumps() == 0);
  call_entry<flush, E_FAIL>();
  CHECK(rig.header("reason") == "M::Flush");
  CHECK(rig.header("entries") == "3");
  const strings dumped{"M::Flush 0x00000000", "M::Clear 0x00000001", "M::Flush 0x80004005"};
  CHECK(rig.calls() == dumped);
  call_entry<clear_entry, E_INVALIDARG>();
  CHECK(rig.dumps() == 1);
}

TEST_CASE("a failing call that the filter leaves out is no reason to dump", "[umd][T243]") {
  const trace_rig rig{
      {{"AEROGPU_D3D9_TRACE_DUMP_ON_FAIL", "1"}, {"AEROGPU_D3D9_TRACE_FILTER", "clear"}}};
  call_entry<flush, E_FAIL>();
  CHECK(rig.dumps() == 0);
  call_entry<clear_entry, E_FAIL>();
  CHECK(rig.header("reason") == "M::Clear");
  CHECK(rig.calls() == strings{"M::Clear 0x80004005"});
}

TEST_CASE("a stub's name dumps, whatever it answers", "[umd][T244]") {
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_DUMP_ON_STUB", "1"}}};
  call_entry<id_of("M::SetPalette")>();             // Benign: no stub.
  call_entry<id_of("Device::SetDialogBoxMode")>();  // The same in the other profile.
  CHECK(rig.dumps() == 0);
  call_entry<stub_1>();
  const std::string line = rig.lines().at(1);
  CHECK(line.starts_with("dump reason=Trace::TestStub (stub) entries=3 mode=unique"));
  call_entry<stub_2>();
  CHECK(rig.dumps() == 1);
}

TEST_CASE("a stub that the filter leaves out is no reason to dump", "[umd][T244]") {
  const trace_rig rig{
      {{"AEROGPU_D3D9_TRACE_DUMP_ON_STUB", "1"}, {"AEROGPU_D3D9_TRACE_FILTER", "TestStub2"}}};
  call_entry<stub_1, E_FAIL>();
  CHECK(rig.dumps() == 0);
  call_entry<stub_2, E_FAIL>();
  CHECK(rig.calls() == strings{"Trace::TestStub2 (stub) 0x80004005"});
}

TEST_CASE("the dump at detach comes without a record too, and once", "[umd][T245]") {
  const trace_rig rig;
  trace::stop();
  CHECK(rig.header("reason") == "DLL_PROCESS_DETACH");
  CHECK(rig.header("entries") == "0");
  trace::stop();
  CHECK(rig.dumps() == 1);
  call_entry<flush>();  // Recording goes on.
  CHECK(rig.records().empty());
}

TEST_CASE("a process has one dump, whatever asks first", "[umd][T245]") {
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_DUMP_ON_FAIL", "1"},
                       {"AEROGPU_D3D9_TRACE_DUMP_ON_STUB", "1"},
                       {"AEROGPU_D3D9_TRACE_DUMP_PRESENT", "1"}}};
  call_entry<flush, E_FAIL>();
  call_entry<stub_1>();
  presents = 0;
  present(1);
  trace::stop();
  CHECK(rig.dumps() == 1);
  CHECK(rig.header("reason") == "M::Flush");
}

TEST_CASE("the dump at detach waits to be asked for", "[umd][T245]") {
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_DUMP_ON_DETACH", "0"}}};
  call_entry<flush>();
  trace::stop();
  CHECK(rig.dumps() == 0);
}

TEST_CASE("a switch is on by four words", "[umd][T246]") {
  for (const char* const on : {"1", "true", "YES", "on", " On\t", "TrUe"}) {
    INFO(on);
    CHECK(parse_switch(on));
  }
  for (const char* const off :
       {"", "0", "false", "no", "off", "2", "11", "yes!", "o n", "enable"}) {
    INFO(off);
    CHECK_FALSE(parse_switch(off));
  }
}

TEST_CASE("each switch is its own variable", "[umd][T246]") {
  const auto [name, member] = GENERATE(table<std::string, bool trace_settings::*>({
      {"AEROGPU_D3D9_TRACE_DUMP_ON_DETACH", &trace_settings::dumps_on_detach},
      {"AEROGPU_D3D9_TRACE_DUMP_ON_FAIL", &trace_settings::dumps_on_fail},
      {"AEROGPU_D3D9_TRACE_DUMP_ON_STUB", &trace_settings::dumps_on_stub},
      {"AEROGPU_D3D9_TRACE_STDERR", &trace_settings::writes_stderr},
      {"AEROGPU_D3D9_TRACE", &trace_settings::is_on},
  }));
  fake_system system;
  const heard_environment heard{system, {{name, "yes"}}};
  const trace_settings& settings = environment().trace;
  CHECK(settings.*member);
  CHECK(settings.dumps_on_detach + settings.dumps_on_fail + settings.dumps_on_stub +
            settings.writes_stderr + settings.is_on ==
        1);
}

TEST_CASE("first calls that meet are one record", "[umd]") {
  const trace_rig rig;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([] {
      for (int times = 0; times < 50; ++times) {
        static_cast<void>(trace::traced<trace::packing_m, flush, answer<S_OK>>(nullptr));
      }
    });
  }
  for (std::thread& each : threads) each.join();
  CHECK(rig.calls_at_detach() == strings{"M::Flush 0x00000000"});
}

TEST_CASE("threads that record while one dumps lose nothing that was counted", "[umd]") {
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_MODE", "all"}}};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int times = 0; times < 200; ++times) {
        static_cast<void>(trace::traced<trace::packing_m, flush, answer<S_OK>>(nullptr));
      }
    });
  }
  trace::stop();
  for (std::thread& each : threads) each.join();
  CHECK(rig.header("entries") == std::to_string(rig.records().size()));
}

TEST_CASE("a full buffer's dump numbers its records", "[umd][T240]") {
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_MODE", "all"}}};
  for (int i = 0; i < 513; ++i) call_entry<flush>();
  trace::stop();
  const strings records = rig.records();
  REQUIRE(records.size() == 512);
  CHECK(records[7].starts_with("#007 "));
  CHECK(records[42].starts_with("#042 "));
  CHECK(records[511].starts_with("#511 "));
}

}  // namespace aerogpu::umd::test
