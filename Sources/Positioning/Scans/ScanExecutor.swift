package import Geodesy
package import WireFormats

/// Executes the scan helper's requests: looks up the family ID of nl80211, passes each request to the kernel, and returns the
/// kernel's answer to the client. It decides nothing else: the client chooses when to scan, and on which interface and
/// channels.
package struct ScanExecutor: Sendable {
  package enum Input: Hashable, Sendable {
    case ordered(ScanRequest, client: UInt64)
    case received(NetlinkEnvelope, NetlinkMessage)
    case deadlinePassed
  }

  package enum Action: Hashable, Sendable {
    /// One message to the kernel.
    case send([UInt8])
    /// The only answer to the client: `errno`, 0 if the scan has begun.
    case answer(client: UInt64, errno: Int32)
  }

  /// `ETIMEDOUT`: the result if the kernel does not answer.
  package static let timedOut: Int32 = 110

  private enum Family {
    case unknown
    case asked(sequence: UInt32, deadline: Instant)
    case known(UInt16)
  }

  private var family = Family.unknown
  private var numbers = NetlinkSequence()
  private var waiting: [(client: UInt64, order: ScanRequest)] = []
  private var atKernel: [(sequence: UInt32, client: UInt64, deadline: Instant)] = []

  package init() {}

  package var nextDeadline: Instant? {
    var deadlines = atKernel.map(\.deadline)
    if case .asked(_, let deadline) = family { deadlines.append(deadline) }
    return deadlines.min()
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch input {
    case .ordered(let order, let client):
      waiting.append((client, order))
      return advance(at: now)
    case .received(_, .family(let found)):
      family = .known(found.id)
      return advance(at: now)
    case .received(let envelope, .refused(let errno)):
      if case .asked(envelope.sequence, _) = family {
        family = .unknown
        // This kernel has no Wi-Fi.
        return refuseAll(errno == KernelErrno.noSuchThing ? KernelErrno.notSupported : errno)
      }
      return answer(envelope.sequence, errno: errno)
    case .received(let envelope, .acknowledged): return answer(envelope.sequence, errno: 0)
    case .received: return []
    case .deadlinePassed:
      let late = atKernel.filter { $0.deadline <= now }
      atKernel.removeAll { $0.deadline <= now }
      var actions = late.map { Action.answer(client: $0.client, errno: Self.timedOut) }
      if case .asked(_, let deadline) = family, deadline <= now {
        family = .unknown
        actions += refuseAll(Self.timedOut)
      }
      return actions
    }
  }

  private mutating func advance(at now: Instant) -> [Action] {
    switch family {
    case .unknown:
      let number = numbers.next()
      family = .asked(sequence: number, deadline: now + ScanDump.patience)
      return [.send(NetlinkRequest.family(sequence: number))]
    case .asked: return []
    case .known(let id):
      var actions: [Action] = []
      for (client, order) in waiting {
        let number = numbers.next()
        atKernel.append((number, client, now + ScanDump.patience))
        actions.append(
          .send(
            NetlinkRequest.scan(
              family: id, sequence: number, interface: order.interface, frequencies: order.frequencies)))
      }
      waiting = []
      return actions
    }
  }

  private mutating func refuseAll(_ errno: Int32) -> [Action] {
    let clients = waiting.map(\.client)
    waiting = []
    return clients.map { .answer(client: $0, errno: errno) }
  }

  private mutating func answer(_ sequence: UInt32, errno: Int32) -> [Action] {
    guard let place = atKernel.firstIndex(where: { $0.sequence == sequence }) else { return [] }
    return [.answer(client: atKernel.remove(at: place).client, errno: errno)]
  }
}
