// The parts of Core Location that only C can declare as Apple does: enumerations that may get further values, and a plain
// coordinate. Each is imported into Swift under Apple's name.
#pragma once

#include "CLAuthorization.h"
#include "CLCoordinate.h"
#include "CLErrorCodes.h"
#include "CLHints.h"
#include "CLStates.h"
