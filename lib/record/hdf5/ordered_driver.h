// An HDF5 file driver for files that are written for hours and may be killed at any moment.
//
// HDF5 writes its metadata in the order of addresses and whenever its cache is full; a kill between two of
// these writes can leave a chunk index that points at a node which is not there yet, or a superblock that
// names an end beyond the file's. This driver writes raw data as it comes (it goes where no metadata on disk
// points) but holds metadata back until the flush, and then writes it so that every prefix of the writes is a
// valid file: the file's length, new blocks, the superblock, chunk indices from the root to the leaves, other
// metadata, and object headers, which carry the number of rows, last. What lies near each other is written at
// once. [HDF5 File Format Specification 3.0, II.A, III.A.1, IV.A]
// HDF5 never hears that a write failed: 1.10 is then left in a state in which it crashes at the close, or at
// the end of the program. The first failure is kept (ordered_driver_error), and the disk stays as it was.
// What it relies on: within one flush interval space is only added, never freed and used again.
#pragma once

#include <hdf5.h>

#include <memory>
#include <string>

namespace csim::hdf5 {

/// Puts the driver into a file access property list.
void set_ordered_driver(hid_t access_list);

/// What the system said when a write of the open file first failed ("No space left on device"); "" while none
/// did. To be asked after each flush, and after the close, in which writes may fail too.
[[nodiscard]] std::shared_ptr<const std::string> ordered_driver_error(hid_t file);

/// Drops what is held back and ignores every later write, so that closing the file leaves it as the last
/// flush did.
void ordered_driver_discard(hid_t file);

/// fsync: what was flushed survives a loss of power. False on error (see ordered_driver_error).
[[nodiscard]] bool ordered_driver_sync(hid_t file);

}  // namespace csim::hdf5
