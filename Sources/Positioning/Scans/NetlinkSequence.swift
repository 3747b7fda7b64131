/// Numbers for requests, so that each answer is known by its own; 0 is what was not asked for.
struct NetlinkSequence: Sendable {
  private var last: UInt32 = 0

  mutating func next() -> UInt32 {
    last = last == .max ? 1 : last + 1
    return last
  }
}
