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

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// libgps depends on eight libraries (D-Bus, systemd, compression), which would add a millisecond to every start: it is
// not linked, but loaded when the first parser is created. Each version of libgps has other structure layouts and
// another file name. A table of member offsets lets one program work with all of them and be built without their
// header.
enum field {
#define PART(name, structure, member) FIELD_##name,
#define FIELD(name, type, structure, member) FIELD_##name,
#include "fields.h"
#undef PART
#undef FIELD
  FIELD_COUNT
};

struct place {
  unsigned offset, size;
};

struct layout {
  const char *library;
  size_t size;
  struct place places[FIELD_COUNT];
};

static const struct layout layouts[] = {
#include "layouts.h"
};

// The library in use; its layout is NULL if no library is loaded.
static struct {
  const struct layout *layout;
  int (*unpack)(char *, void *);
  void (*clear_fix)(void *);
  void (*clear_dop)(void *);
} libgps;

// Guard bytes behind libgps' structure: a library with an unexpected layout would overwrite them first.
enum { GUARD_SIZE = 16384, GUARD = 0xA5 };

struct cgpsd_parser {
  // libgps' structure `gps_data_t`, and the guard bytes.
  unsigned char *data;
};

static void *place(struct cgpsd_parser *parser, enum field field) {
  return parser->data + libgps.layout->places[field].offset;
}

static void clear(struct cgpsd_parser *parser, enum field field) {
  memset(place(parser, field), 0, libgps.layout->places[field].size);
}

// `.ci/gps-layout` prints a row of `layouts.h` only if the sizes of the members are those of these types.
#define DEFINE_READ(name, type)                                        \
  static type name(struct cgpsd_parser *parser, enum field field) {    \
    type value;                                                        \
    memcpy(&value, place(parser, field), sizeof value);                \
    return value;                                                      \
  }
DEFINE_READ(number, double)
DEFINE_READ(integer, int)
DEFINE_READ(moment, struct timespec)

static struct cgpsd_parser *new_parser(void) {
  struct cgpsd_parser *parser = calloc(1, sizeof *parser);
  if (!parser) return NULL;
  parser->data = calloc(1, libgps.layout->size + GUARD_SIZE);
  if (!parser->data) {
    free(parser);
    return NULL;
  }
  memset(parser->data + libgps.layout->size, GUARD, GUARD_SIZE);
  memset(place(parser, FIELD_DESCRIPTOR), 0xFF, libgps.layout->places[FIELD_DESCRIPTOR].size);
  return parser;
}

static bool is_layout_answered(void);

static void load(void) {
  for (size_t index = 0; index < sizeof layouts / sizeof *layouts; index++) {
    void *library = dlopen(layouts[index].library, RTLD_LAZY | RTLD_LOCAL);
    if (!library) continue;
    libgps.unpack = (__typeof__(libgps.unpack))dlsym(library, "gps_unpack");
    libgps.clear_fix = (__typeof__(libgps.clear_fix))dlsym(library, "gps_clear_fix");
    libgps.clear_dop = (__typeof__(libgps.clear_dop))dlsym(library, "gps_clear_dop");
    libgps.layout = &layouts[index];
    if (libgps.unpack && libgps.clear_fix && libgps.clear_dop && is_layout_answered()) return;
    libgps.layout = NULL;
    dlclose(library);
  }
}

struct cgpsd_parser *cgpsd_parser_new(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return libgps.layout ? new_parser() : NULL;
}

void cgpsd_parser_free(struct cgpsd_parser *parser) {
  free(parser->data);
  free(parser);
}

// A text that fills its field may lack the terminating NUL.
static void copy(char *to, size_t size, struct cgpsd_parser *parser, enum field field) {
  snprintf(to, size, "%.*s", (int)libgps.layout->places[field].size, (const char *)place(parser, field));
}

// gpsd's objects begin with their class. libgps would accept the class anywhere in the line.
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

static void take_device(struct cgpsd_device *to, struct cgpsd_parser *from) {
  copy(to->path, sizeof to->path, from, FIELD_PATH);
  copy(to->driver, sizeof to->driver, from, FIELD_DRIVER);
  copy(to->subtype, sizeof to->subtype, from, FIELD_SUBTYPE);
  copy(to->subtype1, sizeof to->subtype1, from, FIELD_SUBTYPE1);
  to->is_activated = moment(from, FIELD_ACTIVATED).tv_sec > 0;
}

static void take_time(struct cgpsd_report *to, struct timespec time) {
  to->has_time = time.tv_sec > 0;
  to->seconds = time.tv_sec;
  to->nanoseconds = time.tv_nsec;
}

static void take_satellite(struct cgpsd_satellite *to, const unsigned char *from) {
  const struct place *places = libgps.layout->places;
  int16_t prn;
  memcpy(&prn, from + places[FIELD_PRN].offset, sizeof prn);
  to->gnss = from[places[FIELD_GNSS].offset];
  to->number = from[places[FIELD_NUMBER].offset];
  // A number without a constellation, as from old receivers, is that of GPS.
  if (!to->number && prn >= 1 && prn <= 32) to->number = (uint8_t)prn;
  memcpy(&to->signal, from + places[FIELD_SIGNAL].offset, sizeof to->signal);
  memcpy(&to->elevation, from + places[FIELD_ELEVATION].offset, sizeof to->elevation);
  memcpy(&to->azimuth, from + places[FIELD_AZIMUTH].offset, sizeof to->azimuth);
  to->health = from[places[FIELD_HEALTH].offset];
  to->is_used = from[places[FIELD_USED].offset] != 0;
}

static void take_satellites(struct cgpsd_report *to, struct cgpsd_parser *from) {
  const struct place *places = libgps.layout->places;
  int capacity = (int)(places[FIELD_SKY].size / places[FIELD_SATELLITE].size);
  int count = integer(from, FIELD_VISIBLE);
  if (count > capacity) count = capacity;
  if (count > CGPSD_MAX_SATELLITES) count = CGPSD_MAX_SATELLITES;
  const unsigned char *satellite = place(from, FIELD_SKY);
  for (int index = 0; index < count; index++, satellite += places[FIELD_SATELLITE].size)
    take_satellite(&to->satellites[to->satellite_count++], satellite);
}

int cgpsd_unpack(struct cgpsd_parser *parser, char *line, struct cgpsd_report *report) {
  memset(report, 0, sizeof *report);
  report->kind = kind_of(line);
  if (report->kind == CGPSD_OTHER || report->kind == CGPSD_DEVICES) return 0;
  // libgps searches the whole line for the class: a line that contains this word anywhere is not passed to it.
  if (strstr(line, "DEVICES")) return -1;
  // No value of the previous line may appear in this report.
  clear(parser, FIELD_FIX);
  libgps.clear_fix(place(parser, FIELD_FIX));
  libgps.clear_dop(place(parser, FIELD_DOP));
  clear(parser, FIELD_DEVICE);
  clear(parser, FIELD_ERROR);
  clear(parser, FIELD_SKY_TIME);
  clear(parser, FIELD_VISIBLE);
  clear(parser, FIELD_SET);
  if (libgps.unpack(line, parser->data) != 0) return -1;
  copy(report->device, sizeof report->device, parser, FIELD_PATH);
  switch (report->kind) {
    case CGPSD_VERSION:
      copy(report->release, sizeof report->release, parser, FIELD_RELEASE);
      break;
    case CGPSD_DEVICE:
      take_device(&report->info, parser);
      break;
    case CGPSD_ERROR:
      copy(report->message, sizeof report->message, parser, FIELD_ERROR);
      break;
    case CGPSD_TPV:
      take_time(report, moment(parser, FIELD_TIME));
      report->mode = integer(parser, FIELD_MODE);
      report->status = integer(parser, FIELD_STATUS);
      report->latitude = number(parser, FIELD_LATITUDE);
      report->longitude = number(parser, FIELD_LONGITUDE);
      report->alt_hae = number(parser, FIELD_ALT_HAE);
      report->alt_msl = number(parser, FIELD_ALT_MSL);
      report->speed = number(parser, FIELD_SPEED);
      report->track = number(parser, FIELD_TRACK);
      report->eph = number(parser, FIELD_EPH);
      report->epv = number(parser, FIELD_EPV);
      report->eps = number(parser, FIELD_EPS);
      break;
    case CGPSD_SKY:
      take_time(report, moment(parser, FIELD_SKY_TIME));
      report->hdop = number(parser, FIELD_HDOP);
      report->vdop = number(parser, FIELD_VDOP);
      report->pdop = number(parser, FIELD_PDOP);
      take_satellites(report, parser);
      break;
    default:
      break;
  }
  return 0;
}

// Lines with a distinct value for each field that is read. A library that has the expected name but another structure
// layout, for example after an update that kept the name, returns other values or writes behind its structure.
static const char probe_position[] =
    "{\"class\":\"TPV\",\"device\":\"/dev/probe\",\"mode\":3,\"status\":2,\"time\":\"2026-11-21T08:28:52.000Z\",\"lat\":1.5,"
    "\"lon\":2.5,\"altHAE\":3.5,\"altMSL\":4.5,\"track\":5.5,\"speed\":6.5,\"eph\":7.5,\"epv\":8.5,\"eps\":9.5}";
static const char probe_sky[] =
    "{\"class\":\"SKY\",\"device\":\"/dev/probe\",\"time\":\"2026-11-21T08:28:53.000Z\",\"hdop\":1.5,\"vdop\":2.5,\"pdop\":3.5,\"nSat\":2,\"uSat\":1,"
    "\"satellites\":[{\"PRN\":4,\"el\":62.0,\"az\":187.0,\"ss\":41.0,\"used\":true,\"gnssid\":0,\"svid\":4,\"health\":1},"
    "{\"PRN\":301,\"el\":22.0,\"az\":301.0,\"ss\":36.0,\"used\":false,\"gnssid\":2,\"svid\":1,\"health\":2}]}";
static const char probe_device[] =
    "{\"class\":\"DEVICE\",\"path\":\"/dev/probe\",\"driver\":\"u-blox\",\"subtype\":\"one\",\"subtype1\":\"two\","
    "\"activated\":\"2026-11-21T08:28:51.201Z\"}";
static const char probe_version[] =
    "{\"class\":\"VERSION\",\"release\":\"3.probe\",\"rev\":\"3.probe\",\"proto_major\":3,\"proto_minor\":14}";
static const char probe_error[] = "{\"class\":\"ERROR\",\"message\":\"a probe\"}";

static bool probe(struct cgpsd_parser *parser, const char *line, struct cgpsd_report *report) {
  char copied[512];
  snprintf(copied, sizeof copied, "%s", line);
  return cgpsd_unpack(parser, copied, report) == 0;
}

static bool is_satellite(const struct cgpsd_satellite *satellite, int gnss, int number, double signal, double elevation,
                         double azimuth, int health, bool is_used) {
  return satellite->gnss == gnss && satellite->number == number && satellite->signal == signal &&
         satellite->elevation == elevation && satellite->azimuth == azimuth && satellite->health == health &&
         satellite->is_used == is_used;
}

static bool are_probes_answered(struct cgpsd_parser *parser, struct cgpsd_report *report) {
  static const int64_t second = 1795249732;
  return probe(parser, probe_position, report) && strcmp(report->device, "/dev/probe") == 0 && report->mode == 3 &&
         report->status == 2 && report->seconds == second && report->latitude == 1.5 && report->longitude == 2.5 &&
         report->alt_hae == 3.5 && report->alt_msl == 4.5 && report->track == 5.5 && report->speed == 6.5 &&
         report->eph == 7.5 && report->epv == 8.5 && report->eps == 9.5 && probe(parser, probe_sky, report) &&
         report->seconds == second + 1 && report->hdop == 1.5 && report->vdop == 2.5 && report->pdop == 3.5 &&
         report->satellite_count == 2 && is_satellite(&report->satellites[0], 0, 4, 41, 62, 187, 1, true) &&
         is_satellite(&report->satellites[1], 2, 1, 36, 22, 301, 2, false) && probe(parser, probe_device, report) &&
         strcmp(report->info.path, "/dev/probe") == 0 && strcmp(report->info.driver, "u-blox") == 0 &&
         strcmp(report->info.subtype, "one") == 0 && strcmp(report->info.subtype1, "two") == 0 &&
         report->info.is_activated && probe(parser, probe_version, report) && strcmp(report->release, "3.probe") == 0 &&
         probe(parser, probe_error, report) && strcmp(report->message, "a probe") == 0;
}

static bool is_layout_answered(void) {
  struct cgpsd_parser *parser = new_parser();
  struct cgpsd_report *report = malloc(sizeof *report);
  bool is_answered = parser && report && are_probes_answered(parser, report);
  for (size_t index = 0; is_answered && index < GUARD_SIZE; index++)
    is_answered = parser->data[libgps.layout->size + index] == GUARD;
  free(report);
  if (parser) cgpsd_parser_free(parser);
  return is_answered;
}

#endif
