/// PGRME, Garmin's estimated errors (Garmin device interface 190-00684-00, section 4.2.6).
package struct PGRME: Hashable, Sendable {
  package var horizontalErrorMillimeters: Int64?
  package var verticalErrorMillimeters: Int64?
  package var positionErrorMillimeters: Int64?
}
