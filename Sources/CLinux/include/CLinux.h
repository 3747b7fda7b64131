#ifndef CLINUX_H
#define CLINUX_H

// What Glibc's Swift overlay does not import: event descriptors and serial line speeds.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#endif
