#ifndef CGPSD_H
#define CGPSD_H

// One line of gpsd's JSON, parsed by libgps and copied to a flat structure, which stays the same while libgps' own
// structure changes from version to version. Without the package trait GPSD, libgps is not used and no line can be
// parsed.

#include <stdbool.h>
#include <stdint.h>

enum { CGPSD_MAX_SATELLITES = 140, CGPSD_MAX_PATH = 128, CGPSD_MAX_TEXT = 128 };

enum cgpsd_kind {
  CGPSD_OTHER,
  CGPSD_VERSION,
  CGPSD_DEVICES,
  CGPSD_DEVICE,
  CGPSD_WATCH,
  CGPSD_TPV,
  CGPSD_SKY,
  CGPSD_ERROR,
};

struct cgpsd_device {
  char path[CGPSD_MAX_PATH];
  char driver[CGPSD_MAX_TEXT];
  char subtype[CGPSD_MAX_TEXT];
  char subtype1[CGPSD_MAX_TEXT];
  bool is_activated;
};

struct cgpsd_satellite {
  // In the numbering of UBX (UBX-21048598, section 1.5.2); 0 if gpsd does not report them.
  uint8_t gnss, number;
  // dB-Hz; NaN if unknown.
  double signal;
  // Degrees; NaN if unknown.
  double elevation, azimuth;
  // 0 unknown, 1 healthy, 2 unhealthy.
  int health;
  bool is_used;
};

/// Doubles are NaN if not reported.
struct cgpsd_report {
  int kind;
  char device[CGPSD_MAX_PATH];
  // VERSION
  char release[CGPSD_MAX_TEXT];
  // ERROR
  char message[CGPSD_MAX_TEXT];
  // DEVICE
  struct cgpsd_device info;
  // TPV, SKY
  bool has_time;
  int64_t seconds, nanoseconds;
  int mode, status;
  double latitude, longitude, alt_hae, alt_msl, speed, track, eph, epv, eps;
  double hdop, vdop, pdop;
  int satellite_count;
  struct cgpsd_satellite satellites[CGPSD_MAX_SATELLITES];
};

/// The state that libgps keeps from one line to the next.
struct cgpsd_parser;

/// Returns NULL if there is no memory, or no usable libgps.
struct cgpsd_parser *cgpsd_parser_new(void);
void cgpsd_parser_free(struct cgpsd_parser *parser);

/// Parses a NUL-terminated line, which may be modified; returns 0, or -1 if it is not a complete object. For a list of
/// devices only the kind is reported: libgps 3.22 does not return from a malformed list.
int cgpsd_unpack(struct cgpsd_parser *parser, char *line, struct cgpsd_report *report);

#endif
