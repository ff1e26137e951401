# SPDX-License-Identifier: MIT
"""The test certificate, and signatures by osslsigncode (kmd.md 4.3)."""
import datetime
import os
import pathlib
import ssl
import tempfile

from contents import CERTIFICATE_SUBJECT
from tools import run, succeeds

KEY, CERTIFICATE_PEM = "test.key", "test.crt"
# Never the clock: a guest that takes its own for local time is hours behind, and signatures are dated.
FIRST_DAY = datetime.datetime(2025, 1, 1, tzinfo=datetime.timezone.utc)
LAST_DAY = datetime.datetime(2045, 1, 1, tzinfo=datetime.timezone.utc)

# SHA-1: what Windows 7 SP1 without updates knows.
CA_CONFIG = """[ca]
default_ca = test
[test]
database = {folder}/index
new_certs_dir = {folder}
rand_serial = yes
default_md = sha1
policy = any
x509_extensions = code
[any]
commonName = supplied
[code]
extendedKeyUsage = codeSigning
keyUsage = digitalSignature
basicConstraints = critical,CA:false
"""


def asn1_time(when):
    return f"{when:%Y%m%d%H%M%SZ}"


def is_readable(kind, path):
    return path.exists() and succeeds("openssl", kind, "-in", path, "-noout")


def keep(kind, path):
    """What was written beside `path` takes its place, once it can be read."""
    new = beside(path)
    run("openssl", kind, "-in", new, "-noout")
    os.replace(new, path)


def beside(path):
    return path.with_name(path.name + ".new")


class Signer:
    """Signs with the test key that lies in `folder`; makes one there when there is none.

    With a key that stays, guests trust a rebuilt package already, and its bytes are the same.
    """

    def __init__(self, folder, when):
        self.folder, self.when = pathlib.Path(folder), when
        self.key, self.certificate = self.folder / KEY, self.folder / CERTIFICATE_PEM
        if not is_readable("pkey", self.key):
            self.make_key()
        if not is_readable("x509", self.certificate) or self.valid_from() > when:
            self.make_certificate()

    def make_key(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.certificate.unlink(missing_ok=True)  # Of another key.
        run("openssl", "genrsa", "-out", beside(self.key), "2048")
        beside(self.key).chmod(0o600)
        keep("pkey", self.key)

    def make_certificate(self):
        # `openssl ca`, because `openssl req` starts each certificate now.
        with tempfile.TemporaryDirectory() as folder:
            config, request = pathlib.Path(folder, "config"), pathlib.Path(folder, "request")
            config.write_text(CA_CONFIG.format(folder=folder))
            pathlib.Path(folder, "index").touch()
            run("openssl", "req", "-new", "-key", self.key, "-subj", f"/CN={CERTIFICATE_SUBJECT}",
                "-out", request)
            run("openssl", "ca", "-batch", "-selfsign", "-notext", "-config", config,
                "-keyfile", self.key, "-in", request, "-out", beside(self.certificate),
                "-startdate", asn1_time(min(FIRST_DAY, self.when)), "-enddate", asn1_time(LAST_DAY))
        keep("x509", self.certificate)

    def valid_from(self):
        line = run("openssl", "x509", "-in", self.certificate, "-noout", "-startdate")
        seconds = ssl.cert_time_to_seconds(line.strip().removeprefix("notBefore="))
        return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)

    def export(self, path):
        """The certificate alone, as certutil imports it."""
        run("openssl", "x509", "-in", self.certificate, "-outform", "DER", "-out", path)

    def sign(self, path, description):
        """Signs a PE file or a catalogue in place."""
        signed = path.with_name(path.name + ".signed")
        signed.unlink(missing_ok=True)
        run("osslsigncode", "sign", "-certs", self.certificate, "-key", self.key, "-h", "sha1",
            "-time", int(self.when.timestamp()), "-n", description, "-in", path, "-out", signed)
        signed.replace(path)

    def verify(self, path, catalog=None):
        """Whether the signature in `path`, or of it in `catalog`, holds."""
        command = ["osslsigncode", "verify", "-CAfile", self.certificate]
        if catalog is not None:
            command += ["-catalog", catalog]
        return succeeds(*command, "-in", path)
