import ArgumentParser

/// A choice that is given on the command line by its name, while its raw value is its number in messages.
protocol NamedArgument: ExpressibleByArgument, CaseIterable {
  var name: String { get }
}

extension NamedArgument {
  init?(argument: String) {
    guard let choice = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = choice
  }

  static var allValueStrings: [String] { allCases.map(\.name) }

  var defaultValueDescription: String { name }
}
