/// One client's connection, as its host counts them; never used for another while the first is there.
package struct ClientKey: Hashable, Comparable, Sendable {
  package let value: Int

  package init(_ value: Int) { self.value = value }

  package static func < (a: ClientKey, b: ClientKey) -> Bool { a.value < b.value }
}
