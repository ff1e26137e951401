# SPDX-License-Identifier: MIT
"""Runs the programs that a package is made with."""
import os
import shutil
import subprocess
import sys

PACKAGES = {"openssl": "openssl", "osslsigncode": "osslsigncode", "xorriso": "xorriso"}


def fail(message):
    sys.exit(f"make_package: {message}")


def words_of(command):
    """Of a program that is installed."""
    words = [str(word) for word in command]
    if shutil.which(words[0]) is None:
        fail(f"{words[0]} is not installed: scripts/setup drivers, or the package "
             f"{PACKAGES[words[0]]}")
    return words


def succeeds(*command):
    return subprocess.run(words_of(command), stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def run(*command, environment=None):
    """What it printed; one that fails ends the program with its words."""
    words = words_of(command)
    done = subprocess.run(words, capture_output=True, text=True, errors="replace",
                          env={**os.environ, **(environment or {})})
    if done.returncode != 0:
        fail(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout
