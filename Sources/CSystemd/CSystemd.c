#include "CSystemd.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

// The same declarations as in sd-bus.h, so that the header is not needed to build. The name of the library changes if its interface does.
typedef void bus;
typedef void message;
struct error {
  const char *name, *message;
  int needs_free;
};

static struct {
  int (*open_system)(bus **);
  bus *(*flush_close_unref)(bus *);
  int (*get_fd)(bus *);
  int (*get_events)(bus *);
  int (*process)(bus *, message **);
  int (*request_name)(bus *, const char *, uint64_t);
  int (*send)(bus *, message *, uint64_t *);
  int (*call)(bus *, message *, uint64_t, struct error *, message **);
  void (*error_free)(struct error *);
  message *(*message_unref)(message *);
  int (*message_get_type)(message *, uint8_t *);
  int (*message_get_expect_reply)(message *);
  const char *(*message_get_sender)(message *);
  const char *(*message_get_path)(message *);
  const char *(*message_get_interface)(message *);
  const char *(*message_get_member)(message *);
  int (*message_get_reply_cookie)(message *, uint64_t *);
  int (*message_peek_type)(message *, char *, const char **);
  int (*message_enter_container)(message *, char, const char *);
  int (*message_exit_container)(message *);
  int (*message_read_basic)(message *, char, void *);
  int (*message_skip)(message *, const char *);
  int (*message_new_method_return)(message *, message **);
  int (*message_new_method_error)(message *, message **, const struct error *);
  int (*message_new_signal)(bus *, message **, const char *, const char *, const char *);
  int (*message_new_method_call)(bus *, message **, const char *, const char *, const char *, const char *);
  int (*message_set_destination)(message *, const char *);
  int (*message_append_basic)(message *, char, const void *);
  int (*message_open_container)(message *, char, const char *);
  int (*message_close_container)(message *);
  int is_there;
} sd;

static void load(void) {
  void *library = dlopen("libsystemd.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  int is_whole = 1;
#define LOAD(name) is_whole &= (sd.name = (__typeof__(sd.name))dlsym(library, "sd_bus_" #name)) != NULL
  LOAD(open_system);
  LOAD(flush_close_unref);
  LOAD(get_fd);
  LOAD(get_events);
  LOAD(process);
  LOAD(request_name);
  LOAD(send);
  LOAD(call);
  LOAD(error_free);
  LOAD(message_unref);
  LOAD(message_get_type);
  LOAD(message_get_expect_reply);
  LOAD(message_get_sender);
  LOAD(message_get_path);
  LOAD(message_get_interface);
  LOAD(message_get_member);
  LOAD(message_get_reply_cookie);
  LOAD(message_peek_type);
  LOAD(message_enter_container);
  LOAD(message_exit_container);
  LOAD(message_read_basic);
  LOAD(message_skip);
  LOAD(message_new_method_return);
  LOAD(message_new_method_error);
  LOAD(message_new_signal);
  LOAD(message_new_method_call);
  LOAD(message_set_destination);
  LOAD(message_append_basic);
  LOAD(message_open_container);
  LOAD(message_close_container);
  sd.is_there = is_whole;
}

int csystemd_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return sd.is_there ? 0 : -ELIBACC;
}

int csystemd_open_system(void **bus) {
  int result = csystemd_load();
  return result < 0 ? result : sd.open_system(bus);
}

void csystemd_close(void *bus) { sd.flush_close_unref(bus); }
int csystemd_descriptor(void *bus) { return sd.get_fd(bus); }
int csystemd_events(void *bus) { return sd.get_events(bus); }
int csystemd_next(void *bus, void **message) {
  *message = NULL;
  return sd.process(bus, message);
}
// SD_BUS_NAME_QUEUE is not among the flags: a second owner is an error.
int csystemd_request_name(void *bus, const char *name) { return sd.request_name(bus, name, 0); }

void csystemd_release(void *message) { sd.message_unref(message); }

int csystemd_type(void *message) {
  uint8_t type = 0;
  int result = sd.message_get_type(message, &type);
  return result < 0 ? result : type;
}
int csystemd_wants_reply(void *message) { return sd.message_get_expect_reply(message) > 0; }
const char *csystemd_sender(void *message) { return sd.message_get_sender(message); }
const char *csystemd_path(void *message) { return sd.message_get_path(message); }
const char *csystemd_interface(void *message) { return sd.message_get_interface(message); }
const char *csystemd_member(void *message) { return sd.message_get_member(message); }
uint64_t csystemd_answered(void *message) {
  uint64_t cookie = 0;
  return sd.message_get_reply_cookie(message, &cookie) < 0 ? 0 : cookie;
}

int csystemd_peek(void *message, char *type, const char **contents) { return sd.message_peek_type(message, type, contents); }
int csystemd_enter(void *message, char type, const char *contents) { return sd.message_enter_container(message, type, contents); }
int csystemd_exit(void *message) { return sd.message_exit_container(message); }

// The types of numbers (D-Bus Specification, "Basic types"). sd-bus reads and writes a boolean as an int.
union number {
  uint8_t y;
  int b;
  int16_t n;
  uint16_t q;
  int32_t i;
  uint32_t u;
  int64_t x;
  uint64_t t;
  double d;
};

int csystemd_read_number(void *message, char type, uint64_t *number) {
  union number value = {0};
  int result = sd.message_read_basic(message, type, &value);
  if (result <= 0) return result < 0 ? result : -ENXIO;
  switch (type) {
    case 'y': *number = value.y; break;
    case 'b': *number = value.b != 0; break;
    case 'n': *number = (uint64_t)(int64_t)value.n; break;
    case 'q': *number = value.q; break;
    case 'i': *number = (uint64_t)(int64_t)value.i; break;
    case 'u': *number = value.u; break;
    case 'x': *number = (uint64_t)value.x; break;
    case 't': *number = value.t; break;
    case 'd': memcpy(number, &value.d, sizeof *number); break;
    default: return -EINVAL;
  }
  return 1;
}
const char *csystemd_read_text(void *message, char type) {
  const char *text = NULL;
  return sd.message_read_basic(message, type, &text) > 0 ? text : NULL;
}
int csystemd_skip(void *message, const char *signature) { return sd.message_skip(message, signature); }

int csystemd_new_reply(void *call, void **message) { return sd.message_new_method_return(call, message); }
int csystemd_new_error(void *call, void **message, const char *name, const char *sentence) {
  struct error error = {name, sentence, 0};
  return sd.message_new_method_error(call, message, &error);
}
int csystemd_new_signal(void *bus, void **message, const char *destination, const char *path, const char *interface, const char *member) {
  int result = sd.message_new_signal(bus, message, path, interface, member);
  return result < 0 || !destination ? result : sd.message_set_destination(*message, destination);
}
int csystemd_new_call(void *bus, void **message, const char *destination, const char *path, const char *interface, const char *member) {
  return sd.message_new_method_call(bus, message, destination, path, interface, member);
}

int csystemd_append_number(void *message, char type, uint64_t number) {
  union number value = {0};
  switch (type) {
    case 'y': value.y = (uint8_t)number; break;
    case 'b': value.b = number != 0; break;
    case 'i': value.i = (int32_t)number; break;
    case 'u': value.u = (uint32_t)number; break;
    case 'x': value.x = (int64_t)number; break;
    case 't': value.t = number; break;
    case 'd': memcpy(&value.d, &number, sizeof number); break;
    default: return -EINVAL;
  }
  return sd.message_append_basic(message, type, &value);
}
int csystemd_append_text(void *message, char type, const char *text) { return sd.message_append_basic(message, type, text); }
int csystemd_open(void *message, char type, const char *contents) { return sd.message_open_container(message, type, contents); }
int csystemd_shut(void *message) { return sd.message_close_container(message); }
int csystemd_send(void *bus, void *message, uint64_t *cookie) { return sd.send(bus, message, cookie); }
int csystemd_call(void *bus, void *message, uint64_t microseconds, void **reply) {
  struct error error = {0};
  int result = sd.call(bus, message, microseconds, &error, reply);
  sd.error_free(&error);
  return result;
}
