#pragma once

#include "CLEnumeration.h"

/// How the device moves: a hint for when updates may pause.
typedef CL_OPEN_ENUM(long, CLActivityType) {
  /// Not known.
  CLActivityTypeOther = 1,
  /// In a car.
  CLActivityTypeAutomotiveNavigation = 2,
  /// On foot, running, on a bicycle.
  CLActivityTypeFitness = 3,
  /// A vehicle other than a car, such as a train.
  CLActivityTypeOtherNavigation = 4,
  /// In the air.
  CLActivityTypeAirborne = 5,
  /// A vessel on the water, including at anchor.
  CLActivityTypeMaritime = 6
} CLActivityType;

/// How the device is held, which determines the edge that a heading refers to.
typedef CL_OPEN_ENUM(int, CLDeviceOrientation) {
  /// Not known.
  CLDeviceOrientationUnknown = 0,
  /// Upright.
  CLDeviceOrientationPortrait = 1,
  /// Upright, upside down.
  CLDeviceOrientationPortraitUpsideDown = 2,
  /// On its side, its top to the left.
  CLDeviceOrientationLandscapeLeft = 3,
  /// On its side, its top to the right.
  CLDeviceOrientationLandscapeRight = 4,
  /// Flat, the screen up.
  CLDeviceOrientationFaceUp = 5,
  /// Flat, the screen down.
  CLDeviceOrientationFaceDown = 6
} CLDeviceOrientation;
