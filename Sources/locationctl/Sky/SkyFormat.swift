import ArgumentParser

/// How the satellites are written where they are not drawn.
package enum SkyFormat: String, CaseIterable, Sendable {
  case json, text
}

extension SkyFormat: ExpressibleByArgument {}
