/* Declares nothing: the linker finds the functions by their names. */
#ifndef TASKS_H
#define TASKS_H
#endif
