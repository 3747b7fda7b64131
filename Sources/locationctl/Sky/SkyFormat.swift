import ArgumentParser

/// The output format of the satellites when they are not drawn.
package enum SkyFormat: String, CaseIterable, Sendable {
  case json, text
}

extension SkyFormat: ExpressibleByArgument {}
