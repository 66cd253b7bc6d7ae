import CStationPage
import Foundation

/// The station's page: its files, its words in several languages, and what its templates are filled
/// with.
///
/// What is only read works without JavaScript: a template's `{{table:…}}` is a table of the same
/// objects that the interface gives.
struct StationPages: Sendable {
  /// The facts on every page.
  struct Facts: Sendable {
    let registry: String
    let reader: String
    let who: @Sendable () -> String
  }

  private let files: [String: [UInt8]]
  private let words: [String: [String: String]]
  private let facts: Facts
  /// The languages that there are words of, that of the source first.
  let languages: [String]

  private static let languageCookie = "cliptag-language"
  /// Languages whose lines begin on the right.
  private static let rightToLeft: Set = ["ar", "fa", "he", "ur"]

  init(_ facts: Facts) throws {
    self.facts = facts
    var files: [String: [UInt8]] = [:]
    var file = cstationpage_files
    while let entry = file?.pointee, let name = entry.name {
      files[String(cString: name)] = Array(
        UnsafeBufferPointer(start: entry.bytes, count: entry.length))
      file = file?.advanced(by: 1)
    }
    self.files = files
    var words: [String: [String: String]] = [:]
    for (name, bytes) in files where name.hasPrefix("words/") {
      words[String(name.dropFirst(6).dropLast(5))] = try JSONDecoder().decode(
        [String: String].self, from: Data(bytes))
    }
    self.words = words
    languages = ["en"] + words.keys.filter { $0 != "en" }.sorted()
  }

  /// The files that browsers load beside pages, and the form that chooses a language.
  var routes: [StationRoute] {
    let loaded = files.keys.filter { !$0.hasSuffix(".html") && !$0.hasSuffix(".part") }
    return loaded.map { name in
      StationRoute("GET", name == "openapi.json" ? "/api/openapi.json" : "/\(name)", for: .anybody)
      { _ in
        StationResponse(Data(files[name] ?? []), type: KeptFiles.type(of: name))
      }
    } + [
      StationRoute("POST", "/language", for: .anybody) { request in
        let wanted = request.formField("language") ?? ""
        var response = StationResponse.redirect(to: Self.page(ofForm: request))
        if languages.contains(wanted) {
          response.headers.append(
            (
              "Set-Cookie",
              "\(Self.languageCookie)=\(wanted); Path=/; SameSite=Strict; Max-Age=31536000"
            ))
        }
        return response
      }
    ]
  }

  /// The page that a form was on; the first where that is not known.
  private static func page(ofForm request: StationRequest) -> String {
    let path = request.formField("page") ?? "/"
    return path.hasPrefix("/") && !path.hasPrefix("//") && !path.contains("\\") ? path : "/"
  }

  /// The language for a visitor: the one that was chosen, else the first that the browser asks for
  /// (RFC 9110, section 12.5.4) and that there is.
  func language(of request: StationRequest) -> String {
    if let chosen = request.cookie(Self.languageCookie), languages.contains(chosen) {
      return chosen
    }
    let wanted = (request.headers["accept-language"] ?? "").split(separator: ",").map { entry in
      let parts = entry.split(separator: ";")
      let quality =
        parts.dropFirst().lazy
        .compactMap { Double($0.trimmingCharacters(in: .whitespaces).dropFirst(2)) }.first ?? 1
      let tag = (parts.first ?? "").trimmingCharacters(in: .whitespaces).lowercased()
      return (tag.split(separator: "-").first.map(String.init) ?? tag, quality)
    }
    // Sorting keeps the order of equals only where that is asked for.
    let sorted = wanted.enumerated().sorted {
      ($0.element.1, -$0.offset) > ($1.element.1, -$1.offset)
    }
    return sorted.lazy.map(\.element.0).first(where: languages.contains) ?? "en"
  }

  // MARK: Templates

  /// A page for a visitor.
  ///
  /// - Parameters:
  ///   - tables: The objects of its tables, by the tables' names.
  ///   - more: Further things that its template names.
  func page(
    _ name: String, for request: StationRequest, status: Int = 200,
    tables: [String: [JSONValue]] = [:], more: [String: String] = [:]
  ) -> StationResponse {
    let language = request.language
    var values = [
      "lang": language, "dir": Self.rightToLeft.contains(language) ? "rtl" : "ltr",
      "version": Cliptag.version, "page": "/" + request.path.joined(separator: "/"),
    ].merging(more) { $1 }
    if request.isTrusted {
      values["registry"] = facts.registry
      values["reader"] = facts.reader
      values["who"] = facts.who()
    }
    let html = filled(name, values, tables, language, depth: 0)
    return StationResponse(Data(html.utf8), type: "text/html; charset=utf-8", status: status)
  }

  /// The answer to a request that is refused: a page for browsers, an object for programs.
  func refusal(_ refusal: StationAccess.Refusal, for request: StationRequest) -> StationResponse {
    guard request.method == "GET", request.path.first != "api",
      request.headers["accept"]?.contains("text/html") == true
    else {
      return .json(CommandAnswer(failure: refusal.failure).json, status: refusal.status)
    }
    let language = request.language
    let isUnknown = refusal.status == 401
    return page(
      "error.html", for: request, status: refusal.status,
      more: [
        "title": word(isUnknown ? "session.title" : "error.title", language),
        "text": isUnknown
          ? word("session.text", language) : "\(refusal.failure.message) \(refusal.failure.hint)",
      ])
  }

  private func filled(
    _ name: String, _ values: [String: String], _ tables: [String: [JSONValue]], _ language: String,
    depth: Int
  ) -> String {
    let template = String(decoding: files[name] ?? [], as: UTF8.self)
    var html = ""
    var rest = template[...]
    while let start = rest.range(of: "{{"), let end = rest[start.upperBound...].range(of: "}}") {
      html += rest[..<start.lowerBound]
      let key = String(rest[start.upperBound..<end.lowerBound])
      rest = rest[end.upperBound...]
      let parts = key.split(separator: ":", maxSplits: 1)
      switch parts.first {
      case "w" where parts.count == 2: html += word(String(parts[1]), language).htmlEscaped
      case "include" where parts.count == 2 && depth < 4:
        html += filled(String(parts[1]), values, tables, language, depth: depth + 1)
      case "table" where parts.count == 2:
        html += table(String(parts[1]), tables[String(parts[1])] ?? [], language)
      default: html += (values[key] ?? "").htmlEscaped
      }
    }
    return html + rest
  }

  /// A word of a language; that of English where it has none.
  func word(_ key: String, _ language: String) -> String {
    words[language]?[key] ?? words["en"]?[key] ?? key
  }

  /// The columns of each table, by the members of its objects.
  private static let columns: [String: [String]] = [
    "batches": ["batch", "rows", "done", "pending", "torn", "skipped", "created", "who"],
    "places": ["id", "name"],
    "codes": ["code", "url", "carrier", "place", "status", "created"],
    "experiences": ["link", "title", "subtitle"],
    "walks": ["name", "who", "started", "stops"],
    "findings": ["finding", "place", "payload", "code"],
    "follow-ups": ["finding", "place", "code", "opened", "owner", "due"],
    "packing": ["code", "carrier", "uid", "url", "label"],
    "reader": ["subject", "verdict", "finding", "hint"],
    "verdicts": ["verdict", "payload", "place", "state", "findings", "message", "hint"],
  ]

  /// The targets of links in the first column of a table, without JavaScript.
  private static let links = ["places": "/parcel?place=", "walks": "/walk?name="]

  private func cell(_ value: String, isFirstOf table: String?) -> String {
    let text = "<bdi>\(value.htmlEscaped)</bdi>"
    guard let link = table.flatMap({ Self.links[$0] }),
      let target = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    else { return "<td>\(text)</td>" }
    return "<td><a href=\"\(link)\(target)\">\(text)</a></td>"
  }

  private func table(_ name: String, _ rows: [JSONValue], _ language: String) -> String {
    let columns = Self.columns[name] ?? []
    guard !rows.isEmpty else {
      return "<p class=\"empty\">\(word("table.empty", language).htmlEscaped)</p>"
    }
    let heads = columns.map { column in
      "<th scope=\"col\">\(word("col.\(column)", language).htmlEscaped)</th>"
    }.joined()
    let lines = rows.map { row in
      let cells = columns.enumerated().map { index, column in
        cell(row[column]?.words ?? "", isFirstOf: index == 0 ? name : nil)
      }.joined()
      return "<tr>\(cells)</tr>\n"
    }.joined()
    return
      "<table class=\"plain\"><thead><tr>\(heads)</tr></thead><tbody>\n\(lines)</tbody></table>"
  }
}

extension String {
  /// The text as HTML shows it, in elements and in attributes.
  fileprivate var htmlEscaped: String {
    var text = ""
    text.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
