/* Declares nothing: the linker finds the functions by their names. */
#ifndef RUNTIME_H
#define RUNTIME_H
#endif
