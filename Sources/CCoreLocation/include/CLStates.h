#pragma once

#include "CLEnumeration.h"

/// The device's position relative to a region. Closed: there will be no further cases.
typedef CL_CLOSED_ENUM(long, CLRegionState) {
  /// Not known yet.
  CLRegionStateUnknown = 0,
  /// The device is inside.
  CLRegionStateInside = 1,
  /// The device is outside.
  CLRegionStateOutside = 2
} CLRegionState;

/// The distance to a beacon.
typedef CL_OPEN_ENUM(long, CLProximity) {
  /// Not known.
  CLProximityUnknown = 0,
  /// Immediately next to the device.
  CLProximityImmediate = 1,
  /// A few meters away.
  CLProximityNear = 2,
  /// Farther away.
  CLProximityFar = 3
} CLProximity;

/// Whether a monitor's condition holds: `CLMonitor.Event.State`.
typedef CL_OPEN_ENUM(unsigned long, __CLMonitoringState) {
  /// Not known yet.
  __CLMonitoringStateUnknown = 0,
  /// The condition holds.
  __CLMonitoringStateSatisfied = 1,
  /// The condition does not hold.
  __CLMonitoringStateUnsatisfied = 2,
  /// The condition is not monitored; the event contains the reason.
  __CLMonitoringStateUnmonitored = 3
} __CLMonitoringState;
