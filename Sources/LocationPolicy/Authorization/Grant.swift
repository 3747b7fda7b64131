/// What is remembered of one identity.
package struct Grant: Hashable, Sendable {
  package var identity: ClientIdentity
  package var record: GrantRecord

  package init(_ identity: ClientIdentity, _ record: GrantRecord) {
    self.identity = identity
    self.record = record
  }
}
