/* locationctl and locationd run no tasks of Swift: they have an event loop, and threads of their own. Only functions of
   swift-argument-parser that nothing calls refer to tasks. For them, the linker would add the library of Swift's concurrency and libdispatch,
   which every start initializes: the start takes longer, and the program is larger. If a program comes to use tasks, its link fails with
   "duplicate symbol": then remove this file. Tests use tasks, and are debug builds. */
#include "runtime.h"

#ifdef RELEASE_PROGRAM
#include <stdlib.h>

void swift_task_alloc(void) { abort(); }
void swift_task_dealloc(void) { abort(); }
void swift_task_switch(void) { abort(); }
#endif
