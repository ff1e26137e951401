/// The whole stack under a runtime of profile U, in each way that such a runtime can be.
#include "tests/drivers/support/d3d9_application.hpp"
#include "tests/drivers/umd/driver_profiles.hpp"
#include "tests/drivers/umd/quiet_system.hpp"
#include "tests/drivers/umd/session_script.hpp"
#include "drivers/sim/runtime/portable_device.hpp"
#include <cstdio>

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
  if (app.device.ddi.portable != nullptr) {
    const auto& c = app.device.ddi.portable->counts();
    std::fprintf(stderr, "%s: r%u p%u s%u bit%u tr%u tp%u b%u a%u g%u waits%u\n", name_of(options).c_str(), c.render, c.present,
      c.submit_command, c.present_bits, c.render_typed, c.present_typed, c.borrowed, c.allocated, c.given_back, quiet.waits());
  } else std::fprintf(stderr, "M\n");
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}
