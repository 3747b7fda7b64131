/// In words.
extension RadioProblem {
  /// The cause, and what a person can do about it.
  package var sentence: String {
    switch self {
    case .switchedOff:
      "Wi-Fi positioning is off (LOCATIOND_WIFI=off): remove that setting from the configuration of locationd and restart it, or from "
        + "the environment of this command."
    case .notInSource: "The source in use has no Wi-Fi: use --source auto or wifi, for locationd too."
    case .noKernelSupport:
      "The kernel has no Wi-Fi support (no nl80211): plug in a radio, or load its driver; a container needs the network of the host."
    case .noRadio:
      "There is no Wi-Fi radio: plug one in, or unblock it ('rfkill unblock wifi'); on Raspberry Pi OS, set the Wi-Fi country first."
    case .noAnswer: "The kernel does not answer Wi-Fi requests: try again, and see 'dmesg' if that does not help."
    case .noSocket(let errno):
      "Cannot use the kernel's Wi-Fi socket (error \(errno)): a sandbox must allow AF_NETLINK."
    case .noPrivilege:
      "This user may not scan for Wi-Fi, and gets only the results of other programs: use locationd with its 'location-scan.socket', "
        + "or let NetworkManager scan ('nmcli device wifi rescan')."
    case .interfaceDown(let name): "The Wi-Fi interface \(name) is down: run 'sudo ip link set \(name) up'."
    case .servesOthers(let name):
      "The Wi-Fi interface \(name) is an access point and does not scan: add a second radio."
    case .refused(let name, let errno):
      "The Wi-Fi interface \(name) cannot scan (error \(errno)): see 'dmesg', or use another radio."
    }
  }
}
