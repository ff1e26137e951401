// What each program file of the suite over the null backend includes first.
#include "tests/conformance/null_instances.hpp"
