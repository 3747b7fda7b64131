#include "CCoreLocation.h"

// Declarations alone; a target of C wants one file to compile.
