/// A table of the registry in any database: the contents of its rows.
///
/// SQLite's own statements are in ``RegistrySchema``, step by step as they were released. A
/// database on a server begins with this shape, which also determines how rows are copied from one
/// database to the other.
struct RegistryTable {
  enum Kind { case text, integer, number, bytes, truth, identity }

  struct Column {
    let name: String
    let kind: Kind
    let isOptional: Bool
    /// The format whose step added the column; `nil` for a column that came with its table.
    var since: Int?
  }

  /// Columns of one kind, side by side.
  private struct Columns {
    private(set) var all: [Column]

    private init(_ names: [String], _ kind: Kind, _ isOptional: Bool = false) {
      all = names.map { Column(name: $0, kind: kind, isOptional: isOptional) }
    }

    static func texts(_ names: String...) -> Columns { Columns(names, .text) }
    static func textsIfAny(_ names: String...) -> Columns { Columns(names, .text, true) }
    static func integers(_ names: String...) -> Columns { Columns(names, .integer) }
    static func integersIfAny(_ names: String...) -> Columns { Columns(names, .integer, true) }
    static func numbersIfAny(_ names: String...) -> Columns { Columns(names, .number, true) }
    static func bytes(_ names: String...) -> Columns { Columns(names, .bytes) }
    static func bytesIfAny(_ names: String...) -> Columns { Columns(names, .bytes, true) }
    static func truths(_ names: String...) -> Columns { Columns(names, .truth) }
    static func truthsIfAny(_ names: String...) -> Columns { Columns(names, .truth, true) }
    /// The same columns, added by the step of a later format.
    func since(_ format: Int) -> Columns {
      var copy = self
      for index in copy.all.indices { copy.all[index].since = format }
      return copy
    }
    /// Returns the column of a number that the database assigns to a row.
    static func identity(_ name: String) -> Columns { Columns([name], .identity) }
  }

  /// The subject of a table, for operations that copy a part of the registry.
  enum Subject { case settings, record, batches, walks }

  let name: String
  let subject: Subject
  let columns: [Column]
  /// The columns that identify a row, in the order in which rows are added.
  let key: [String]
  /// Further constraints on the rows, in SQL for both engines.
  let rules: [String]
  /// The first format with the table on servers.
  let since: Int

  private init(
    _ name: String, _ subject: Subject, since: Int = RegistryFormat.firstOnServers, key: String...,
    columns: [Columns], rules: [String] = []
  ) {
    self.since = since
    self.name = name
    self.subject = subject
    self.key = key
    self.columns = columns.flatMap(\.all)
    self.rules = rules
  }

  /// A Boolean value that indicates whether the rows are entries of chains, or derived from them.
  var holdsEntries: Bool {
    ["code_entry", "setting_entry", "code_print", "code_item"].contains(name)
  }

  /// Every table; a referenced table precedes those that refer to it.
  static let all = [
    RegistryTable(
      "clip", .settings, key: "bundle_id",
      columns: [
        .texts("bundle_id", "app_bundle_id", "team"), .textsIfAny("app_store_id"),
        .truths("location_confirmation"),
        .textsIfAny("default_title", "default_subtitle", "default_action", "listing"),
      ]),
    RegistryTable(
      "clip_domain", .settings, key: "bundle_id", "position",
      columns: [.texts("bundle_id"), .integers("position"), .texts("host")],
      rules: ["FOREIGN KEY (bundle_id) REFERENCES clip ON DELETE CASCADE"]),
    RegistryTable(
      "place", .settings, key: "id",
      columns: [
        .texts("id", "name"), .numbersIfAny("latitude", "longitude", "radius"),
        .textsIfAny("polygon", "regions"), .textsIfAny("language").since(WalkStep.format),
      ],
      rules: [
        "CHECK ((polygon IS NULL) = (radius IS NOT NULL))",
        "CHECK ((latitude IS NULL) = (radius IS NULL) AND (longitude IS NULL) = (radius IS NULL))",
      ]),
    RegistryTable(
      "experience", .settings, key: "id",
      columns: [
        .identity("id"), .texts("bundle_id", "link", "normalized", "host", "folded_key"),
        .textsIfAny("title", "subtitle"), .texts("action", "language", "status"),
        .textsIfAny("place_id", "place_path", "place_query", "place_latitude", "place_longitude"),
        .numbersIfAny("place_radius"), .textsIfAny("listing"),
      ],
      rules: [
        "UNIQUE (normalized)", "FOREIGN KEY (bundle_id) REFERENCES clip",
        "FOREIGN KEY (place_id) REFERENCES place",
      ]),
    RegistryTable(
      "code", .record, key: "id",
      columns: [
        .texts("id", "payload", "carrier"), .textsIfAny("place_id"), .integers("created"),
        .truths("registered"), .texts("status"), .textsIfAny("output", "tag_uid", "tag_type"),
        .integersIfAny("symbol_version"), .textsIfAny("symbol_error_correction"),
        .numbersIfAny("symbol_module_size", "symbol_width"), .textsIfAny("app_clip_code"),
      ]),
    RegistryTable(
      "recorder", .record, key: "key",
      columns: [
        .identity("key"), .texts("id"), .textsIfAny("home"),
        .integersIfAny("merged").since(RegistryFormat.merges),
      ],
      rules: ["UNIQUE (id)", "UNIQUE (home)"]),
    RegistryTable(
      "code_entry", .record, key: "recorder", "number",
      columns: [
        .integers("recorder", "number"), .bytes("previous", "hash"), .texts("code"),
        .integers("time"), .texts("kind", "who", "details"), .truths("adopted", "begins"),
      ],
      rules: [
        "FOREIGN KEY (recorder) REFERENCES recorder", "FOREIGN KEY (code) REFERENCES code",
        "CHECK (number > 0)", "CHECK (length(previous) = 32)", "CHECK (length(hash) = 32)",
      ]),
    RegistryTable(
      "code_print", .record, since: 13, key: "code",
      columns: [
        .texts("code"), .integers("time"), .texts("recorder"), .integers("number"),
        .texts("details"),
      ],
      rules: ["FOREIGN KEY (code) REFERENCES code"]),
    RegistryTable(
      "code_item", .record, since: 15, key: "code", "file", "sheet", "label",
      columns: [
        .texts("code", "file", "sheet", "label"), .integers("time"), .texts("output", "details"),
      ],
      rules: ["FOREIGN KEY (code) REFERENCES code"]),
    RegistryTable(
      "setting_entry", .record, key: "recorder", "number",
      columns: [
        .integers("recorder", "number"), .bytes("previous", "hash"), .texts("subject"),
        .integers("time"), .texts("kind", "who", "details"), .truths("adopted"),
      ],
      rules: [
        "FOREIGN KEY (recorder) REFERENCES recorder",
        "CHECK (number > 0)", "CHECK (length(previous) = 32)", "CHECK (length(hash) = 32)",
      ]),
    RegistryTable(
      "tag_counter", .record, key: "uid",
      columns: [.texts("uid"), .integers("counter", "seen")],
      rules: ["CHECK (counter BETWEEN 0 AND 16777215)"]),
    RegistryTable(
      "trusted_key", .record, key: "name",
      columns: [.texts("name", "key"), .integers("added"), .texts("who")], rules: ["UNIQUE (key)"]),
    RegistryTable(
      "app_clip_code_badge", .record, key: "digest", columns: [.texts("digest", "outlines")]),
    RegistryTable(
      "batch", .batches, key: "name",
      columns: [.texts("name"), .integers("created"), .texts("who")]),
    RegistryTable(
      "batch_row", .batches, key: "batch", "number",
      columns: [
        .texts("batch"), .integers("number"), .texts("url"),
        .textsIfAny("label", "place", "wanted_uid"), .texts("captions", "state"),
        .textsIfAny("uid", "tag_type", "hash", "signature"), .truthsIfAny("locked"),
        .textsIfAny("reader", "code"), .integersIfAny("changed"), .textsIfAny("who", "reason"),
      ],
      rules: [
        "FOREIGN KEY (batch) REFERENCES batch", "FOREIGN KEY (code) REFERENCES code",
        "CHECK (number > 0)",
        "CHECK (state IN ('pending', 'intended', 'written', 'done', 'skipped'))",
        "CHECK ((uid IS NOT NULL) = (state IN ('intended', 'written', 'done')))",
      ]),
    RegistryTable(
      "batch_claim", .batches, key: "batch", "row",
      columns: [
        .texts("batch"), .integers("row"), .texts("machine"), .integers("process"),
        .texts("started", "reader"), .integers("since", "renewed"),
      ], rules: ["FOREIGN KEY (batch, row) REFERENCES batch_row"]),
    RegistryTable(
      "batch_event", .batches, key: "id",
      columns: [
        .identity("id"), .texts("batch"), .integers("row", "sequence", "time"),
        .texts("kind", "who"), .textsIfAny("uid"), .texts("details"),
      ],
      rules: [
        "UNIQUE (batch, row, sequence)", "FOREIGN KEY (batch, row) REFERENCES batch_row",
      ]),
    RegistryTable(
      "walk", .walks, key: "key",
      columns: [
        .identity("key"), .texts("id", "name", "who"), .integers("started"), .texts("recorder"),
      ],
      rules: ["UNIQUE (id)"]),
    RegistryTable(
      "walk_stop", .walks, key: "walk", "number",
      columns: [
        .integers("walk", "number", "time"), .texts("kind", "source"), .integersIfAny("page"),
        .bytesIfAny("digest"), .textsIfAny("sign"),
        .numbersIfAny("latitude", "longitude", "accuracy"), .textsIfAny("origin", "origin_name"),
        .integersIfAny("origin_time", "origin_reports"), .truthsIfAny("origin_simulated"),
        .textsIfAny("origin_note", "stated_place", "note"), .integers("unread", "readings"),
        .truths("pictured"), .integersIfAny("taken").since(WalkStep.format),
        .textsIfAny("findings").since(WalkStep.format),
      ],
      rules: [
        "FOREIGN KEY (walk) REFERENCES walk", "CHECK (number > 0)", "CHECK (readings >= 0)",
        "CHECK (length(digest) = 32)", "CHECK ((latitude IS NULL) = (accuracy IS NULL))",
        "CHECK ((longitude IS NULL) = (accuracy IS NULL))",
      ]),
    RegistryTable(
      "walk_reading", .walks, key: "walk", "stop", "number",
      columns: [
        .integers("walk", "stop", "number"), .texts("carrier"), .bytes("payload"),
        .textsIfAny("uid", "tag_type"), .truthsIfAny("locked"), .texts("corners"),
        .numbersIfAny("grade"), .textsIfAny("code", "place"), .texts("verdict", "state"),
        .textsIfAny("location"), .numbersIfAny("distance"), .texts("findings"),
      ], rules: ["FOREIGN KEY (walk, stop) REFERENCES walk_stop", "CHECK (number > 0)"]),
    RegistryTable(
      "walk_picture", .walks, key: "id",
      columns: [
        .identity("id"),
        .integers("walk", "stop", "width", "height", "original_width", "original_height"),
        .bytes("jpeg"),
      ], rules: ["UNIQUE (walk, stop)", "FOREIGN KEY (walk, stop) REFERENCES walk_stop"]),
    RegistryTable(
      "follow_up", .walks, since: FollowUpStep.format, key: "id", "entry",
      columns: [
        .texts("id", "entry"), .integers("time"), .texts("kind", "who", "recorder", "details"),
      ], rules: [FollowUpStep.rule]),
  ]
}
