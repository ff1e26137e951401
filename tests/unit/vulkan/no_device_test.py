#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs on a machine without a Vulkan device: one sentence and a code that fails, no crash."""
import os
import subprocess
import sys

expected_code = int(sys.argv[1])
environment = dict(os.environ, VK_DRIVER_FILES="/nonexistent", VK_ICD_FILENAMES="/nonexistent")
environment.pop("VK_ADD_DRIVER_FILES", None)
done = subprocess.run(sys.argv[2:], capture_output=True, text=True, env=environment, timeout=60)
said = done.stderr.splitlines()
assert done.returncode == expected_code, done
assert len(said) == 1 and "no Vulkan driver is found" in said[0], done
