import Geodesy
import LocationStore

/// Any bytes as the record of a note, with a correct checksum: what is read has a position and a text on one line and, written
/// again, is read as the same.
func checkNotes(_ bytes: [UInt8]) {
  let record = bytes.prefix(NoteRecord.size) + [UInt8](repeating: 0, count: max(0, NoteRecord.size - bytes.count))
  guard let note = NoteRecord.checked(Array(record)).note() else { return }
  precondition(TrackNote.isValid(note.text), "no text of a note")
  precondition(note.horizontalRadius68.value > 0, "no radius")
  precondition(
    Coordinate(checkingLatitude: note.coordinate.latitude.degrees, longitude: note.coordinate.longitude.degrees) != nil,
    "no place on Earth")
  precondition(NoteRecord(note, publicKey: nil)?.note() == note, "wrote another note than was read")
}
