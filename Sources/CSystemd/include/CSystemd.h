#ifndef CSYSTEMD_H
#define CSYSTEMD_H

// The bus of libsystemd (sd-bus), which is loaded when it is used: only the programs that speak D-Bus need it. Nothing here calls back: the
// caller takes each message with `csystemd_next`. All functions that return `int` return a negative errno on failure, as sd-bus does.

#include <stdint.h>

/// 0, or -ELIBACC without libsystemd.so.0.
int csystemd_load(void);

/// Connects to the system bus, whose address is that of DBUS_SYSTEM_BUS_ADDRESS if set.
int csystemd_open_system(void **bus);
/// Writes what is queued, and closes the connection.
void csystemd_close(void *bus);
/// The socket, and the events of poll(2) that the connection waits for.
int csystemd_descriptor(void *bus);
int csystemd_events(void *bus);
/// Does one step of work. 0: there is nothing to do. `message` is a message for the caller, who owns it, or NULL.
int csystemd_next(void *bus, void **message);
/// Becomes the only owner of a name, without waiting in the name's queue.
int csystemd_request_name(void *bus, const char *name);

void csystemd_release(void *message);

/// The type: 1 a call, 2 a reply, 3 an error, 4 a signal.
int csystemd_type(void *message);
/// Whether the sender of a call waits for a reply.
int csystemd_wants_reply(void *message);
/// Fields of the header; NULL if the message does not have them. They live as long as the message.
const char *csystemd_sender(void *message);
const char *csystemd_path(void *message);
const char *csystemd_interface(void *message);
const char *csystemd_member(void *message);
/// The number of the call that the message answers; 0: none.
uint64_t csystemd_answered(void *message);

/// The type of the next value, and for a container the signature of what it contains. 0: there is no further value.
int csystemd_peek(void *message, char *type, const char **contents);
int csystemd_enter(void *message, char type, const char *contents);
int csystemd_exit(void *message);
/// Reads a number of any type as 64 bits; a double by its bits, and a signed number with its sign.
int csystemd_read_number(void *message, char type, uint64_t *number);
/// Reads a string, a path or a signature; NULL on failure. It lives as long as the message.
const char *csystemd_read_text(void *message, char type);
/// Skips a value whose type the caller does not use.
int csystemd_skip(void *message, const char *signature);

int csystemd_new_reply(void *call, void **message);
int csystemd_new_error(void *call, void **message, const char *name, const char *sentence);
/// `destination` NULL: a signal for everyone.
int csystemd_new_signal(void *bus, void **message, const char *destination, const char *path, const char *interface, const char *member);
int csystemd_new_call(void *bus, void **message, const char *destination, const char *path, const char *interface, const char *member);
int csystemd_append_number(void *message, char type, uint64_t number);
int csystemd_append_text(void *message, char type, const char *text);
int csystemd_open(void *message, char type, const char *contents);
int csystemd_shut(void *message);
/// Queues a message. `cookie`: its number; NULL for a call that needs no reply.
int csystemd_send(void *bus, void *message, uint64_t *cookie);
/// Sends a call and waits for its reply, at most for `microseconds`.
int csystemd_call(void *bus, void *message, uint64_t microseconds, void **reply);

#endif
