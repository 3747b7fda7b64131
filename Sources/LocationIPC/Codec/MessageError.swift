/// Why bytes are no message: what was expected and what came.
package enum MessageError: Error, Hashable, Sendable {
  /// Fewer bytes than were announced.
  case truncated(expected: Int, found: Int)
  /// More bytes than a message may have.
  case oversize(limit: Int, found: UInt64)
  /// A number of more than 64 bits.
  case endlessNumber
  /// No field has such a number or form (form 0…7 as in the tag's low bits).
  case badTag(UInt64)
  case repeatedField(Int)
  case missingField(Int)
  case wrongForm(field: Int, expected: FieldForm, found: FieldForm)
  /// A number that the field cannot hold.
  case outOfRange(field: Int, found: UInt64)
  case notUTF8(field: Int)
  /// A text or a list that is longer than it may be.
  case tooLong(field: Int, limit: Int, found: Int)
  /// A case that this version does not know.
  case unknownCode(field: Int, found: UInt64)
  case unknownMessage(UInt64)
}

/// How a field's value is written.
package enum FieldForm: UInt8, Hashable, Sendable {
  /// Seven bits a byte, the lowest first, the eighth set while more follow.
  case number = 0
  /// Eight bytes, little-endian.
  case fixed = 1
  /// A length as a `number`, and so many bytes.
  case bytes = 2
}
