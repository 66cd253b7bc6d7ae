/// The `setting` object of the command's settings.
package struct SettingResult: Encodable {
  /// The kinds of origins, the first one first.
  package enum Source: String {
    case option, environment, file, `default`
  }

  /// The type of the object.
  let type = "setting"
  /// The key.
  let key: String
  /// The value; `nil` if the setting has none.
  let value: String?
  /// `option`, `environment`, `file` or `default`: the kind of origin of the value.
  let source: String
  /// The option, the variable or the file that has the value.
  let origin: String?
  /// The line of the file.
  let line: Int?
  /// The commands that take the setting; `nil` for all.
  let commands: [String]?
  /// The meaning of the setting.
  let meaning: String

  package init(
    _ key: String, value: String?, source: Source, origin: String?, line: Int?, commands: [String]?,
    meaning: String
  ) {
    self.key = key
    self.value = value
    self.source = source.rawValue
    self.origin = origin
    self.line = line
    self.commands = commands
    self.meaning = meaning
  }
}
