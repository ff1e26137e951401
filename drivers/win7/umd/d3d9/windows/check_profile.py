#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks which front end the export OpenAdapter calls, and that it is there once.

usage: check_profile.py COMPILER LIBRARY.a M|U

COMPILER is that of the library; its nm is asked.
"""
import re
import subprocess
import sys

DEFINED = re.compile(r'^[0-9a-f]+ T _?OpenAdapter(@4)?$', re.MULTILINE)
CALLED = re.compile(r'^\s+U \S*front_([mu])\d+open_adapterE\S*$', re.MULTILINE)


def main():
    compiler, library, profile = sys.argv[1:]
    nm = subprocess.run([compiler, '-print-prog-name=nm'], check=True, stdout=subprocess.PIPE,
                        text=True).stdout.strip()
    symbols = subprocess.run([nm, library], check=True, stdout=subprocess.PIPE, text=True).stdout
    defined, called = len(DEFINED.findall(symbols)), CALLED.findall(symbols)
    if defined != 1 or called != [profile.lower()]:
        print(f'{library}: OpenAdapter is there {defined} times and calls {called}, not {profile}')
        sys.exit(1)
    print(f'OpenAdapter is there once and calls the front end of {profile}')


if __name__ == '__main__':
    main()
