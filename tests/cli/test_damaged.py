"""Damaged results: every command that reads them terminates and reports the damage, whatever bytes are wrong."""
import random
import struct

import h5py
import numpy as np

from csim_testing import BALL, DONE, GATE, INVALID, CliTest, main

NUM_FILES = 30  # of each of which five commands read a copy: some ten seconds


def damage(content, generator):
    """The bytes of a file with some of them flipped, overwritten, zeroed or cut off."""
    content = bytearray(content)
    place = generator.randrange(len(content))
    kind = generator.choice(["flip", "flip", "bytes", "zero", "cut"])
    if kind == "flip":
        for _ in range(generator.choice([1, 2, 8])):
            content[generator.randrange(len(content))] ^= 1 << generator.randrange(8)
    elif kind == "bytes":
        content[place:place + 4] = generator.randbytes(len(content[place:place + 4]))
    elif kind == "zero":
        content[place:place + 64] = bytes(len(content[place:place + 64]))
    else:
        del content[place:]
    return bytes(content)


class Damaged(CliTest):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)
        self.csim("run", "ball.yaml", "-q", "--end", "0.1")
        self.content = (self.folder / "ball.h5").read_bytes()

    def read(self, content, *commands, expect):
        """Each command on a file of its own; a signal has a negative exit code, a mistake of csim is 1."""
        for command, *arguments in commands or (("info",), ("diff", "ball.h5"), ("view", "--force", "-o", "page.html"), ("export", "--csv", "table", "--force"),
                                                ("run", "ball.yaml", "--resume", "-q", "--end", "0.1", "-o")):
            (self.folder / "bad.h5").write_bytes(content)
            result = self.csim(command, *arguments, "bad.h5", expect=None)
            self.assertIn(result.returncode, expect, f"csim {command} {' '.join(arguments)}\n{result.stderr}")
            if result.returncode == INVALID:
                self.assertIn("bad.h5", result.stderr)
                self.assertIn("csim: error: ", result.stderr)

    def test_bytes_at_random(self):
        generator = random.Random(20240601)
        for i in range(NUM_FILES):
            with self.subTest(i):
                self.read(damage(self.content, generator), expect=(DONE, INVALID, GATE))

    def heap_object(self, change):
        """The file with another size of the first text of an attribute, in the global heap [HDF5 File Format Specification 3.0, III.E]."""
        content = bytearray(self.content)
        place = content.index(b"GCOL") + 16 + 8
        size, = struct.unpack_from("<Q", content, place)
        self.assertLess(size, 4096)
        struct.pack_into("<Q", content, place, change(size))
        return bytes(content)

    def test_a_text_longer_than_its_heap(self):
        for size in (2**20, 2**40, 2**63):
            with self.subTest(size):
                self.read(self.heap_object(lambda _, size=size: size), expect=(DONE, INVALID))

    def test_a_heap_without_end(self):
        """A free object of size 0 makes HDF5 1.10 go round in circles."""
        content = bytearray(self.content)
        begin = content.index(b"GCOL")
        content[begin + 16:begin + 32] = bytes(16)
        self.read(bytes(content), ("info",), expect=(DONE, INVALID))

    def test_a_chunk_that_is_shorter_than_it_says(self):
        """Filters that the file calls left out: HDF5 1.10 copies rows from beyond the bytes that are there."""
        with h5py.File(self.folder / "ball.h5") as file:
            chunk = file["stats/step/time"].id.get_chunk_info(0)
        self.assertEqual(chunk.filter_mask, 0)
        content = bytearray(self.content)
        key = struct.pack("<II", chunk.size, 0)   # of the index: length and filters left out, offsets, address
        address = struct.pack("<Q", chunk.byte_offset)
        place = content.index(address)
        while content[place - 24:place - 16] != key:
            place = content.index(address, place + 1)
        struct.pack_into("<I", content, place - 20, 3)
        self.read(bytes(content), expect=(DONE, INVALID, GATE))

    def test_a_length_beyond_all_memory(self):
        """A dataset's extent: no room is made for it."""
        for path in ("geometries/position", "bodies/inertia"):
            with self.subTest(path), h5py.File(self.folder / "ball.h5") as file:
                shape = file[path].shape
                header = h5py.h5o.get_info(file[path].id).addr
            content = bytearray(self.content)
            struct.pack_into("<Q", content, content.index(struct.pack("<QQ", *shape), header), 2**44)
            self.read(bytes(content), expect=(INVALID,))

    def test_datasets_that_others_add_are_no_damage(self):
        (self.folder / "bad.h5").write_bytes(self.content)
        with h5py.File(self.folder / "bad.h5", "r+") as file:
            file.create_dataset("analysis/power", data=np.ones((50, 40)), chunks=(10, 5), compression="gzip")
            file.create_dataset("analysis/later", shape=(10, 3), dtype="f8")
        for command in (("info",), ("view", "--force", "-o", "page.html"), ("export", "--csv", "table", "--force")):
            self.csim(*command, "bad.h5")
        self.assertIn("/analysis/power", self.csim("diff", "ball.h5", "bad.h5", expect=GATE).stdout)


if __name__ == "__main__":
    main()
