/// The NMEA sentences that a simulated receiver can say.
package enum SentenceKind: String, CaseIterable, Hashable, Sendable {
  case rmc, vtg, gga, gns, gsa, gsv, gll, gst, zda, pubx00
}
