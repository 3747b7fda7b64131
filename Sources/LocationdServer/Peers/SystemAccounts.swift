/// Users that are no persons, and whose services are clients of their own. Root is not among them: root's own is root's.
enum SystemAccounts {
  /// Below 1000: a distribution's and a package's (Debian Policy §9.2.2; systemd's UIDS-GIDS). From 61184 on: of services with
  /// `DynamicUser=`, up to 65519 (UIDS-GIDS), reserved ones, and `nobody`, 65534. Persons whom a domain counts from 65536 or from
  /// millions on are none; nor are those in homes of systemd-homed, from 60001 to 60513.
  static func contain(_ user: UInt32) -> Bool { (1..<1000).contains(user) || (61_184...65_534).contains(user) }
}
