/// How clients would have a receiver be while a service owns it.
package struct ReceiverWish: Hashable, Sendable {
  /// How they move; `nil`: as the receiver is set.
  package var dynamicModel: DynamicModel?
  /// Epochs a second, 1…25; `nil`: as the receiver is set.
  package var rateHertz: Int?
  /// How far apart positions may be so that the receiver sleeps between them; `nil`: it stays awake.
  package var sparingPeriod: Duration?

  /// Nothing but what honest radii need.
  package init(dynamicModel: DynamicModel? = nil, rateHertz: Int? = nil, sparingPeriod: Duration? = nil) {
    self.dynamicModel = dynamicModel
    self.rateHertz = rateHertz
    self.sparingPeriod = sparingPeriod
  }

  /// What serves two clients at once: the faster rate, a model that fits both, no more sleep than both allow.
  package func joined(with other: ReceiverWish) -> ReceiverWish {
    var wish = ReceiverWish()
    switch (dynamicModel, other.dynamicModel) {
    case (let mine?, let theirs?): wish.dynamicModel = mine == theirs ? mine : .portable
    case (let mine, let theirs): wish.dynamicModel = mine ?? theirs
    }
    wish.rateHertz = [rateHertz, other.rateHertz].compactMap { $0 }.max()
    if let sparingPeriod, let theirs = other.sparingPeriod { wish.sparingPeriod = min(sparingPeriod, theirs) }
    return wish
  }
}

/// How whoever carries the receiver moves, so that its filter expects what may come: u-blox `dynModel` (UBX-13003221,
/// section "Platform settings"), and the raw values of CFG-NAV5 and CFG-NAVSPG-DYNMODEL.
package enum DynamicModel: UInt8, Hashable, Sendable {
  /// Fits nearly everything: up to 310 m/s, medium jumps.
  case portable = 0
  /// On foot: up to 30 m/s.
  case pedestrian = 3
  /// Like a car: little vertical movement.
  case automotive = 4
  /// Zero vertical velocity, sea level; positions above 500 m fail its sanity check.
  case sea = 5
  /// Airborne, less than 1 g.
  case airborne = 6
}

/// Names a receiver's data where they are kept. Entries of a navigation database are meant for the receiver that told them
/// alone (UBX-18010854, UBX-MGA-DBD): its own number, else the hardware it hangs on with its firmware.
package struct ReceiverKey: Hashable, Sendable {
  /// Letters, digits and hyphens, at most `maximumLength`: fit for a file's name.
  package let text: String

  /// Of anything longer the end counts.
  static let maximumLength = 100

  /// A key of any text; what is not a letter or a digit of ASCII becomes a hyphen.
  package init(_ text: String) {
    let bytes = text.utf8.suffix(Self.maximumLength).map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        byte
      default: UInt8(ascii: "-")
      }
    }
    self.text = String(decoding: bytes, as: UTF8.self)
  }

  /// The key of a receiver; `nil` where nothing tells it from another.
  init?(_ identity: ReceiverIdentity, hardware: String?) {
    if let number = identity.uniqueID {
      self.init("ublox-\(number)")
    } else if let hardware, let firmware = identity.firmware {
      self.init("\(hardware)-\(firmware)")
    } else {
      return nil
    }
  }
}
