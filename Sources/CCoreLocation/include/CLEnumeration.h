#pragma once

/// An enumeration that may hold values without a name, as `NS_ENUM` makes it: a `switch` in Swift wants `@unknown default`.
#define CL_OPEN_ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type

/// An enumeration that never gets another value, as `NS_CLOSED_ENUM` makes it.
#define CL_CLOSED_ENUM(type, name) enum __attribute__((enum_extensibility(closed))) name : type
