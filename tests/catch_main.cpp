// The test runner's main, built once.
#define CATCH_CONFIG_MAIN
#include "tests/catch.hpp"
#include "tests/support/sanitizer_options.hpp"
