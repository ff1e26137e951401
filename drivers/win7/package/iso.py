# SPDX-License-Identifier: MIT
"""The image that a virtual machine gets as its CD, the same bytes for the same files."""
import os

from tools import run

VOLUME = "AEROGPU_WIN7"


def write_iso(folder, names, image, when):
    """Writes `names`, files and folders of `folder`, with Joliet's long names for Windows."""
    seconds, moment = int(when.timestamp()), f"{when:%Y%m%d%H%M%S}00"
    for name in names:
        for path in [folder / name, *(folder / name).rglob("*")]:
            os.utime(path, (seconds, seconds))
    image.unlink(missing_ok=True)
    run("xorriso", "-as", "mkisofs", "-quiet", "-volid", VOLUME, "-joliet", "-rational-rock",
        f"--modification-date={moment}", "--set_all_file_dates", moment,
        "-graft-points", "-o", image, *(f"/{name}={folder / name}" for name in sorted(names)),
        environment={"SOURCE_DATE_EPOCH": str(seconds)})
