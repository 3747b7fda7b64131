#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <malloc.h>
#include <sys/ioctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t identifier) {
  struct epoll_event event = {.events = events, .data = {.u64 = identifier}};
  return epoll_ctl(epoll, operation, descriptor, &event);
}

int clinux_epoll_wait(int epoll, uint64_t *identifiers, uint32_t *events, int capacity) {
  struct epoll_event ready[64];
  int count = epoll_wait(epoll, ready, capacity < 64 ? capacity : 64, -1);
  for (int index = 0; index < count; index++) {
    identifiers[index] = ready[index].data.u64;
    events[index] = ready[index].events;
  }
  return count;
}

int clinux_timer_arm(int timer, int64_t nanoseconds) {
  struct itimerspec when = {.it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, 0);
}

int64_t clinux_clock_nanoseconds(int clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) < 0) return -1;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t clinux_clock_error(void) {
  struct timex state = {0};
  int result = adjtimex(&state);
  return result < 0 || result == TIME_ERROR || state.status & STA_UNSYNC ? -1 : state.maxerror;
}

int clinux_clock_step(int64_t nanoseconds) {
  struct timespec time;
  if (clock_gettime(CLOCK_REALTIME, &time) < 0) return -1;
  int64_t sum = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec + nanoseconds;
  time.tv_sec = sum / 1000000000;
  time.tv_nsec = sum % 1000000000;
  return clock_settime(CLOCK_REALTIME, &time);
}

void *clinux_shared_memory_attach(int key, int size, int mode, uint32_t *owner) {
  int segment = shmget(key, size, IPC_CREAT | mode);
  if (segment < 0) return NULL;
  struct shmid_ds status;
  if (shmctl(segment, IPC_STAT, &status) < 0) return NULL;
  *owner = status.shm_perm.uid;
  void *address = shmat(segment, NULL, 0);
  return address == (void *)-1 ? NULL : address;
}

int clinux_shared_memory_detach(void *address) { return shmdt(address); }

int clinux_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// Since Linux 6.5; the C library's headers may be older than the kernel.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int clinux_peer_pidfd(int socket) {
  int descriptor = -1;
  socklen_t size = sizeof descriptor;
  return getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &descriptor, &size) < 0 ? -1 : descriptor;
}

int clinux_peer_groups(int socket, uint32_t *groups, int capacity) {
  _Static_assert(sizeof(gid_t) == sizeof *groups, "group numbers");
  socklen_t size = (socklen_t)capacity * sizeof *groups;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size) < 0 && errno != ERANGE) return -1;
  return (int)(size / sizeof *groups);
}

unsigned clinux_major(uint64_t device) { return major(device); }
unsigned clinux_minor(uint64_t device) { return minor(device); }

int clinux_exclusive_set(int descriptor) { return ioctl(descriptor, TIOCEXCL); }

int clinux_exclusive_clear(int descriptor) { return ioctl(descriptor, TIOCNXCL); }

int clinux_exclusive_get(int descriptor) {
  int isExclusive = 0;
  return ioctl(descriptor, TIOCGEXCL, &isExclusive) < 0 ? -1 : isExclusive != 0;
}

int clinux_pty_unlock(int master) {
  int lock = 0;
  return ioctl(master, TIOCSPTLCK, &lock);
}

uint32_t clinux_window_size(int terminal) {
  struct winsize size;
  if (ioctl(terminal, TIOCGWINSZ, &size) < 0 || !size.ws_col) return 0;
  // A serial console often reports only its width; terminals have at least 24 rows.
  return (uint32_t)(size.ws_row ? size.ws_row : 24) << 16 | size.ws_col;
}

const char *clinux_build_date(void) { return __DATE__; }

void clinux_heap_trim(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
