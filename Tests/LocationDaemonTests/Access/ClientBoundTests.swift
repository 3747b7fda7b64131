import LocationIPC
import LocationdService
import Testing

/// The limits on the number of connections, and whose connections each of them counts.
@Suite struct ClientBoundTests {
  private typealias Member = ClientBounds.Member
  private let bounds = ClientBounds()

  private func members(_ count: Int, _ rank: ClientBounds.Rank, users: ClosedRange<UInt32>) -> [Member] {
    (0..<count).map { Member(rank, userID: users.lowerBound + UInt32($0) % UInt32(users.count)) }
  }

  private func kind(_ new: Member, beside members: [Member]) -> ServiceBound.Kind? {
    bounds.bound(for: new, beside: members)?.kind
  }

  private let root = Member(.administrator, userID: 0)

  @Test func usersWithoutAccessLeaveRoomForThoseWithIt() {
    let unidentified = members(96, .untrusted, users: 1000...1003)
    #expect(kind(Member(.untrusted, userID: 1010), beside: unidentified) == .clientsWithoutGrant)
    #expect(kind(Member(.granted, userID: 1000), beside: unidentified) == nil)
    #expect(kind(root, beside: unidentified) == nil)
    let one = members(32, .untrusted, users: 1000...1000)
    #expect(kind(Member(.untrusted, userID: 1000), beside: one) == .clientsOfUser)
    #expect(kind(Member(.untrusted, userID: 1001), beside: one) == nil)
  }

  @Test func everybodyLeavesRoomForAdministrators() {
    let granted = members(224, .granted, users: 1000...1003)
    #expect(kind(Member(.granted, userID: 1004), beside: granted) == .clients)
    #expect(kind(root, beside: granted) == nil)
    #expect(kind(root, beside: granted + members(32, .administrator, users: 0...0)) == .clients)
    #expect(kind(Member(.granted, userID: 1000), beside: members(64, .granted, users: 1000...1000)) == .clientsOfUser)
  }

  /// In a namespace, one user may have 65,536 user numbers.
  @Test func usersOfNamespacesShareABound() {
    let namespaced = (0..<32).map { Member(.untrusted, userID: 100_000 + UInt32($0), isInNamespace: true) }
    #expect(
      kind(Member(.untrusted, userID: 200_000, isInNamespace: true), beside: namespaced) == .clientsOfNamespaces)
    #expect(kind(Member(.untrusted, userID: 1000), beside: namespaced) == nil)
  }
}
