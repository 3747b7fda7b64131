#ifndef COSMIUM_H
#define COSMIUM_H

// libosmium, behind functions of C that throw no exception. They contain no policy: the caller names the keys of the objects that
// it wants, and decides what they mean. All pointers that a callback gets are valid only during its call.

#include <stdint.h>

#ifdef __cplusplus
#define COSMIUM_NOEXCEPT noexcept
extern "C" {
#else
#define COSMIUM_NOEXCEPT
#endif

/// What an object is.
enum cosmium_kind {
  /// One point.
  COSMIUM_NODE = 0,
  /// Points in order, with the nodes' ids; those without a known location are left out.
  COSMIUM_WAY = 1,
  /// The rings of a complete relation of type multipolygon or boundary.
  COSMIUM_AREA = 2,
  /// A relation with its members and without geometry: of type associatedStreet or street, or an area before it is assembled.
  COSMIUM_RELATION = 3,
};

struct cosmium_object {
  int64_t id;
  uint8_t kind;
  /// A way: its first and last node are the same.
  uint8_t is_closed;
  /// Key, value, key, value, …: each text ends with a zero byte. Not necessarily valid UTF-8.
  const char *const *tags;
  uint32_t tag_count;
  /// Longitude, latitude, longitude, …, in 1e-7 degrees.
  const int32_t *coordinates;
  uint32_t point_count;
  /// A way: the node of each point.
  const int64_t *nodes;
  /// An area: the number of points of each ring; a negative number is an inner ring.
  const int32_t *rings;
  uint32_t ring_count;
  /// A relation: its members' ids, their kinds and their roles.
  const int64_t *members;
  const uint8_t *member_kinds;
  const char *const *member_roles;
  uint32_t member_count;
};

/// Which objects are wanted: those with one of these keys. Each list ends with a null pointer.
struct cosmium_keys {
  const char *const *nodes;
  const char *const *ways;
  const char *const *areas;
};

/// How reading ended.
enum cosmium_outcome {
  COSMIUM_DONE = 0,
  /// The file is damaged or is no PBF file.
  COSMIUM_MALFORMED = 1,
  /// The objects are not sorted by type and ID.
  COSMIUM_UNSORTED = 2,
  /// It is compressed with zstd.
  COSMIUM_ZSTD = 3,
  /// A system call failed; the message names it.
  COSMIUM_SYSTEM = 4,
  COSMIUM_NO_MEMORY = 5,
  /// A callback returned a number other than zero.
  COSMIUM_CANCELLED = 6,
};

struct cosmium_result {
  uint8_t outcome;
  /// The library's text, for the outcomes of errors.
  char message[240];
  /// The moment to which the data is current: seconds since 1970, from the header or the newest object; 0 if unknown.
  int64_t timestamp;
  uint64_t node_count, way_count, relation_count;
  /// Areas that were wanted and are not in the file completely.
  uint64_t incomplete_count;
};

typedef int (*cosmium_receive)(void *context, const struct cosmium_object *object);
/// The bytes of the file that were read in both passes, of twice its size.
typedef int (*cosmium_progress)(void *context, uint64_t done, uint64_t total);

/// Reads a PBF file in two passes: relations, then everything. Standard input is replaced by `file`.
///
/// - file: a descriptor of the file, which must be seekable.
/// - locations: a descriptor of an empty file for the locations of all nodes, 16 bytes each.
struct cosmium_result cosmium_read(
    int file, int locations, const struct cosmium_keys *keys, cosmium_receive receive, cosmium_progress progress, void *context)
    COSMIUM_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
