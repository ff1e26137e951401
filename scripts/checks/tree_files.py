# SPDX-License-Identifier: MIT
"""Which files are the project's."""
import os
import subprocess
import sys
import unittest.mock

MADE = ("build", "out", ".")  # Folders and files of the root that begin so are built or hidden.


def known_to_git(root):
    """What git lists; nothing where there is no git, or a copy without its history."""
    try:
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, text=True,
                                capture_output=True)
    except OSError:
        return []
    return listed.stdout.splitlines() if listed.returncode == 0 else []


def in_folders(root):
    paths = (path.relative_to(root) for path in root.rglob("*"))
    return [path.as_posix() for path in paths
            if not path.parts[0].startswith(MADE) and "__pycache__" not in path.parts]


def tree_files(root):
    """Those of the tree, sorted; folders that git does not know are builds."""
    names = sorted(name for name in known_to_git(root) or in_folders(root) if (root / name).is_file())
    if not names:
        sys.exit(f"{root} has no files")
    return names


def tree_files_without_git(root):
    """As a machine without git lists them."""
    with unittest.mock.patch.dict(os.environ, PATH=os.devnull):
        return tree_files(root)
