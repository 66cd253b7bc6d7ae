import Foundation

/// The types of results as their declarations have them, with what each key means.
///
/// It reads formatted sources line by line, and throws at everything that it does not understand.
struct ResultTypes {
  struct Trouble: Error, CustomStringConvertible {
    let description: String
  }

  /// A key of an object.
  struct Member {
    let key: String
    /// The Swift type, such as `[FindingResult]?`.
    let type: String
    /// The type that declares it, in which `type` is looked up.
    let owner: String
    let meaning: String
    /// The value of a constant, as Swift and JSON write it.
    var constant: String?
    /// Whether only some objects have the key.
    var isOptional = false

    /// The values that the meaning begins with, such as "`inside` or `outside`; `nil` without one".
    var values: [String] {
      guard let list = meaning.prefixMatch(of: /(?:`[^`]+`(?:, | or )?){2,}(?=[.:;]|$)/) else {
        return []
      }
      return list.output.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    }
  }

  /// The JSON that a type encodes.
  struct Object {
    let name: String
    let meaning: String
    var members: [Member] = []
    /// The types of which one is encoded in its place.
    var alternatives: [String] = []
    /// The type of the values whose keys are not fixed.
    var others: String?

    /// The values of the key `type`, if it is a line of output.
    var kinds: [String] {
      guard let type = members.first(where: { $0.key == "type" }), meaning.contains(/\bobject\b/)
      else { return [] }
      return type.constant.map { [$0.filter { $0 != "\"" }] } ?? type.values
    }
  }

  private struct Declaration {
    let name: String
    let isEnumeration: Bool
    let meaning: String
    /// The lines of its body, indented by two spaces.
    let lines: [Substring]
  }

  private var declarations: [String: Declaration] = [:]

  /// Reads the declarations in sources.
  init(_ files: [(name: String, text: String)]) {
    for (_, text) in files { read(text.split(separator: "\n", omittingEmptySubsequences: false)) }
  }

  /// The objects that are lines of output.
  func lines() throws -> [Object] {
    try declarations.values.sorted { $0.name < $1.name }.compactMap { declaration in
      // The head of an object that is encoded in pieces.
      guard !declaration.name.hasSuffix(".Head") else { return nil }
      let isLine = declaration.lines.contains { $0.contains(/^\s\s(?:\w+ )?let type = "/) }
      guard isLine || declaration.meaning.contains(/\bobject\b/) else { return nil }
      let object = try object(declaration.name)
      guard object.kinds.isEmpty else { return object }
      if object.members.contains(where: { $0.key == "type" }) {
        throw Trouble(description: "\(object.name): the comments do not name the object")
      }
      return nil
    }
  }

  /// Returns the full name of a type that another one names.
  func resolve(_ type: String, in owner: String) throws -> String {
    var scope = owner.split(separator: ".")[...]
    while true {
      let name = (scope + [Substring(type)]).joined(separator: ".")
      if declarations[name] != nil { return name }
      guard scope.popLast() != nil else {
        throw Trouble(description: "\(owner): \(type) is not the type of a result")
      }
    }
  }

  /// The JSON that a type encodes.
  func object(_ name: String) throws -> Object {
    guard let type = declarations[name] else { throw Trouble(description: "no type \(name)") }
    var object = Object(name: name, meaning: type.meaning)
    if type.isEnumeration {
      object.alternatives = try type.lines.compactMap {
        $0.wholeMatch(of: /\s\scase \w+\((\w+)\)/)?.output.1
      }.map { try resolve(String($0), in: name) }
    } else if let start = type.lines.firstIndex(where: {
      $0.contains(/^\s\s(?:\w+ )?func encode\(to encoder:/)
    }) {
      let end = type.lines[start...].firstIndex(of: "  }") ?? type.lines.endIndex
      try read(type.lines[(start + 1)..<end], of: type, into: &object)
    } else {
      let keys = try keys(of: type)
      object.members = try properties(of: type).compactMap { property in
        try (keys == nil ? property.key : keys?[property.key]).map { try stated(property, as: $0) }
      }
    }
    guard !(object.members.isEmpty && object.alternatives.isEmpty && object.others == nil) else {
      throw Trouble(description: "\(name): nothing is encoded")
    }
    return object
  }

  // MARK: Reading

  private static func comment(above index: Int, in lines: [Substring]) -> String {
    let comment = lines[..<index].reversed().prefix { $0.contains(/^\s*\/\/\//) }.reversed()
      .map { $0.trimmingPrefix(/\s*\/\/\/ ?/) }
    return comment.prefix { !$0.isEmpty }.joined(separator: " ").replacing("``", with: "`")
  }

  private mutating func read(_ lines: [Substring]) {
    let head = /\s*(?:(?:public|package|private|final) )*(struct|enum|extension|class) ([\w.]+).*\{/
    var scopes: [(indentation: Int, name: Substring)] = []
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let indentation = line.prefix { $0 == " " }.count
      scopes.removeAll { $0.indentation >= indentation }
      guard let found = line.wholeMatch(of: head) else { continue }
      scopes.append((indentation, found.output.2))
      guard line.contains("Encodable"), ["struct", "enum"].contains(found.output.1) else {
        continue
      }
      let name = scopes.map(\.name).joined(separator: ".")
      let body = lines[(index + 1)...].prefix {
        $0.isEmpty || $0.prefix { $0 == " " }.count > indentation
      }
      declarations[name] = Declaration(
        name: name, isEnumeration: found.output.1 == "enum",
        meaning: Self.comment(above: index, in: lines),
        lines: body.map { $0.dropFirst(indentation) })
    }
  }

  /// The stored properties of a type.
  private func properties(of type: Declaration) throws -> [Member] {
    let property =
      /\s\s(?:(?:public|package|private) )?(?:let|var) (\w+)(?:: ([^={]+?))?(?: = (.+))?/
    return try type.lines.enumerated().compactMap { index, line in
      guard !line.hasSuffix("{"), let found = line.wholeMatch(of: property) else { return nil }
      let value = found.output.3.map(String.init)
      let stated: String? =
        switch value {
        case _ where found.output.2 != nil: found.output.2.map(String.init)
        case "true", "false": "Bool"
        case .some(let text) where text.hasPrefix("\""): "String"
        default: nil
        }
      guard let stated else {
        throw Trouble(description: "\(type.name): the type of \(found.output.1) is not stated")
      }
      return Member(
        key: String(found.output.1), type: stated, owner: type.name,
        meaning: Self.comment(above: index, in: type.lines),
        constant: found.output.2 == nil ? value : nil)
    }
  }

  /// The keys of the properties by their names; `nil` if each property is a key.
  private func keys(of type: Declaration) throws -> [String: String]? {
    guard
      let start = type.lines.firstIndex(where: { $0.contains(/^\s\s(?:private )?enum CodingKeys:/) }
      )
    else {
      return nil
    }
    let text = type.lines[start...].joined(separator: " ").split(separator: "{")[1].prefix {
      $0 != "}"
    }
    return Dictionary(
      uniqueKeysWithValues: text.matches(of: /(\w+)(?: = "(\w+)")?(?:,| |$)/)
        .filter { $0.output.1 != "case" }
        .map { (String($0.output.1), String($0.output.2 ?? $0.output.1)) })
  }

  private func stated(_ property: Member, as key: String, isOptional: Bool = false) throws -> Member
  {
    guard !property.meaning.isEmpty else {
      throw Trouble(description: "\(property.owner).\(property.key) has no comment")
    }
    return Member(
      key: key, type: property.type, owner: property.owner, meaning: property.meaning,
      constant: property.constant, isOptional: isOptional)
  }

  /// Reads the statements of `encode(to:)`, each on a line.
  private func read(
    _ statements: ArraySlice<Substring>, of type: Declaration, into object: inout Object
  ) throws {
    let properties = Dictionary(
      uniqueKeysWithValues: try properties(of: type).map { ($0.key, $0) })
    let keys = try keys(of: type)
    // Within a condition, or after a way out.
    var depth = 0
    for line in statements.map({ $0.trimmingPrefix(/\s+/) }) {
      if let call = line.firstMatch(
        of: /values\.encode(?:IfPresent)?\((\w+), forKey: [."](\w+)"?\)/)
      {
        guard let property = properties[String(call.output.1)] else {
          throw Trouble(description: "\(type.name) has no property \(call.output.1)")
        }
        let isOptional = depth > 0 || line.hasPrefix("if ")
        let name = String(call.output.2)
        object.members.append(try stated(property, as: keys?[name] ?? name, isOptional: isOptional))
      } else if let call = line.firstMatch(
        of: /^(?:case .*: )?try (\w+)(\(.*\))?(\?)?\.encode\(to: encoder\)$/)
      {
        let name = String(call.output.1)
        let inner =
          call.output.2 == nil ? properties[name]?.type.trimmingSuffix("?") ?? name : name
        let isOptional = depth > 0 || call.output.3 != nil
        if inner.contains("<") {
          object.others = inner
          continue
        }
        let other = try self.object(try resolve(inner, in: type.name))
        // Several cases may have the same members.
        for var member in other.members
        where !object.members.contains(where: { $0.key == member.key }) {
          member.isOptional = member.isOptional || isOptional
          object.members.append(member)
        }
      } else if line.hasPrefix("guard ") {
        depth += 1
      } else if line.hasPrefix("switch ") {
        depth += 1
      } else if line == "}" {
        depth -= 1
      } else if !line.contains(/^(?:var values = encoder\.container\(|case \..*:$)/) {
        throw Trouble(description: "\(type.name): “\(line)” is not understood")
      }
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ end: String) -> String {
    hasSuffix(end) ? String(dropLast(end.count)) : self
  }
}
