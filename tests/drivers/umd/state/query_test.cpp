// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/query/query.hpp"

#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "tests/drivers/umd/rigs/device_rig.hpp"

namespace aerogpu::umd::test {

namespace {

/// A device whose submissions complete when the test says so, and one packet to submit.
struct query_rig : device_rig {
  query_rig() : device_rig({.completes_at_once = false}) {
    REQUIRE(device.commands.submit() == S_OK);
  }
  ~query_rig() { runtime.complete_at_once(true), runtime.complete_all(); }
  void record() { REQUIRE(set_render_state(device, 300, ++value_) == S_OK); }
  void pass_poll_interval() { system.advance(completion::poll_interval_ns); }
  /// A query behind work that is done by now.
  void issue_and_finish(event_query& query, shown_by how) {
    record();
    REQUIRE(query.issue(device, how) == S_OK);
    runtime.complete_all();
    pass_poll_interval();
  }

 private:
  std::uint32_t value_ = 0;
};

}  // namespace

TEST_CASE("a query that was never issued has no answer", "[umd][T202]") {
  query_rig rig;
  event_query query;
  CHECK(query.ask(rig.device) == S_FALSE);
}

TEST_CASE("issuing submits what was recorded before", "[umd][T200]") {
  query_rig rig;
  event_query query;
  rig.record();
  const std::size_t before = rig.runtime.submissions().size();
  CHECK(query.issue(rig.device, shown_by::flush) == S_OK);
  CHECK(rig.runtime.submissions().size() == before + 1);
  CHECK(rig.device.commands.is_empty());
}

TEST_CASE("a query is not seen before a flush, however fast the adapter is", "[umd][T201]") {
  query_rig rig;
  event_query query;
  rig.issue_and_finish(query, shown_by::flush);
  CHECK(query.ask(rig.device) == S_FALSE);
  rig.device.queries.publish();
  CHECK(query.ask(rig.device) == S_OK);
}

TEST_CASE("a later submission shows a query, too", "[umd][T201]") {
  query_rig rig;
  event_query query;
  rig.issue_and_finish(query, shown_by::flush);
  CHECK(query.ask(rig.device) == S_FALSE);
  rig.record();
  REQUIRE(rig.device.commands.submit() == S_OK);
  CHECK(query.ask(rig.device) == S_OK);
}

TEST_CASE("a query whom nobody flushes for is seen from its second question on", "[umd][T201]") {
  query_rig rig;
  event_query query;
  rig.issue_and_finish(query, shown_by::question);
  CHECK(query.ask(rig.device) == S_FALSE);
  CHECK(query.ask(rig.device) == S_OK);
  rig.issue_and_finish(query, shown_by::question);
  rig.device.queries.publish();
  CHECK(query.ask(rig.device) == S_OK);
}

TEST_CASE("a query is answered when its work is done and not before", "[umd][T201]") {
  query_rig rig;
  event_query query;
  rig.record();
  REQUIRE(query.issue(rig.device, shown_by::flush) == S_OK);
  rig.device.queries.publish();
  rig.pass_poll_interval();
  CHECK(query.ask(rig.device) == S_FALSE);
  rig.runtime.complete_all();
  rig.pass_poll_interval();
  CHECK(query.ask(rig.device) == S_OK);
  CHECK(query.ask(rig.device) == S_OK);
}

TEST_CASE("a query with nothing recorded waits for what was submitted", "[umd][T200]") {
  query_rig rig;
  rig.record();
  REQUIRE(rig.device.commands.submit() == S_OK);
  event_query query;
  REQUIRE(query.issue(rig.device, shown_by::flush) == S_OK);
  rig.pass_poll_interval();
  CHECK(query.ask(rig.device) == S_FALSE);
  rig.runtime.complete_all();
  rig.pass_poll_interval();
  CHECK(query.ask(rig.device) == S_OK);
}

TEST_CASE("a query beside a thread inside the device neither waits nor makes a callback",
          "[umd][T203]") {
  query_rig rig;
  event_query query;
  rig.record();
  REQUIRE(query.issue(rig.device, shown_by::flush) == S_OK);
  rig.device.queries.publish();
  rig.runtime.complete_all();
  rig.pass_poll_interval();
  const std::uint64_t locks = rig.runtime.locks();
  rig.device.mutex.lock();
  CHECK(query.ask(rig.device) == S_FALSE);
  CHECK(rig.runtime.locks() == locks);
  rig.device.mutex.unlock();
  CHECK(query.ask(rig.device) == S_OK);
}

TEST_CASE("a query beside a thread inside the device knows what that thread has learnt",
          "[umd][T203]") {
  query_rig rig;
  event_query query;
  rig.record();
  REQUIRE(query.issue(rig.device, shown_by::flush) == S_OK);
  rig.device.queries.publish();
  rig.runtime.complete_all();
  rig.device.mutex.lock();
  completion& fences = rig.device.commands.completion();
  REQUIRE(fences.wait(fences.submitted(), completion::idle_limit_ns));
  CHECK(query.ask(rig.device) == S_OK);
  rig.device.mutex.unlock();
}

TEST_CASE("queries of a lost device answer with its loss", "[umd][T231]") {
  query_rig rig;
  event_query query;
  rig.record();
  rig.runtime.fail_next_call(D3DERR_DEVICEHUNG);
  CHECK(query.issue(rig.device, shown_by::flush) == D3DERR_DEVICEHUNG);
  CHECK(query.ask(rig.device) == D3DERR_DEVICEHUNG);
}

TEST_CASE("a query finds out by itself that the kernel removed the device", "[umd][T231]") {
  query_rig rig;
  event_query query;
  rig.record();
  REQUIRE(query.issue(rig.device, shown_by::flush) == S_OK);
  rig.device.queries.publish();
  rig.pass_poll_interval();
  rig.runtime.fail_next_call(D3DERR_WASSTILLDRAWING);
  CHECK(query.ask(rig.device) == S_FALSE);
  CHECK_FALSE(rig.device.loss.is_lost());
  rig.pass_poll_interval();
  rig.runtime.fail_next_call(D3DERR_DEVICEREMOVED);
  CHECK(query.ask(rig.device) == D3DERR_DEVICEREMOVED);
  CHECK(rig.device.loss.code() == D3DERR_DEVICEREMOVED);
}

}  // namespace aerogpu::umd::test
