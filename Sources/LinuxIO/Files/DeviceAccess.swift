import Glibc

/// The permissions of a device. A lock file for the device is reliable only if other users cannot lock it.
struct DeviceAccess: Hashable {
  let ownerID: uid_t
  let groupID: gid_t
  /// Whether members of the group may read or write it.
  let isGroupEntitled: Bool
  /// Whether all users may read or write it.
  let isEveryoneEntitled: Bool

  /// If the device's status cannot be read, the lock file is for this user only.
  init(path: String) {
    guard let status = try? FileStatus.of(path) else {
      self = Self.ofThisUser
      return
    }
    self.init(status)
  }

  /// Access for this user only.
  static var ofThisUser: DeviceAccess {
    DeviceAccess(ownerID: geteuid(), groupID: getegid(), isGroupEntitled: false, isEveryoneEntitled: false)
  }

  init(_ status: stat) {
    self.init(
      ownerID: status.st_uid, groupID: status.st_gid, isGroupEntitled: status.st_mode & 0o060 != 0,
      isEveryoneEntitled: status.st_mode & 0o006 != 0)
  }

  private init(ownerID: uid_t, groupID: gid_t, isGroupEntitled: Bool, isEveryoneEntitled: Bool) {
    (self.ownerID, self.groupID) = (ownerID, groupID)
    (self.isGroupEntitled, self.isEveryoneEntitled) = (isGroupEntitled, isEveryoneEntitled)
  }

  /// Whether a lock file with this status can only have been created by a user who may open the device, and can now
  /// only be opened by such users.
  ///
  /// The owner of a file chooses its mode, but only a member of a group can give the file to that group (chown(2)).
  func trusts(_ file: stat, ownUser: uid_t = geteuid()) -> Bool {
    // A file with a second hard link can be locked through that link.
    guard file.st_mode & S_IFMT == S_IFREG, file.st_nlink == 1 else { return false }
    if isEveryoneEntitled { return true }
    guard file.st_mode & 0o007 == 0 else { return false }
    let isOfGroup = isGroupEntitled && file.st_gid == groupID
    guard file.st_mode & 0o070 == 0 || isOfGroup else { return false }
    return isOfGroup || [0, ownUser, ownerID].contains(file.st_uid)
  }

  /// Gives the users who may open the device access to a lock file, as far as the file's creator is allowed to. Uses
  /// `fchmod`, because the umask restricts the mode given to `open`.
  func share(_ file: Int32) {
    if isEveryoneEntitled {
      _ = fchmod(file, 0o666)
    } else if isGroupEntitled, fchown(file, uid_t.max, groupID) == 0 {
      _ = fchmod(file, 0o660)
    }
  }
}
