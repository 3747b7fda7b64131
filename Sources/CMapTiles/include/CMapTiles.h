#ifndef CMAPTILES_H
#define CMAPTILES_H

// Vector tiles (Mapbox Vector Tile Specification 2.1) of features, encoded with protozero and compressed with zlib, behind functions of C
// that throw no exception. They contain no policy: the caller decides which features there are, in which layers, and from which zoom on.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define CMAPTILES_NOEXCEPT noexcept
extern "C" {
#else
#define CMAPTILES_NOEXCEPT
#endif

/// The numbers of the specification, section 4.3.4.
enum cmaptiles_geometry {
  CMAPTILES_POINT = 1,
  CMAPTILES_LINE = 2,
  CMAPTILES_POLYGON = 3,
};

struct cmaptiles_feature {
  /// The index of its layer.
  uint8_t layer;
  uint8_t geometry;
  /// The first and the last zoom that shows it.
  uint8_t least_zoom, most_zoom;
  /// The value of `rank`; 0: it has none.
  uint32_t rank;
  /// The values of `class` and `name`, UTF-8 that ends with a zero byte; an empty name is left out.
  const char *kind;
  const char *name;
  /// Longitude, latitude, longitude, …, in 1e-6 degrees.
  const int32_t *coordinates;
  uint32_t point_count;
  /// A polygon: the number of points of each ring; a negative number is an inner ring of the last outer one.
  const int32_t *rings;
  uint32_t ring_count;
};

/// Collects features.
struct cmaptiles_builder;

/// The zooms of tiles.
enum { CMAPTILES_LEAST_ZOOM = 6, CMAPTILES_MOST_ZOOM = 14 };

/// - features, entries: descriptors of empty files for the features, and for 8 bytes for each feature of each tile; not closed.
/// - most_entries: more are left out.
/// - layers: their names, at most 16; the list ends with a null pointer.
/// Returns a null pointer if there is no memory.
struct cmaptiles_builder *cmaptiles_create(
    int features, int entries, uint64_t most_entries, const char *const *layers) CMAPTILES_NOEXCEPT;

/// Adds a feature, and leaves out what is not valid. Returns 0 or an errno.
int cmaptiles_add(struct cmaptiles_builder *builder, const struct cmaptiles_feature *feature) CMAPTILES_NOEXCEPT;

/// The tiles in the order of zoom, x and y; y counts from the north. Compressed as gzip. A number other than zero ends the call.
typedef int (*cmaptiles_receive)(void *context, unsigned zoom, unsigned x, unsigned y, const uint8_t *bytes, size_t size);
/// The features of tiles that were written, of all.
typedef int (*cmaptiles_progress)(void *context, uint64_t done, uint64_t total);

/// Makes all tiles. Returns 0 or an errno: ECANCELED if a callback has returned a number other than zero.
int cmaptiles_finish(
    struct cmaptiles_builder *builder, cmaptiles_receive receive, cmaptiles_progress progress, void *context) CMAPTILES_NOEXCEPT;

/// The area of all features: west, south, east and north in degrees. Returns 0 if there is none.
int cmaptiles_bounds(const struct cmaptiles_builder *builder, double bounds[4]) CMAPTILES_NOEXCEPT;

void cmaptiles_free(struct cmaptiles_builder *builder) CMAPTILES_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
