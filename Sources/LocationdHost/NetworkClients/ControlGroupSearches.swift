package import Geodesy
package import LinuxIO

/// The control groups of programs at TCP ports. Finding one may take thousands of system calls in the daemon's only loop, so each user has
/// a budget of its own: a user who exhausts it delays only programs of the same user.
package struct ControlGroupSearches {
  /// Searches of one user: as many at once as a desktop starts programs, then one in that period.
  package static let burst = 8
  package static let period: Duration = .seconds(5)
  /// With more, the budgets of users who have not used them for a while are forgotten.
  private static let mostUsers = 1024

  private var folders: ControlGroupFolders
  private let accounts: AccountFiles
  private var budgets: [UInt32: Budget] = [:]

  private struct Budget {
    var searches: Double
    var filledAt: Instant

    mutating func fill(at now: Instant) {
      searches = min(Double(burst), searches + max(0, (now - filledAt).inSeconds) / period.inSeconds)
      filledAt = now
    }
  }

  package init(_ folders: ControlGroupFolders = ControlGroupFolders(), accounts: AccountFiles) {
    (self.folders, self.accounts) = (folders, accounts)
  }

  /// The group with that number, of a process of `user`; `nil`: the user's budget is exhausted.
  package mutating func group(_ number: UInt64, of user: UInt32, at now: Instant) -> ControlGroupFolders.Result? {
    // One user may have 65,536 user IDs.
    let owner = accounts.owner(ofSubordinate: user) ?? user
    if !folders.knows(number, of: owner), !spend(of: owner, at: now) { return nil }
    return folders.group(number, of: owner)
  }

  /// The process that owns a socket, as far as the socket describes it; `nil`: its control group would have to be searched for, and its
  /// user has caused too many searches.
  mutating func process(of owner: SocketOwner, at now: Instant) -> PeerProcess? {
    var process = PeerProcess(PeerCredentials(processID: 0, userID: owner.userID, groupID: .max))
    if let group = accounts.primaryGroup(of: owner.userID) { process.credentials.groupID = group }
    guard let number = owner.controlGroupID else { return process }
    switch group(number, of: owner.userID, at: now) {
    case nil: return nil
    case .found(let group)?: process.controlGroup = group
    // The group may have been that of a sandbox.
    case .gone?: process.controlGroup = .unknown
    case .hidden?: break
    }
    return process
  }

  private mutating func spend(of user: UInt32, at now: Instant) -> Bool {
    if budgets[user] == nil, budgets.count >= Self.mostUsers {
      for other in budgets.keys { budgets[other]?.fill(at: now) }
      budgets = budgets.filter { $0.value.searches < Double(Self.burst) }
      guard budgets.count < Self.mostUsers else { return false }
    }
    var budget = budgets[user] ?? Budget(searches: Double(Self.burst), filledAt: now)
    budget.fill(at: now)
    defer { budgets[user] = budget }
    guard budget.searches >= 1 else { return false }
    budget.searches -= 1
    return true
  }
}
