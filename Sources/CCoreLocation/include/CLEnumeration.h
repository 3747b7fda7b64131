#pragma once

/// An enumeration that may hold values without a name, as with `NS_ENUM`: a `switch` in Swift needs `@unknown default`.
#define CL_OPEN_ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type

/// An enumeration that never gets another value, as with `NS_CLOSED_ENUM`.
#define CL_CLOSED_ENUM(type, name) enum __attribute__((enum_extensibility(closed))) name : type
