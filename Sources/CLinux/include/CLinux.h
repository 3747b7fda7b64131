#ifndef CLINUX_H
#define CLINUX_H

// The parts of glibc that its Swift overlay does not import: event descriptors, baud rates and a few macros. The functions
// contain no policy; on failure they return -1 and set errno, as system calls do.

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

// MARK: Events

/// epoll_ctl with an integer as the event's data.
int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t identifier);

/// epoll_wait without a timeout into two parallel arrays of `capacity` elements; returns at most 64 events.
int clinux_epoll_wait(int epoll, uint64_t *identifiers, uint32_t *events, int capacity);

/// Arms a timer descriptor for an absolute time of its clock, nanoseconds; the timer expires once. 0 disarms it.
int clinux_timer_arm(int timer, int64_t nanoseconds);

/// The time of `clock`, nanoseconds; -1 if the clock does not exist.
int64_t clinux_clock_nanoseconds(int clock);

/// The maximum error of the wall clock, microseconds; -1 if nothing synchronizes the clock, or a filter of system calls forbids the
/// question (adjtimex(2)).
int64_t clinux_clock_error(void);

/// Adds nanoseconds to the wall clock; needs CAP_SYS_TIME.
int clinux_clock_step(int64_t nanoseconds);

/// A descriptor that becomes readable when process `pid` has exited.
int clinux_pidfd_open(int pid);

// MARK: Peers

/// A descriptor that becomes readable when the process that connected a Unix socket has exited (SO_PEERPIDFD); fails
/// with ENOPROTOOPT before Linux 6.5.
int clinux_peer_pidfd(int socket);

/// Writes the supplementary groups of the process that connected a Unix socket (SO_PEERGROUPS) to `groups`, and returns their
/// number. If that is more than `capacity`, none are written.
int clinux_peer_groups(int socket, uint32_t *groups, int capacity);

/// A socket that asks the kernel about other sockets (sock_diag(7)).
int clinux_diagnosis_socket(void);

/// What the kernel knows about a TCP socket of this machine.
struct clinux_socket_owner {
  /// The user of the process that created it, as this user namespace has it, and its inode; both 0 once no process has it open.
  uint32_t user, inode;
  /// TCP_ESTABLISHED is 1.
  uint32_t state;
  /// The control group of the process that created it (INET_DIAG_CGROUP_ID, Linux 5.9); 0: not reported.
  uint64_t control_group;
};

/// Finds the other end of an accepted connection of that protocol (IPPROTO_TCP). Fails with EADDRNOTAVAIL if either address is not a loopback address, and with
/// ENOENT if this network namespace has no such socket.
int clinux_socket_owner(int diagnosis, int accepted, int protocol, struct clinux_socket_owner *owner);

/// Whether the kernel finds a socket of this process that listens at a loopback address, as a socket of that protocol (IPPROTO_TCP). Fails
/// with ENOENT if it does not: without the module tcp_diag, it finds none.
int clinux_check_diagnosis(int diagnosis, int listening, int protocol);

/// Sends bytes with a descriptor (SCM_RIGHTS, unix(7)) through a Unix stream socket; raises no SIGPIPE.
ssize_t clinux_send_descriptor(int socket, const void *bytes, size_t count, int descriptor);

/// Receives bytes, and a descriptor that came with them, otherwise -1.
ssize_t clinux_receive_descriptor(int socket, void *bytes, size_t count, int *descriptor);

/// Whether a descriptor is a TCP socket.
int clinux_is_tcp(int descriptor);

/// Ends the sending direction; what is queued is still sent (shutdown(2)).
int clinux_end_sending(int socket);

/// Sends each write at once (TCP_NODELAY).
int clinux_send_at_once(int socket);

/// Raises the limit of open descriptors to `wanted`, or to what is allowed; returns the limit.
int clinux_raise_descriptors(int wanted);

// MARK: Devices

unsigned clinux_major(uint64_t device);
unsigned clinux_minor(uint64_t device);

/// Makes a terminal exclusive: further opens fail with EBUSY, except for root.
int clinux_exclusive_set(int descriptor);

/// Lets other processes open the terminal again.
int clinux_exclusive_clear(int descriptor);

/// 1 if a terminal is exclusive, 0 if not.
int clinux_exclusive_get(int descriptor);

/// Unlocks the slave of a pseudo-terminal's master.
int clinux_pty_unlock(int master);

/// Rows and columns of a terminal, rows in the upper 16 bits; 0 if the width is unknown. Without a height, 24 rows are
/// reported.
uint32_t clinux_window_size(int terminal);

// MARK: Serial lines

/// All settings of a serial line: the kernel's termios2, whose header conflicts with <termios.h>.
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

/// Sets raw bytes, 8 data bits, no parity, 1 stop bit, no flow control, no echo, no modem control, no hang-up on close
/// (HUPCL); keeps the baud rate.
void clinux_line_make_raw(struct clinux_line *line);

/// Sets the baud rate of both directions, bits per second: any number (BOTHER).
void clinux_line_set_speed(struct clinux_line *line, uint32_t speed);

/// The error counts of a serial line's driver (TIOCGICOUNT).
struct clinux_line_errors {
  int framing, breaks, overruns;
};
/// Reads the error counts; -1 if the driver does not count errors.
int clinux_line_errors_get(int descriptor, struct clinux_line_errors *errors);

// MARK: Memory

/// Attaches a segment of System V shared memory of at least `size` bytes, which is created with `mode` if it does not exist, and writes
/// its owner to `owner`. A null pointer on failure.
void *clinux_shared_memory_attach(int key, int size, int mode, uint32_t *owner);
int clinux_shared_memory_detach(void *address);

/// Returns unused pages of the heap to the kernel (malloc_trim(3)); does nothing if the C library does not support that.
void clinux_heap_trim(void);

// MARK: Build

/// The date on which this file was compiled, in the form of `__DATE__`.
const char *clinux_build_date(void);

// MARK: Confinement

/// Permits files beneath a folder only (landlock(7)); needs `clinux_no_new_privileges`. Returns the version of Landlock, which is at
/// least 1; version 3 and later also keep the process from shortening other files with truncate(2). Fails with ENOSYS or EOPNOTSUPP if
/// the kernel has no Landlock. Without `writes`, the files can only be read.
int clinux_confine_files(int folder, int writes);

/// Forbids sockets, other processes, other programs, truncate(2), and calls that affect other processes (seccomp(2)); a call of another architecture
/// kills the process. Needs `clinux_no_new_privileges`. Fails with ENOSYS on a machine other than x86-64 and arm64.
int clinux_confine_calls(void);

/// Makes the working directory the root of this process, and gives root's privileges up for a user's.
int clinux_confine_root(unsigned user);

/// Gives up all capabilities of this process, also those in a user namespace.
int clinux_drop_capabilities(void);

/// No program that this process starts gets more privileges.
int clinux_no_new_privileges(void);

/// This process gets a signal when the thread that started it exits.
int clinux_die_with_parent(int signal);

/// Gives this process a network of its own, without interfaces that are up.
int clinux_separate_network(void);

/// Uses the disk only when no other process does.
int clinux_idle_disk(void);

/// Creates a file without a name (open(2), O_TMPFILE).
int clinux_open_nameless(const char *folder);

#endif
