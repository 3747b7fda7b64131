/* Parts of Swift's runtime that every start initializes, in a form that costs nothing. They replace two object files of the runtime's archive:
   the linker takes none of them, because all of their names that a program uses are defined here. The definitions are weak: a runtime that
   has more such names is linked with its own, and only the time is lost. Tests are debug builds, which have the whole runtime. */
#include "runtime.h"

#ifdef RELEASE_PROGRAM
#include <stdbool.h>
#include <stdint.h>

/* CommandLine.cpp: the arguments. The runtime searches for them on the stack, whose place it reads in /proc/self/maps; glibc passes them to
   each constructor as well. */
static char *noArguments[1];
static char **arguments = noArguments;
static int argumentCount;

__attribute__((constructor)) static void keepArguments(int count, char **values) {
  argumentCount = count;
  arguments = values;
}

__attribute__((weak)) char **_swift_stdlib_getUnsafeArgvArgc(int *count) {
  *count = argumentCount;
  return arguments;
}

__attribute__((weak)) void _swift_stdlib_overrideUnsafeArgvArgc(char **values, int count) {
  argumentCount = count;
  arguments = values;
}

/* Backtrace.cpp: the settings of backtraces, off, as they are where Swift's program for backtraces is not installed. The runtime searches for
   that program at every start, in eight places, and asks whether the output is a terminal. Only a backtrace calls the function. */
__attribute__((weak)) uint32_t _swift_backtraceSettings[22];
__attribute__((weak)) bool _swift_backtrace_isThunkFunction(const char *name) { return false; }
#endif
