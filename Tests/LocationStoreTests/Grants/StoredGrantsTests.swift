import Foundation
import LocationDatabase
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// The authorization that is known if the file of grants is damaged: only denials, as far as they can be read, and no permission.
@Suite struct StoredGrantsTests {
  /// Enough grants to fill several pages.
  private static let grants = (0..<200).map { number in
    Grant(
      ClientIdentity(userID: 1000, realm: .flatpak("org.example.Application\(1000 + number)")),
      GrantRecord(number.isMultiple(of: 2) ? .always : .denied))
  }

  private func store(in state: String, isOn: Bool) throws -> String {
    try GrantStore(stateFolder: state).keep(
      Self.grants.map { .grant($0.identity, $0.record) } + [.switched(isOn: isOn)])
    return GrantStore.path(in: state)
  }

  @Test func anAbsentFileIsAFirstStart() throws {
    let place = try TemporaryFolder()
    #expect(try StoredGrants.load(stateFolder: place.path + "/none") == .none)
    #expect(try StoredGrants.load(stateFolder: place.path) == .none)
    _ = try store(in: place.path, isOn: false)
    guard case .whole(let grants, isOn: false, nil) = try StoredGrants.load(stateFolder: place.path) else {
      Issue.record("it is whole")
      return
    }
    #expect(Set(grants) == Set(Self.grants))
  }

  @Test(arguments: [Data(), Data("no database at all, but long enough to be taken for one".utf8)])
  func foreignFilesAreRenamedAndStayTheReason(content: Data) throws {
    let place = try TemporaryFolder()
    let path = try store(in: place.path, isOn: true)
    try content.write(to: URL(fileURLWithPath: path))
    let lost = StoredGrants.damaged(setAside: path + ".damaged-1", StoredGrants.SalvagedGrants())
    #expect(try StoredGrants.load(stateFolder: place.path) == lost)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".damaged-1")) == content)
    // The damage is remembered until a new decision is stored, because the machine may go down before.
    #expect(try StoredGrants.load(stateFolder: place.path) == lost)
    try GrantStore(stateFolder: place.path).keep([.switched(isOn: true)])
    #expect(try StoredGrants.load(stateFolder: place.path) == .whole([], isOn: true, nil))
  }

  /// Each page is damaged in turn: what can be read of the others is what was written, and nobody is granted anything.
  @Test(arguments: [true, false]) func ofADamagedOneTheRefusalsHold(isOn: Bool) throws {
    let place = try TemporaryFolder()
    let path = try store(in: place.path, isOn: isOn)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let refusals = Set(Self.grants.filter { $0.record.level == .denied })
    var (switches, fewest, most) = (Set<Bool?>(), Int.max, 0)
    #expect(whole.count / 4096 >= 8)
    for page in 0..<whole.count / 4096 {
      var damaged = whole
      damaged.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: 0x5A, count: 4096))
      for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
        try FileManager.default.removeItem(atPath: "\(place.path)/\(name)")
      }
      try damaged.write(to: URL(fileURLWithPath: path))
      guard case .damaged(let name, let remains) = try StoredGrants.load(stateFolder: place.path) else {
        Issue.record("page \(page) is not missed")
        continue
      }
      #expect(name == path + ".damaged-1")
      #expect(Set(remains.refusals).isSubset(of: refusals))
      switches.insert(remains.isOn)
      (fewest, most) = (min(fewest, remains.refusals.count), max(most, remains.refusals.count))
    }
    // The switch is never read with the wrong value.
    #expect(switches == [nil, isOn])
    #expect(fewest == 0 && most > 50)
  }

  @Test func anUnreadableFileIsAnErrorAndNotAFirstStart() throws {
    let place = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: GrantStore.path(in: place.path), withIntermediateDirectories: false)
    #expect(throws: DatabaseError.self) { try StoredGrants.load(stateFolder: place.path) }
  }
}
