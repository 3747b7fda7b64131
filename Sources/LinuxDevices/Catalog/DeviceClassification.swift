/// Whether a device may be opened unasked. Opening moves DTR and RTS, which resets other people's boards.
package enum DeviceClassification: Hashable, Sendable {
  /// Surely a receiver: opened by itself.
  case receiver(ReceiverReason)
  /// Could be anything: opened only once trusted, or when the user names its path.
  case adapter
  /// Not offered as a source. A user may still name its path, or trust it.
  case ignored(IgnoredReason)
}

/// What makes a device surely a receiver.
package enum ReceiverReason: Hashable, Sendable {
  /// Its VID:PID is in the catalogue, under this name.
  case catalogue(name: String)
  /// Its product string says so.
  case productString
  /// The kernel's `gnss` subsystem drives it.
  case gnssSubsystem
  /// A udev rule set `ID_GNSS_RECEIVER=1`.
  case udevProperty
}

/// Why a device is not offered as a source.
package enum IgnoredReason: Hashable, Sendable {
  /// A cellular modem's port: ModemManager's, even where the modem has a receiver inside.
  case modem
  /// Its VID:PID is in the catalogue as something else, under this name.
  case notAReceiver(name: String)
}
