/// Why a photograph is left as it is.
package enum PhotographError: Error, Hashable, Sendable {
  /// It does not begin like a JPEG file.
  case notJPEG
  /// Its segments or its EXIF do not hold together; the byte is that of the file.
  case damaged(at: Int)
  /// It has no EXIF (JEITA CP-3451), or none that tells when it was taken.
  case noTime
  /// What it tells of when it was taken is no time, such as a 30th of February.
  case badTime(String)
  /// It has a position already.
  case hasPosition
  /// Its EXIF has no room left: a segment of JPEG ends at 65,533 bytes.
  case noRoom
  /// It names other pictures in it by where they stand, in a way that would no longer hold (CIPA DC-007).
  case linkedPictures
}
