extension Surface {
  /// Members that come with NSObject and with the protocols that the table names, and that the table does not repeat.
  private static let implied: Set<String> = [
    "init(coder:)", "isEqual(_:)", "hash", "description", "copy(with:)", "encode(with:)", "supportsSecureCoding",
    "init(from:)", "encode(to:)", "hash(into:)", "hashValue", "==(_:_:)", "Element", "Failure",
  ]

  /// Reads a symbol graph.
  init(graph: SymbolGraph) {
    var paths: [String: String] = [:]
    for symbol in graph.symbols { paths[symbol.identifier.precise] = symbol.pathComponents.joined(separator: ".") }
    let openTypes = Set(
      graph.symbols.filter { $0.accessLevel == "open" }.map { $0.pathComponents.joined(separator: ".") })
    for symbol in graph.symbols where !Self.implied.contains(symbol.pathComponents.last ?? "") {
      let container = symbol.pathComponents.dropLast().joined(separator: ".")
      declarations.insert(container + "." + Self.declaration(of: symbol, isInOpenType: openTypes.contains(container)))
    }
    for relationship in graph.relationships where ["conformsTo", "inheritsFrom"].contains(relationship.kind) {
      guard let source = paths[relationship.source] else { continue }
      let target =
        paths[relationship.target] ?? relationship.targetFallback.map { String($0.split(separator: ".").last ?? "") }
      conformances[source, default: []].insert(target ?? relationship.target)
    }
  }

  /// The declaration in the spelling of the table: without internal parameter names. Convenience initializers are distinguished
  /// from designated ones only in types that can be subclassed.
  private static func declaration(of symbol: SymbolGraph.Symbol, isInOpenType: Bool) -> String {
    var text = symbol.declarationFragments.filter { $0.kind != "internalParam" }.map(\.spelling).joined()
    text = canonical(text).replacing("override ", with: "").replacing("required ", with: "")
    if text.hasPrefix("protocol ") { text = String(text.prefix { $0 != ":" }) }
    if !isInOpenType { text = text.replacing("convenience ", with: "") }
    if symbol.accessLevel == "open" { text = "open " + text }
    let isDeprecated = symbol.availability?.contains { $0.deprecated != nil } ?? false
    return isDeprecated ? "@deprecated " + text : text
  }
}
