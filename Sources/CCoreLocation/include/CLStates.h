#pragma once

#include "CLEnumeration.h"

/// Where the device is with respect to a region. Closed: there will be no other.
typedef CL_CLOSED_ENUM(long, CLRegionState) {
  /// Not known yet.
  CLRegionStateUnknown = 0,
  /// Within.
  CLRegionStateInside = 1,
  /// Without.
  CLRegionStateOutside = 2
} CLRegionState;

/// How far a beacon is.
typedef CL_OPEN_ENUM(long, CLProximity) {
  /// Not known.
  CLProximityUnknown = 0,
  /// At hand.
  CLProximityImmediate = 1,
  /// Some metres.
  CLProximityNear = 2,
  /// Farther.
  CLProximityFar = 3
} CLProximity;

/// Whether a monitor's condition holds: `CLMonitor.Event.State`.
typedef CL_OPEN_ENUM(unsigned long, __CLMonitoringState) {
  /// Not known yet.
  __CLMonitoringStateUnknown = 0,
  /// It holds.
  __CLMonitoringStateSatisfied = 1,
  /// It does not.
  __CLMonitoringStateUnsatisfied = 2,
  /// Nobody watches it; the event says why.
  __CLMonitoringStateUnmonitored = 3
} __CLMonitoringState;
