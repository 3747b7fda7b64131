/// In words.
extension RadioProblem {
  /// The cause, and what a person can do about it.
  package var sentence: String {
    switch self {
    case .switchedOff:
      "Wi-Fi is switched off by LOCATIOND_WIFI=off: remove that from the configuration of locationd and restart it, or from this "
        + "command's environment."
    case .notInSource: "The source in use has no Wi-Fi: use --source auto or wifi, also for locationd."
    case .noKernelSupport:
      "The kernel has no Wi-Fi (no nl80211): plug a radio in, or load its driver; a container needs the host's network."
    case .noRadio:
      "No Wi-Fi radio is there: plug one in, or let it work again ('rfkill unblock wifi'); on Raspberry Pi OS set its country first."
    case .noAnswer: "The kernel does not answer about Wi-Fi: try again, and see 'dmesg' where that stays so."
    case .noSocket(let errno):
      "The kernel's Wi-Fi socket cannot be used (error \(errno)): a sandbox has to allow AF_NETLINK."
    case .noPrivilege:
      "This user may not scan for Wi-Fi, and hears only what others scan for: use locationd with its 'location-scan.socket', "
        + "or have NetworkManager scan ('nmcli device wifi rescan')."
    case .interfaceDown(let name): "Wi-Fi interface \(name) is down: 'ip link set \(name) up', as root."
    case .servesOthers(let name):
      "Wi-Fi interface \(name) is an access point, and does not scan on its own: add a second radio for that."
    case .refused(let name, let errno):
      "Wi-Fi interface \(name) will not scan (error \(errno)): see 'dmesg', or use another radio."
    }
  }
}
