/// What a decoder has made of the bytes so far. Counts wrap around; nobody compares them across more than a minute.
package struct DecodeCounters: Hashable, Sendable {
  /// NMEA sentences with a right checksum, understood or not.
  package var validNMEA: UInt64 = 0
  /// UBX frames with a right checksum, understood or not.
  package var validUBX: UInt64 = 0
  /// RTCM 3 frames with a right CRC; they are skipped.
  package var skippedRTCM: UInt64 = 0
  /// Frames of known shape with a wrong or missing checksum.
  package var checksumErrors: UInt64 = 0
  /// Right checksum, but a field count, a field or a range that the type does not allow: changed nothing.
  package var malformed: UInt64 = 0
  /// Right checksum, a type that is not decoded.
  package var unknown: UInt64 = 0
  /// Bytes of frames with a right checksum, and ends of lines.
  package var frameBytes: UInt64 = 0
  /// Bytes that belong to no frame. With `frameBytes` and what waits, all bytes that came.
  package var noiseBytes: UInt64 = 0

  /// Nothing decoded.
  package init() {}

  /// Frames of any kind with a right checksum: proof that the speed is right.
  package var validFrames: UInt64 { validNMEA &+ validUBX &+ skippedRTCM }
}
