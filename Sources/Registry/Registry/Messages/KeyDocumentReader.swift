import CliptagBasics
import Invocation
import TagAuthenticity

/// Converts the nodes of a key file into entries. Shapes and words are those of registry files.
///
/// No message quotes a value, only names of parameters and prefixes: the values are secret.
struct KeyDocumentReader {
  private(set) var entries: [SecureMessageKeys.Entry] = []
  private var shapes = DocumentReader()
  /// The line on which each prefix was defined, for duplicates.
  private var lines: [String: Int] = [:]

  var problems: [DocumentProblem] { shapes.problems }

  /// The largest number of former keys: each costs a tag a wrong key.
  static let formerLimit = 8

  /// Reads the root of a key file.
  mutating func read(_ root: DocumentNode) {
    if case .nothing = root.value {
      shapes.problem(root, "The file is empty; begin with “messages:”.")
      return
    }
    guard let fields = shapes.fields(root, of: .keyFile) else { return }
    for node in shapes.list(fields["messages"], "messages") { readEntry(node) }
  }

  private mutating func readEntry(_ node: DocumentNode) {
    guard let fields = shapes.fields(node, of: .keyEntry) else { return }
    let before = problems.count
    let prefix = prefix(fields, in: node)
    let identification = identification(fields, in: node)
    let fileReadKey = key(fields, "fileReadKey", in: node)
    let mac = shapes.required(fields, "mac", in: node, "The entry")
    let fileData = fields["fileData"].flatMap { shapes.text($0, "fileData") }
    let beginning = fields["macFrom"].flatMap { macBeginning($0, fields) }
    let input = fields["diversify"].flatMap { diversificationInput($0) }
    // What is wrong already is not reported twice.
    let provisioning = problems.count == before ? provisioning(fields, in: node) : nil
    guard problems.count == before, let prefix, let identification, let fileReadKey, let mac
    else { return }
    do throws(AuthenticityError) {
      entries.append(
        SecureMessageKeys.Entry(
          prefix: prefix,
          configuration: try SecureUniqueMessageConfiguration(
            identification: identification, macParameter: mac, fileDataParameter: fileData,
            fileReadKey: fileReadKey, diversificationInput: input,
            macBeginning: beginning), provisioning: provisioning))
    } catch {
      shapes.problem(node, error.message)
    }
  }

  private mutating func prefix(
    _ fields: [String: DocumentNode], in node: DocumentNode
  ) -> InvocationURL? {
    guard let text = shapes.required(fields, "prefix", in: node, "The entry"),
      let node = fields["prefix"]
    else { return nil }
    let prefix: InvocationURL
    do throws(InvocationURLError) {
      prefix = try InvocationURL(text)
    } catch {
      shapes.problem(node, "The prefix “\(text.shortened)” is invalid: \(error)")
      return nil
    }
    guard prefix.query == nil, prefix.fragment == nil else {
      shapes.problem(
        node,
        "The prefix “\(text.shortened)” continues after its path; the message's query items are "
          + "given by “piccData”, “mac” and so on.")
      return nil
    }
    if let line = lines[prefix.normalized] {
      shapes.problem(
        node, "The prefix “\(text.shortened)” is already in the entry on line \(line); remove one.")
    }
    lines[prefix.normalized] = lines[prefix.normalized] ?? node.position.line
    return prefix
  }

  private mutating func identification(
    _ fields: [String: DocumentNode], in node: DocumentNode
  ) -> SecureUniqueMessageConfiguration.Identification? {
    let isPlain = fields["uid"] != nil || fields["counter"] != nil
    guard isPlain != (fields["piccData"] != nil) else {
      shapes.problem(
        node,
        "An entry has either “piccData” and “metaReadKey”, for tags that encrypt UID and counter, or "
          + "“uid” and “counter”, for tags that mirror them in plain text.")
      return nil
    }
    if isPlain {
      if let key = fields["metaReadKey"] {
        shapes.problem(key, "“metaReadKey” is valid with “piccData” only. Remove it.")
      }
      guard let uid = shapes.required(fields, "uid", in: node, "The entry"),
        let counter = shapes.required(fields, "counter", in: node, "The entry")
      else { return nil }
      return .plain(uidParameter: uid, counterParameter: counter)
    }
    guard let parameter = shapes.required(fields, "piccData", in: node, "The entry"),
      let key = key(fields, "metaReadKey", in: node)
    else { return nil }
    return .encrypted(parameter: parameter, metaReadKey: key)
  }

  private mutating func key(
    _ fields: [String: DocumentNode], _ name: String, in node: DocumentNode
  ) -> SecretKey? {
    guard let text = shapes.required(fields, name, in: node, "The entry"), let node = fields[name]
    else { return nil }
    do throws(AuthenticityError) {
      return try SecretKey(hexadecimal: text)
    } catch {
      shapes.problem(node, "“\(name)” is invalid. \(error.message)")
      return nil
    }
  }

  /// Reads the keys that tags are given: those that verify, and the master key.
  private mutating func provisioning(
    _ fields: [String: DocumentNode], in node: DocumentNode
  ) -> SecureMessageKeys.Provisioning? {
    guard fields["masterKey"] != nil else {
      for name in ["keyVersion", "former"] {
        if let node = fields[name] {
          shapes.problem(node, "“\(name)” is valid with “masterKey” only. Remove it.")
        }
      }
      return nil
    }
    let keys = keySet(fields, in: node)
    let nodes = shapes.list(fields["former"], "former")
    if nodes.count > Self.formerLimit {
      shapes.problem(
        nodes[Self.formerLimit],
        "An entry has at most \(Self.formerLimit) sets of former keys: a tag counts wrong keys.")
    }
    var former: [TagKeySet] = []
    for node in nodes {
      guard let fields = shapes.fields(node, of: .formerKeys) else { continue }
      if let keys = keySet(fields, in: node) { former.append(keys) }
    }
    return keys.map { SecureMessageKeys.Provisioning(keys: $0, former: former) }
  }

  private mutating func keySet(
    _ fields: [String: DocumentNode], in node: DocumentNode
  ) -> TagKeySet? {
    let masterKey = key(fields, "masterKey", in: node)
    let fileReadKey = key(fields, "fileReadKey", in: node)
    let metaReadKey = fields["metaReadKey"].flatMap { _ in key(fields, "metaReadKey", in: node) }
    let input = fields["diversify"].flatMap { diversificationInput($0) }
    var version: UInt8 = 1
    if let node = fields["keyVersion"] {
      guard case .number(let number) = node.value, let found = UInt8(exactly: number), found > 0
      else {
        shapes.problem(node, "“keyVersion” is a whole number from 1 to 255.")
        return nil
      }
      version = found
    }
    guard let masterKey, let fileReadKey else { return nil }
    do throws(AuthenticityError) {
      return try TagKeySet(
        masterKey: masterKey, fileReadKey: fileReadKey, metaReadKey: metaReadKey,
        diversificationInput: input, version: version)
    } catch {
      shapes.problem(node, error.message)
      return nil
    }
  }

  /// Reads `true` for the UID alone, or the bytes that follow the UID.
  private mutating func diversificationInput(_ node: DocumentNode) -> [UInt8]? {
    if case .flag(let flag) = node.value { return flag ? [] : nil }
    guard let text = shapes.text(node, "diversify") else { return nil }
    guard let bytes = [UInt8](hexadecimal: text.utf8) else {
      shapes.problem(
        node,
        "“diversify” is the bytes that follow the UID in AN10922's input, as pairs of hexadecimal "
          + "digits in double quotes; or true for the UID alone.")
      return nil
    }
    return bytes
  }

  private mutating func macBeginning(
    _ node: DocumentNode, _ fields: [String: DocumentNode]
  ) -> SecureUniqueMessageConfiguration.MACBeginning? {
    if case .number(let number) = node.value {
      guard let count = Int(exactly: number), (0...InvocationURL.maximumLength).contains(count)
      else {
        shapes.problem(
          node,
          "“macFrom” as a number is the count of the URL's characters before the input that the MAC "
            + "covers, 0 to \(InvocationURL.maximumLength).")
        return nil
      }
      return .byte(count)
    }
    return shapes.text(node, "macFrom").map { .value(parameter: $0) }
  }
}
