import Foundation
import Testing

/// The module contains what the table lists, with the same kind, spelling and conformances, and nothing else except what a list
/// justifies.
@Suite struct SurfaceTests {
  private let declared: Surface
  private let built: Surface
  private let exceptions: [String: String]
  private let additions: [String: String]

  init() throws {
    let tables = ToolRun.package.appendingPathComponent("Tests/CoreLocationTests/Surface/Tables")
    func text(_ name: String) throws -> String {
      try String(contentsOf: tables.appendingPathComponent(name), encoding: .utf8)
    }
    declared = Surface(table: try text("surface.txt"))
    built = Surface(graph: try SymbolGraph.ofBuiltModule())
    exceptions = Surface.list(try text("exceptions.txt"))
    additions = Surface.list(try text("additions.txt"))
  }

  @Test func everyDeclarationIsThere() {
    let missing = declared.declarations.subtracting(built.declarations).subtracting(exceptions.keys)
    #expect(missing.sorted() == [])
    #expect(declared.declarations.count > 440)
  }

  @Test func nothingElseIsThere() {
    let surplus = built.declarations.subtracting(declared.declarations).subtracting(additions.keys)
    #expect(surplus.sorted() == [])
  }

  @Test func everyTypeIsWhatItShouldBe() {
    for (type, supertypes) in declared.conformances {
      #expect(supertypes.subtracting(built.conformances[type] ?? []) == [], "\(type)")
    }
  }

  @Test func noTypeIsWhatItMustNotBe() {
    for (type, supertypes) in declared.excluded {
      #expect(supertypes.intersection(built.conformances[type] ?? []) == [], "\(type)")
    }
  }

  @Test func listsHoldWhatIsSoAndWhy() {
    for (declaration, reason) in exceptions {
      #expect(!reason.isEmpty, "\(declaration)")
      #expect(declared.declarations.contains(declaration), "\(declaration)")
      #expect(!built.declarations.contains(declaration), "\(declaration)")
    }
    for (declaration, reason) in additions {
      #expect(!reason.isEmpty, "\(declaration)")
      #expect(!declared.declarations.contains(declaration), "\(declaration)")
      #expect(built.declarations.contains(declaration), "\(declaration)")
    }
  }
}
