package import ArgumentParser

/// A choice that is given on the command line by its name, while its raw value is its number in messages.
package protocol NamedArgument: ExpressibleByArgument, CaseIterable, RawRepresentable<UInt8> {
  var name: String { get }
}

extension NamedArgument {
  package init?(argument: String) {
    guard let choice = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = choice
  }

  package static var allValueStrings: [String] { allCases.map(\.name) }

  /// The names need no descriptions.
  package static var allValueDescriptions: [String: String] { [:] }

  package var defaultValueDescription: String { name }
}
