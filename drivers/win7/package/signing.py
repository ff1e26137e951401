# SPDX-License-Identifier: MIT
"""The test certificate, and signatures by osslsigncode (kmd.md 4.3)."""
import pathlib
import subprocess

from contents import CERTIFICATE_SUBJECT
from tools import run

KEY, CERTIFICATE_PEM = "test.key", "test.crt"


class Signer:
    """Signs with the test key that lies in `folder`; makes one there when there is none.

    With a key that stays, guests trust a rebuilt package already, and its bytes are the same.
    """

    def __init__(self, folder, when):
        self.folder, self.time = pathlib.Path(folder), str(int(when.timestamp()))
        self.key, self.certificate = self.folder / KEY, self.folder / CERTIFICATE_PEM
        if not self.key.exists() or not self.certificate.exists():
            self.make_certificate()

    def make_certificate(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        # SHA-1: what Windows 7 SP1 without updates knows.
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-sha1", "-days", "3650", "-nodes",
            "-keyout", self.key, "-out", self.certificate, "-subj", f"/CN={CERTIFICATE_SUBJECT}",
            "-addext", "extendedKeyUsage=codeSigning", "-addext", "keyUsage=digitalSignature",
            "-addext", "basicConstraints=critical,CA:false")
        self.key.chmod(0o600)

    def export(self, path):
        """The certificate alone, as certutil imports it."""
        run("openssl", "x509", "-in", self.certificate, "-outform", "DER", "-out", path)

    def sign(self, path, description):
        """Signs a PE file or a catalogue in place."""
        signed = path.with_name(path.name + ".signed")
        signed.unlink(missing_ok=True)
        run("osslsigncode", "sign", "-certs", self.certificate, "-key", self.key, "-h", "sha1",
            "-time", self.time, "-n", description, "-in", path, "-out", signed)
        signed.replace(path)

    def verify(self, path, catalog=None):
        """Whether the signature in `path`, or of it in `catalog`, holds."""
        command = ["osslsigncode", "verify", "-CAfile", self.certificate]
        if catalog is not None:
            command += ["-catalog", catalog]
        done = subprocess.run([*map(str, command), "-in", str(path)], capture_output=True)
        return done.returncode == 0
