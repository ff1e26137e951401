# SPDX-License-Identifier: MIT
"""Catalogues: what is written, and that osslsigncode takes them and refuses a changed file."""
import datetime
import hashlib
import pathlib
import subprocess
import tempfile
import unittest

import fake_binaries
import catalog
import contents
import der
from pe_image import PeImage
from signing import Signer

FILES = {"aerogpu.inf": b"[Version]\r\n", "aerogpu.sys": fake_binaries.pe_file("x64"),
         "aerogpu_d3d9.dll": fake_binaries.pe_file("x86", b"Direct3D")}
RELEASE_DATE = contents.release_date()
PROGRAMS = [name for name in FILES if not name.endswith(".inf")]


def members():
    return [catalog.member_of(name, data) for name, data in FILES.items()]


class Der(unittest.TestCase):
    def test_lengths_around_their_boundaries(self):
        for length, head in [(0, "0400"), (127, "047f"), (128, "048180"), (255, "0481ff"),
                             (256, "04820100"), (65535, "0482ffff"), (65536, "0483010000")]:
            written = der.octets(bytes(length))
            self.assertEqual(written.hex()[:len(head)], head)
            self.assertEqual(der.read(written), [(4, bytes(length))])

    def test_integers_stay_positive(self):
        for value, expected in [(0, "020100"), (127, "02017f"), (128, "02020080"),
                                (0x10010001, "020410010001"), (0x80000000, "02050080000000")]:
            self.assertEqual(der.integer(value).hex(), expected)

    def test_object_identifiers(self):
        self.assertEqual(der.object_id(catalog.SHA1).hex(), "06052b0e03021a")
        self.assertEqual(der.object_id(catalog.SIGNED_DATA).hex(), "06092a864886f70d010702")
        self.assertEqual(der.object_id(catalog.CERTIFICATE_TRUST_LIST).hex(),
                         "06092b060104018237" "0a01")

    def test_an_element_that_is_longer_than_what_holds_it_is_refused(self):
        with self.assertRaises(ValueError):
            der.read(bytes([4, 2, 0]))


class PeFacts(unittest.TestCase):
    def test_the_hash_leaves_out_checksum_and_security_directory_alone(self):
        data = FILES["aerogpu.sys"]
        image, before = PeImage(data), PeImage(data).authenticode_sha1()
        outside = {*range(image.checksum_at, image.checksum_at + 4),
                   *range(image.security_at + 4, image.security_at + 8)}
        for at in range(image.header, len(data), 7):
            changed = bytearray(data)
            changed[at] ^= 1
            if at in range(image.security_at, image.security_at + 4):
                continue  # Says where a signature starts.
            try:
                same = PeImage(bytes(changed)).authenticode_sha1() == before
            except ValueError:
                continue  # No PE file any more.
            self.assertEqual(same, at in outside, at)

    def test_what_is_no_pe_file_is_refused(self):
        for data in (b"", b"MZ", b"MZ" + bytes(100), b"text" * 40):
            with self.assertRaises(ValueError):
                PeImage(data)


class Catalog(unittest.TestCase):
    def test_what_is_written_is_read_again(self):
        written = catalog.write_catalog(members(), RELEASE_DATE)
        self.assertEqual(sorted(catalog.read_catalog(written), key=lambda m: m.name),
                         sorted(members(), key=lambda m: m.name))

    def test_the_inf_is_hashed_plainly_and_a_program_by_its_authenticode_hash(self):
        by_name = {m.name: m for m in members()}
        self.assertEqual(by_name["aerogpu.inf"].digest,
                         hashlib.sha1(FILES["aerogpu.inf"]).digest())
        self.assertNotEqual(by_name["aerogpu.sys"].digest,
                            hashlib.sha1(FILES["aerogpu.sys"]).digest())

    def test_the_order_of_members_changes_nothing_and_their_bytes_and_the_date_do(self):
        written = catalog.write_catalog(members(), RELEASE_DATE)
        self.assertEqual(catalog.write_catalog(members()[::-1], RELEASE_DATE), written)
        self.assertNotEqual(catalog.write_catalog(members()[1:], RELEASE_DATE), written)
        later = RELEASE_DATE + datetime.timedelta(seconds=1)
        self.assertNotEqual(catalog.write_catalog(members(), later), written)

    def test_another_windows_is_refused_when_read(self):
        written = catalog.write_catalog(members(), RELEASE_DATE)
        other = written.replace("2:6.1".encode("utf-16-le"), "2:5.1".encode("utf-16-le"))
        with self.assertRaises(ValueError):
            catalog.read_catalog(other)

    def test_openssl_takes_it_as_asn1(self):
        written = catalog.write_catalog(members(), RELEASE_DATE)
        done = subprocess.run(["openssl", "asn1parse", "-inform", "DER"], input=written,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"pkcs7-signedData", done.stdout)


class Signed(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.signer = Signer(self.folder / "signing", RELEASE_DATE)
        for name, data in FILES.items():
            (self.folder / name).write_bytes(data)
        self.catalog = self.folder / "aerogpu.cat"
        self.catalog.write_bytes(catalog.write_catalog(members(), RELEASE_DATE))
        self.signer.sign(self.catalog, "AeroGPU")

    def test_a_signed_catalogue_vouches_for_its_files(self):
        for name in PROGRAMS:  # osslsigncode looks up no other kind of file.
            self.assertTrue(self.signer.verify(self.folder / name, self.catalog), name)
        self.assertEqual({m.name for m in catalog.read_catalog(self.catalog.read_bytes())},
                         set(FILES))

    def test_a_file_with_one_other_bit_is_refused(self):
        for name in PROGRAMS:
            changed = bytearray(FILES[name])
            changed[-1] ^= 1
            (self.folder / name).write_bytes(bytes(changed))
            self.assertFalse(self.signer.verify(self.folder / name, self.catalog), name)

    def test_a_catalogue_changed_after_signing_is_refused(self):
        data = self.catalog.read_bytes()
        digest = members()[1].digest.hex().upper().encode("utf-16-le")
        self.assertEqual(data.count(digest), 1)
        self.catalog.write_bytes(data.replace(digest, digest[::-1][1:] + b"\0"))
        self.assertFalse(self.signer.verify(self.folder / "aerogpu.sys", self.catalog))

    def test_another_certificate_is_refused(self):
        other = Signer(self.folder / "other", RELEASE_DATE)
        self.assertFalse(other.verify(self.folder / "aerogpu.sys", self.catalog))

    def test_a_signature_in_the_file_leaves_its_hash_and_can_be_taken_off(self):
        path = self.folder / "aerogpu.sys"
        self.signer.sign(path, "AeroGPU")
        self.assertNotEqual(path.read_bytes(), FILES["aerogpu.sys"])
        self.assertTrue(self.signer.verify(path))
        self.assertTrue(self.signer.verify(path, self.catalog))
        self.assertEqual(PeImage(path.read_bytes()).unsigned(), FILES["aerogpu.sys"])


if __name__ == "__main__":
    unittest.main()
