/// Why a text is not the address of a network source. Texts in it are printable ASCII, and never contain credentials.
package enum NetworkSourceError: Error, Hashable, Sendable {
  /// Not one of `NetworkSource.schemes`.
  case unknownScheme(String)
  /// Not one of the schemes of a caster.
  case notACaster(String)
  case tooLong
  /// A blank, a control character, `#`, or a character beyond ASCII.
  case badCharacter
  /// A user name or a password in the address of a caster.
  case credentials
  /// The same in the address of a source that has no login.
  case needlessCredentials
  case badHost(String)
  case badPort(String)
  case missingPort(host: String)
  /// A source that listens has a name instead of a numeric address.
  case notNumeric(String)
  case unexpectedPath(String)
  case missingMount
  case badMount(String)
  case unknownOption(String, allowed: [String])
  case repeatedOption(String)
  case notYesOrNo(option: String, value: String)
  case badRange(String)
  case tooManyRanges
  /// A source that listens beyond loopback does not name its peers.
  case missingRange
  case missingPath
  /// Not `udp://ADDRESS:PORT`.
  case notATarget(String)
  /// A target of datagrams has a name instead of a numeric address.
  case nameOfTarget(String)
  /// A target is a broadcast or multicast address, without the option for that.
  case groupOfTarget(String)
  case tooManyTargets

  /// The sentence without its end, to follow another one.
  package var remedy: String {
    let text = sentence
    return String(text.prefix(1)).lowercased() + text.dropFirst().dropLast()
  }

  /// The same for a command with an option for broadcast addresses.
  package var commandSentence: String {
    guard case .groupOfTarget(let text) = self else { return sentence }
    return "'\(text)' is the address of many machines: if all of them may get the position, add --broadcast."
  }

  /// The problem, why it is one, and what to do.
  package var sentence: String {
    switch self {
    case .unknownScheme(let text):
      "'\(text)' is not a network source: give \(NetworkSource.syntax)."
    case .notACaster(let text):
      "'\(text)' is not the address of a caster: use ntrip://HOST:PORT or ntrips://HOST:PORT."
    case .tooLong: "The address is longer than \(NetworkSource.longestText) bytes: shorten it."
    case .badCharacter: "The address contains a blank or a character beyond ASCII: remove it."
    case .credentials:
      "The address contains a user name or a password, which other users and logs would show: put 'user=' and 'password=' into a "
        + "file below /etc/locationd/ntrip with mode 0600."
    case .needlessCredentials:
      "The address contains a user name or a password, which this source does not use: remove it."
    case .badHost(let text):
      "'\(text)' is not a host and a port: give an address such as gps.example.org:2101 or [2001:db8::1]:2101."
    case .badPort(let text): "'\(text)' is not a port: give a number from 1 to 65535."
    case .missingPort(let host): "The port of '\(host)' is missing: give an address such as \(host):10110."
    case .notNumeric(let text):
      "'\(text)' is not a numeric address, which a source that listens needs: give an address such as 0.0.0.0 or 192.168.1.5."
    case .unexpectedPath(let text): "The source has no path, but the address ends in '\(text)': remove it."
    case .missingMount:
      "The mount point is missing: give an address such as ntrips://caster.example.org:443/MOUNT; 'locationctl ntrip list' lists them."
    case .badMount(let text):
      "'\(text)' is not a mount point: give its name as 'locationctl ntrip list' prints it."
    case .unknownOption(let name, let allowed):
      allowed.isEmpty
        ? "The source has no options, but the address has '\(name)': remove it."
        : "The source has no option '\(name)': give \(allowed.joined(separator: " or "))."
    case .repeatedOption(let name): "The option '\(name)' is given twice: give it once."
    case .notYesOrNo(let option, let value): "'\(value)' is not a value of '\(option)': give yes or no."
    case .badRange(let text):
      "'\(text)' is not a range of addresses: give a range such as 192.168.1.0/24 or fd00::/8, or one address."
    case .tooManyRanges: "The option 'from' has more than \(AllowList.mostRanges) ranges: combine them."
    case .missingRange:
      "Anybody in the network could send positions: name the allowed senders, as in '?from=192.168.1.0/24'."
    case .missingPath: "The path of the file is missing: give a source such as rtcm:/tmp/corrections.rtcm3."
    case .notATarget(let text): "'\(text)' is not a target of datagrams: use udp://ADDRESS:PORT."
    case .nameOfTarget(let text):
      "'\(text)' is not a numeric address, so that it could come to mean another machine: use an address such as 192.168.1.20."
    case .groupOfTarget(let text):
      "'\(text)' is the address of many machines: if all of them may get the position, add '?broadcast=yes'."
    case .tooManyTargets: "There are more than \(DatagramTarget.most) targets: remove some."
    }
  }
}
