#include "CGPSD.h"

#ifndef GPSD

#include <stddef.h>

struct cgpsd_parser *cgpsd_parser_new(void) { return NULL; }
void cgpsd_parser_free(struct cgpsd_parser *parser) { (void)parser; }
int cgpsd_unpack(struct cgpsd_parser *parser, char *line, struct cgpsd_report *report) {
  (void)parser, (void)line, (void)report;
  return -1;
}

#else

#if !__has_include(<gps.h>)
#error "gps.h is missing: apt install libgps-dev, or build without the trait GPSD"
#endif
#include <dlfcn.h>
#include <gps.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cgpsd_parser {
  struct gps_data_t data;
};

// libgps depends on eight libraries (D-Bus, systemd, compression), which would add a millisecond to every start: it is not
// linked, but loaded with the first parser. Its names by API version: with the same version, the structures that it fills in
// have the same layout.
static const char *const libraries[] = {
#if GPSD_API_MAJOR_VERSION == 11
    "libgps.so.28",
#elif GPSD_API_MAJOR_VERSION == 12
    "libgps.so.29",
#elif GPSD_API_MAJOR_VERSION == 14
    "libgps.so.30", "libgps.so.31",
#elif GPSD_API_MAJOR_VERSION == 16
    "libgps.so.32",
#else
    // An unknown version: the name that is installed with its header.
    "libgps.so",
#endif
};

// The functions in use.
static struct {
  __typeof__(&gps_unpack) unpack;
  __typeof__(&gps_clear_fix) clear_fix;
  __typeof__(&gps_clear_dop) clear_dop;
} libgps;

static void load(void) {
  void *library = NULL;
  for (size_t index = 0; !library && index < sizeof libraries / sizeof *libraries; index++)
    library = dlopen(libraries[index], RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  libgps.unpack = (__typeof__(&gps_unpack))dlsym(library, "gps_unpack");
  libgps.clear_fix = (__typeof__(&gps_clear_fix))dlsym(library, "gps_clear_fix");
  libgps.clear_dop = (__typeof__(&gps_clear_dop))dlsym(library, "gps_clear_dop");
}

struct cgpsd_parser *cgpsd_parser_new(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  if (!libgps.unpack || !libgps.clear_fix || !libgps.clear_dop) return NULL;
  struct cgpsd_parser *parser = calloc(1, sizeof *parser);
  if (parser) parser->data.gps_fd = -1;
  return parser;
}

void cgpsd_parser_free(struct cgpsd_parser *parser) { free(parser); }

static void copy(char *to, size_t size, const char *from) { snprintf(to, size, "%s", from); }

// gpsd's objects begin with their class. libgps would accept it anywhere in the line.
static int kind_of(const char *line) {
  static const struct {
    const char *name;
    int kind;
  } kinds[] = {
      {"\"VERSION\"", CGPSD_VERSION}, {"\"DEVICES\"", CGPSD_DEVICES}, {"\"DEVICE\"", CGPSD_DEVICE},
      {"\"WATCH\"", CGPSD_WATCH},     {"\"TPV\"", CGPSD_TPV},         {"\"SKY\"", CGPSD_SKY},
      {"\"ERROR\"", CGPSD_ERROR},
  };
  static const char beginning[] = "{\"class\":";
  if (strncmp(line, beginning, strlen(beginning)) != 0) return CGPSD_OTHER;
  const char *name = line + strlen(beginning);
  for (size_t index = 0; index < sizeof kinds / sizeof *kinds; index++)
    if (strncmp(name, kinds[index].name, strlen(kinds[index].name)) == 0) return kinds[index].kind;
  return CGPSD_OTHER;
}

static void take_device(struct cgpsd_device *to, const struct devconfig_t *from) {
  copy(to->path, sizeof to->path, from->path);
  copy(to->driver, sizeof to->driver, from->driver);
  copy(to->subtype, sizeof to->subtype, from->subtype);
  copy(to->subtype1, sizeof to->subtype1, from->subtype1);
  to->is_activated = from->activated.tv_sec > 0;
}

static void take_time(struct cgpsd_report *to, timespec_t time) {
  to->has_time = time.tv_sec > 0;
  to->seconds = time.tv_sec;
  to->nanoseconds = time.tv_nsec;
}

static void take_satellites(struct cgpsd_report *to, const struct gps_data_t *from) {
  for (int index = 0; index < from->satellites_visible && index < MAXCHANNELS; index++) {
    if (to->satellite_count == CGPSD_MAX_SATELLITES) break;
    const struct satellite_t *satellite = &from->skyview[index];
    struct cgpsd_satellite *taken = &to->satellites[to->satellite_count++];
    taken->gnss = satellite->gnssid;
    taken->number = satellite->svid;
    // Numbers of old receivers without a constellation are those of GPS.
    if (!taken->number && satellite->PRN >= 1 && satellite->PRN <= 32) taken->number = satellite->PRN;
    taken->signal = satellite->ss;
    taken->elevation = satellite->elevation;
    taken->azimuth = satellite->azimuth;
    taken->health = satellite->health;
    taken->is_used = satellite->used;
  }
}

int cgpsd_unpack(struct cgpsd_parser *parser, char *line, struct cgpsd_report *report) {
  struct gps_data_t *data = &parser->data;
  memset(report, 0, sizeof *report);
  report->kind = kind_of(line);
  if (report->kind == CGPSD_OTHER || report->kind == CGPSD_DEVICES) return 0;
  // libgps searches for the class differently: a line that contains this word anywhere is not passed to it.
  if (strstr(line, "DEVICES")) return -1;
  // No value of the previous line may appear in this report.
  memset(&data->fix, 0, sizeof data->fix);
  libgps.clear_fix(&data->fix);
  libgps.clear_dop(&data->dop);
  memset(&data->dev, 0, sizeof data->dev);
  memset(data->error, 0, sizeof data->error);
  data->skyview_time.tv_sec = 0;
  data->satellites_visible = 0;
  data->set = 0;
  if (libgps.unpack(line, data) != 0) return -1;
  copy(report->device, sizeof report->device, data->dev.path);
  switch (report->kind) {
    case CGPSD_VERSION:
      copy(report->release, sizeof report->release, data->version.release);
      break;
    case CGPSD_DEVICE:
      take_device(&report->info, &data->dev);
      break;
    case CGPSD_ERROR:
      copy(report->message, sizeof report->message, data->error);
      break;
    case CGPSD_TPV:
      take_time(report, data->fix.time);
      report->mode = data->fix.mode;
#if GPSD_API_MAJOR_VERSION >= 10
      report->status = data->fix.status;
#else
      report->status = data->status;
#endif
      report->latitude = data->fix.latitude;
      report->longitude = data->fix.longitude;
      report->alt_hae = data->fix.altHAE;
      report->alt_msl = data->fix.altMSL;
      report->speed = data->fix.speed;
      report->track = data->fix.track;
      report->eph = data->fix.eph;
      report->epv = data->fix.epv;
      report->eps = data->fix.eps;
      break;
    case CGPSD_SKY:
      take_time(report, data->skyview_time);
      report->hdop = data->dop.hdop;
      report->vdop = data->dop.vdop;
      report->pdop = data->dop.pdop;
      take_satellites(report, data);
      break;
    default:
      break;
  }
  return 0;
}

#endif
