/// The whole stack under a runtime of profile U, in each way that such a runtime can be.
#include "tests/drivers/support/d3d9_application.hpp"
#include "tests/drivers/umd/driver_profiles.hpp"
#include "tests/drivers/umd/quiet_system.hpp"
#include "tests/drivers/umd/session_script.hpp"

using namespace aerogpu;
using namespace aerogpu::test;

TEST_CASE("a session that uses every part of the driver works under every runtime",
          "[umd][portable]") {
  const auto options = GENERATE(from_range(some_profiles()));
  CAPTURE(name_of(options));
  const quiet_system quiet;
  running_runtime<> w{real_driver(), options};
  d3d9_application app{w.runtime, 7};
  app.start(d3d9_application::windowed(64, 32));
  session_script script{app.device};
  for (int times = 0; times < 2; ++times) {
    script.run();
    CHECK(script.failures() == "");
  }
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}
