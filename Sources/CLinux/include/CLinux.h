#ifndef CLINUX_H
#define CLINUX_H

// What Glibc's Swift overlay does not import: event descriptors, serial line speeds and a few macros. The functions hold
// no policy; like system calls they return -1 and set errno.

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

// MARK: Events

/// epoll_ctl with an integer as the event's data.
int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t identifier);

/// epoll_wait without a timeout into two parallel arrays of `capacity` elements.
int clinux_epoll_wait(int epoll, uint64_t *identifiers, uint32_t *events, int capacity);

/// Arms a timer descriptor for an absolute time of its clock, once; 0 disarms it.
int clinux_timer_arm(int timer, int64_t nanoseconds);

/// Nanoseconds of `clock`; -1 where the clock does not exist.
int64_t clinux_clock_nanoseconds(int clock);

/// Microseconds that the clock of the time of day may be off; -1 where nothing keeps it right (adjtimex(2)).
int64_t clinux_clock_error(void);

/// A descriptor that becomes readable when process `pid` has exited.
int clinux_pidfd_open(int pid);

// MARK: Peers

/// Such a descriptor of the process that connected a Unix socket (SO_PEERPIDFD); ENOPROTOOPT before Linux 6.5.
int clinux_peer_pidfd(int socket);

/// The supplementary groups of the process that connected a Unix socket (SO_PEERGROUPS): how many there are. Where that is
/// more than `capacity`, none were written.
int clinux_peer_groups(int socket, uint32_t *groups, int capacity);

// MARK: Devices

unsigned clinux_major(uint64_t device);
unsigned clinux_minor(uint64_t device);

/// Marks a terminal as taken: further opens fail with EBUSY, except for root.
int clinux_exclusive_set(int descriptor);

/// Lets others open the terminal again.
int clinux_exclusive_clear(int descriptor);

/// 1 where a terminal is marked as taken, 0 where it is not.
int clinux_exclusive_get(int descriptor);

/// Unlocks the slave of a pseudo-terminal's master.
int clinux_pty_unlock(int master);

/// Rows and columns of a terminal, rows in the upper 16 bits; 0 where it has no size.
uint32_t clinux_window_size(int terminal);

// MARK: Serial lines

/// A serial line's settings, all of them: the kernel's termios2, whose header must not meet <termios.h>.
struct clinux_line {
  uint32_t input, output, control, local;
  uint8_t discipline;
  uint8_t characters[19];
  uint32_t input_speed, output_speed;
};

/// Reads a line's settings.
int clinux_line_get(int descriptor, struct clinux_line *line);

/// Sets a line's settings at once (TCSANOW).
int clinux_line_set(int descriptor, const struct clinux_line *line);

/// Raw bytes, 8 data bits, no parity, 1 stop bit, no flow control, no echo, no modem control; keeps the speed.
void clinux_line_make_raw(struct clinux_line *line);

/// Bits per second both ways, any number (BOTHER).
void clinux_line_set_speed(struct clinux_line *line, uint32_t speed);

/// What a serial line's driver has counted (TIOCGICOUNT); -1 where it does not count.
struct clinux_line_errors {
  int framing, breaks, overruns;
};
int clinux_line_errors_get(int descriptor, struct clinux_line_errors *errors);

// MARK: Memory

/// Gives pages of the heap that nobody uses back to the kernel (malloc_trim(3)); nothing where the C library cannot.
void clinux_heap_trim(void);

// MARK: Build

/// The day this was compiled, as `__DATE__` says it.
const char *clinux_build_date(void);

#endif
