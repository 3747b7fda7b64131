extension [AccessPointSighting] {
  /// The strongest first, those of unknown strength last; of equals by address, so that the order is one.
  package var strongestFirst: [AccessPointSighting] {
    sorted {
      ($0.signalDecibelMilliwatts ?? -.infinity, $1.bssid) > ($1.signalDecibelMilliwatts ?? -.infinity, $0.bssid)
    }
  }
}
