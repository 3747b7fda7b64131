#ifndef CGPSD_H
#define CGPSD_H

// One line of gpsd's JSON, taken apart by libgps and made flat: its own structure changes from version to version, this
// one does not. Without the package trait GPSD there is no libgps here, and nothing is understood.

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
  // As UBX numbers them (UBX-21048598, section 1.5.2); 0 where gpsd does not say.
  uint8_t gnss, number;
  // dB-Hz; NaN where not known.
  double signal;
  // Degrees; NaN where not known.
  double elevation, azimuth;
  // 0 not known, 1 healthy, 2 not.
  int health;
  bool is_used;
};

/// Doubles are NaN where nothing is said.
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

/// What libgps keeps from one line to the next.
struct cgpsd_parser;

/// NULL without memory, or without libgps.
struct cgpsd_parser *cgpsd_parser_new(void);
void cgpsd_parser_free(struct cgpsd_parser *parser);

/// Takes apart a line, which ends with NUL and may be changed on the way; 0, or -1 where it is no whole object. Of a list of
/// devices only the kind is told: libgps 3.22 does not come back from one that is not as it should be.
int cgpsd_unpack(struct cgpsd_parser *parser, char *line, struct cgpsd_report *report);

#endif
