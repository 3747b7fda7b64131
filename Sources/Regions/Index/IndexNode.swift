/// A cube that is divided, or not yet.
struct IndexNode: Sendable {
  /// The first of eight that follow each other; 0: it is not divided.
  var firstOctant: UInt32 = 0
  /// Divided: the regions that cover all of it. Not divided: all that may touch it.
  var slots: [UInt32] = []

  var isLeaf: Bool { firstOctant == 0 }
}
