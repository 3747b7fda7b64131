/// The configuration that clients request of a receiver that a service owns.
package struct ReceiverConfigurationRequest: Hashable, Sendable {
  /// How the clients move; `nil`: as the receiver is set.
  package var dynamicModel: DynamicModel?
  /// Epochs per second, 1…25; `nil`: as the receiver is set.
  package var rateHertz: Int?
  /// The permitted time between positions, during which the receiver may sleep; `nil`: it stays awake.
  package var sparingPeriod: Duration?
  /// Whether a receiver that can use corrections is to accept them on this line.
  package var takesCorrections = false

  /// A request with these values; without any, only what calibrated radii need.
  package init(dynamicModel: DynamicModel? = nil, rateHertz: Int? = nil, sparingPeriod: Duration? = nil) {
    self.dynamicModel = dynamicModel
    self.rateHertz = rateHertz
    self.sparingPeriod = sparingPeriod
  }

  /// The request that serves two clients at once: the faster rate, a model that fits both, no more sleep than both permit.
  package func joined(with other: ReceiverConfigurationRequest) -> ReceiverConfigurationRequest {
    var requestedConfiguration = ReceiverConfigurationRequest()
    switch (dynamicModel, other.dynamicModel) {
    case (let mine?, let theirs?): requestedConfiguration.dynamicModel = mine == theirs ? mine : .portable
    case (let mine, let theirs): requestedConfiguration.dynamicModel = mine ?? theirs
    }
    requestedConfiguration.rateHertz = [rateHertz, other.rateHertz].compactMap { $0 }.max()
    if let sparingPeriod, let theirs = other.sparingPeriod {
      requestedConfiguration.sparingPeriod = min(sparingPeriod, theirs)
    }
    requestedConfiguration.takesCorrections = takesCorrections || other.takesCorrections
    return requestedConfiguration
  }
}

/// How the receiver moves, so that its filter expects the right dynamics: u-blox `dynModel` (UBX-13003221, section "Platform
/// settings"), with the raw values of CFG-NAV5 and CFG-NAVSPG-DYNMODEL.
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

/// Identifies a receiver's stored data. Entries of a navigation database are meant only for the receiver that sent them
/// (UBX-18010854, UBX-MGA-DBD): the key is its unique ID, otherwise its host hardware with its firmware.
package struct ReceiverKey: Hashable, Sendable {
  /// Letters, digits and hyphens, at most `maximumLength`: usable as a file name.
  package let text: String

  /// Of a longer text the end is used.
  static let maximumLength = 100

  /// A key from any text; anything but ASCII letters and digits becomes a hyphen.
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

  /// The key of a receiver; `nil` if nothing distinguishes it from others.
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
