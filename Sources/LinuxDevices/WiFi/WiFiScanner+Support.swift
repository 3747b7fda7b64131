extension WiFiScanner {
  /// Whether the kernel has what every driver of a Wi-Fi radio brings with it (`cfg80211`).
  package static var isSupported: Bool { FileTree().exists("/sys/class/ieee80211") }
}
