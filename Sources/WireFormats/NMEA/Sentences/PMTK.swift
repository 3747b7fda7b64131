/// A MediaTek packet (PMTK command packets, revision A11): acknowledgements (001), start-up messages (010, 011) and the
/// release text (705).
package struct PMTK: Hashable, Sendable {
  /// 001, 010, 011, 705.
  package var type: UInt16
  /// The command that a 001 acknowledges, or the number of a 010.
  package var command: UInt16?
  /// 001: 0 invalid, 1 unsupported, 2 failed, 3 done.
  package var result: UInt8?
  /// 011 and 705.
  package var text: InlineText
}
