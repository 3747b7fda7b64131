/// One message from a receiver, whatever its protocol. A plain value without references: making one allocates nothing.
package enum WireMessage: Sendable {
  case nmea(NMEAMessage, from: Talker)
  case ubx(UBXMessage)
}
