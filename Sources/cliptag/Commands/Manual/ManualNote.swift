/// A variable of the environment or a file, for the man pages of the commands that use it.
struct ManualNote {
  /// The variable, or the path.
  let name: String
  let meaning: String
  /// The commands that use it, without `cliptag`, with all below them; `nil` for what all use, and
  /// only the page of `cliptag` itself tells.
  let commands: [String]?

  init(_ name: String, _ meaning: String, of commands: [String]? = nil) {
    self.name = name
    self.meaning = meaning
    self.commands = commands
  }

  /// Whether the page of a command tells it. That of `cliptag` itself tells all.
  func belongs(to path: [String]) -> Bool {
    let command = path.dropFirst().joined(separator: " ")
    return path.count == 1
      || commands?.contains { command == $0 || command.hasPrefix($0 + " ") } == true
  }

  private static let registries = [
    "check", "qr", "poster", "sheet", "scan", "tag", "experience", "place", "registry", "code",
    "pack", "audit", "association", "banner",
  ]
  private static let readers = [
    "tag read", "tag write", "tag batch", "tag info", "tag lock", "tag password", "tag erase",
    "tag dump", "tag restore", "reader list", "reader doctor", "pack verify", "audit walk",
  ]
  private static let passwords = [
    "tag read", "tag write", "tag info", "tag lock", "tag password", "tag erase", "tag dump",
    "tag restore",
  ]
  private static let keys = ["check", "scan", "tag read", "audit walk"]
  private static let documents = [
    "qr", "poster", "sheet", "pack list", "audit report", "manual",
  ]
  private static let pictures = [
    "qr", "poster", "sheet", "scan", "grade", "pack verify", "audit walk", "audit report",
  ]
  private static let web = [
    "association", "banner", "registry pull", "registry push", "registry diff",
  ]

  /// Every variable that the sources read, and those that a library below is asked to.
  static let environment = [
    ManualNote(
      "CLIPTAG_KEYS", "The file with the keys of tags, unless --keys names one.", of: keys),
    ManualNote(
      "CLIPTAG_NEW_TAG_PASSWORD", "The new password of a tag, unless --new-password-file is given.",
      of: ["tag password change"]),
    ManualNote(
      "CLIPTAG_REGISTRY", "The registry file, unless --registry names one.", of: registries),
    ManualNote(
      "CLIPTAG_TAG_PASSWORD", "The password of a tag, unless --password-file is given.",
      of: passwords),
    ManualNote("HOME", "The folder below which the registry and settings lie by default."),
    ManualNote(
      "HTTPS_PROXY, ALL_PROXY, NO_PROXY", "The proxy for fetching, and the hosts that need none.",
      of: web),
    ManualNote(
      "LIBNFC_DEVICE", "The reader, as a libnfc connection string, unless --reader names one.",
      of: readers),
    ManualNote(
      "LIBNFC_LOG_LEVEL", "How much libnfc says on standard error, 0 (the default here) to 3.",
      of: readers),
    ManualNote("NO_COLOR", "When it is set and not empty, nothing is coloured by itself."),
    ManualNote(
      "PATH", "Where the programs are found that draw PDF and SVG and read other pictures.",
      of: pictures),
    ManualNote(
      "SOURCE_DATE_EPOCH",
      "The time that a document states as that of its making, in seconds since 1970; without it a "
        + "drawing states none.", of: documents),
    ManualNote("TERM", "When it is dumb, nothing is coloured and no progress is drawn."),
    ManualNote("TMPDIR", "Where files lie while they are drawn, instead of /tmp.", of: pictures),
    ManualNote(
      "XDG_CONFIG_HOME", "The folder of settings, instead of ~/.config.", of: keys + ["sheet"]),
    ManualNote(
      "XDG_DATA_DIRS", "Folders of the system with label templates, with colons between them.",
      of: ["sheet"]),
    ManualNote("XDG_DATA_HOME", "The folder of data, instead of ~/.local/share."),
  ]

  /// Every file at a place of its own.
  static let files = [
    ManualNote(
      "~/.config/cliptag/keys.yaml",
      "The keys of tags that make Secure Unique NFC messages; only you should be able to read it.",
      of: keys),
    ManualNote(
      "~/.config/cliptag/printers.json", "The calibrations of printers that --printer names.",
      of: ["sheet"]),
    ManualNote(
      "~/.config/libglabels/templates", "Your own label templates, as glabels keeps them.",
      of: ["sheet"]),
    ManualNote(
      "~/.local/share/cliptag/registry.sqlite",
      "The registry: clips, experiences, places, issued codes and their history.", of: registries),
    ManualNote(
      "/etc/nfc/libnfc.conf", "What libnfc is told of readers on this computer.", of: readers),
    ManualNote(
      "/usr/share/libglabels-3.0/templates", "The label templates of the system.", of: ["sheet"]),
  ]
}
