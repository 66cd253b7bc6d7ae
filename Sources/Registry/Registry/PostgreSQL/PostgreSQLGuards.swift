/// The functions and triggers of a registry in a database of PostgreSQL.
///
/// They are recreated whenever a registry is created or upgraded, and a registry is used only while
/// the catalog contains exactly these. Functions run as the owner of the registry, for any caller,
/// unless ``Function/isOwners`` is `false`: `session_user` is the login.
enum PostgreSQLGuards {
  struct Function: Hashable {
    let name: String
    let arguments: String
    let result: String
    let language: String
    /// A Boolean value that indicates whether the function runs as the owner, with the registry's
    /// own search path.
    let isOwners: Bool
    let body: String

    init(
      _ name: String, of arguments: String = "", returns result: String = "trigger",
      language: String = "plpgsql", isOwners: Bool = true, _ body: String
    ) {
      self.name = name
      self.arguments = arguments
      self.result = result
      self.language = language
      self.isOwners = isOwners
      self.body = body
    }

    var statement: String {
      let safety =
        isOwners ? "SECURITY DEFINER SET search_path = \(PostgreSQLGuards.path)" : "STABLE"
      return
        "CREATE FUNCTION \(name)(\(arguments)) RETURNS \(result) LANGUAGE \(language) \(safety) AS $$"
        + body + "$$"
    }
  }

  struct Trigger: Hashable {
    let name: String
    let table: String
    /// The events before which the trigger runs; empty for one that runs at the end of a
    /// transaction.
    let events: [Event]
    let function: String
    var argument = ""
    var isDeferred = false
    /// A Boolean value that indicates whether the trigger runs after its events.
    var isAfter = false

    /// The bits of `pg_trigger.tgtype`.
    enum Event: Int { case insert = 4, delete = 8, update = 16, truncate = 32 }

    var catalogType: Int {
      let bits = events.reduce(0) { $0 | $1.rawValue }
      return bits | (events.contains(.truncate) ? 0 : 1) | (isDeferred || isAfter ? 0 : 2)
    }

    var statement: String {
      let words = events.map { "\($0)".uppercased() }.joined(separator: " OR ")
      let each = events.contains(.truncate) ? "STATEMENT" : "ROW"
      let call = "\(function)(\(argument.isEmpty ? "" : "'\(argument)'"))"
      return isDeferred
        ? "CREATE CONSTRAINT TRIGGER \(name) AFTER \(words) ON \(table) DEFERRABLE INITIALLY DEFERRED "
          + "FOR EACH ROW EXECUTE FUNCTION \(call)"
        : "CREATE TRIGGER \(name) \(isAfter ? "AFTER" : "BEFORE") \(words) ON \(table) FOR EACH \(each) EXECUTE FUNCTION \(call)"
    }
  }

  /// The search path of the owner's functions.
  static let path = "\(PostgreSQLSchema.name), pg_temp"

  /// The statements that make all functions and triggers, and revoke the right to call them from
  /// every role without a grant.
  static var statements: [String] {
    functions.map(\.statement)
      + ["REVOKE ALL ON ALL FUNCTIONS IN SCHEMA \(PostgreSQLSchema.name) FROM PUBLIC"]
      + triggers.map(\.statement)
  }

  /// Removes all existing functions and triggers, without calling any of them.
  static let removal = """
    DO $do$ DECLARE it record; BEGIN
      FOR it IN SELECT t.tgname, t.tgrelid::regclass AS relation FROM pg_catalog.pg_trigger AS t
        JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
        WHERE c.relnamespace = '\(PostgreSQLSchema.name)'::regnamespace AND NOT t.tgisinternal
      LOOP EXECUTE format('DROP TRIGGER %I ON %s', it.tgname, it.relation); END LOOP;
      FOR it IN SELECT oid::regprocedure AS function FROM pg_catalog.pg_proc
        WHERE pronamespace = '\(PostgreSQLSchema.name)'::regnamespace
      LOOP EXECUTE format('DROP FUNCTION IF EXISTS %s CASCADE', it.function); END LOOP;
    END $do$
    """

  // MARK: Functions

  private static func trigger(
    _ name: String, declaring: String = "", _ body: String, returning: String = "NEW"
  ) -> Function {
    Function(
      name,
      """

      \(declaring.isEmpty ? "" : "DECLARE \(declaring)")
      BEGIN
      \(body)
      RETURN \(returning);
      END
      """)
  }

  private static func refusing(
    _ condition: String, _ why: String, code: String = "raise_exception"
  ) -> String {
    "\nIF \(condition) THEN RAISE EXCEPTION USING ERRCODE = '\(code)', MESSAGE = '\(why)'; END IF;\n"
  }

  /// The right to alter everything here: that of the owner's members and of superusers.
  private static let isOwner = Function(
    "is_owner", returns: "boolean", language: "sql",
    """
    SELECT pg_has_role(session_user, nspowner, 'MEMBER') FROM pg_namespace
    WHERE nspname = '\(PostgreSQLSchema.name)'
    """)

  /// Checks the author of an entry: the login, alone or followed by a person.
  private static let isSaid = Function(
    "is_said", of: "who text", returns: "boolean", language: "sql", isOwners: false,
    """
    SELECT who = session_user
      OR left(who, length(session_user) + 2) = session_user || ' (' AND right(who, 1) = ')'
    """)

  /// Begins a writer's transaction: takes the lock that serializes changes, which needs the right
  /// to call this, and limits the time for which the server lets a session hold it.
  ///
  /// `transaction_timeout` exists since version 17.
  private static let takeTurn = Function(
    "take_turn", returns: "text",
    """

    DECLARE limits record;
    BEGIN
      SELECT idle_limit, turn_limit INTO limits FROM meta;
      PERFORM set_config('idle_in_transaction_session_timeout', limits.idle_limit::text, true);
      LOCK TABLE turn IN EXCLUSIVE MODE;
      IF current_setting('server_version_num')::int >= 170000 THEN
        PERFORM set_config('transaction_timeout', limits.turn_limit::text, true);
      END IF;
      RETURN pg_current_xact_id()::text;
    END
    """)

  private static let entryFunctions = [
    // The hashed form of an entry, as RecordEntry describes it.
    Function(
      "field", of: "value text", returns: "bytea", language: "sql", isOwners: false,
      "SELECT int4send(length(convert_to(value, 'UTF8'))) || convert_to(value, 'UTF8')"),
    Function(
      "facts", of: "texts text", returns: "bytea",
      """

      DECLARE form record;
      BEGIN
        IF texts = '{}' THEN RETURN field('0'); END IF;
        SELECT count(*) AS number, count(DISTINCT key) AS names,
          bool_and(json_typeof(value) = 'string') AS are_texts,
          string_agg(field(key) || field(value #>> '{}'), ''::bytea ORDER BY key COLLATE "C") AS fields
        INTO form FROM json_each(texts::json);
        IF form.names <> form.number OR NOT form.are_texts THEN
          RAISE EXCEPTION 'details are texts by name';
        END IF;
        RETURN field(form.number::text) || coalesce(form.fields, '');
      END
      """),
    // Swift formats whole numbers with a fraction.
    Function(
      "as_decimal", of: "value double precision", returns: "text", language: "sql", isOwners: false,
      "SELECT value::text || CASE WHEN value::text ~ '[.eIN]' THEN '' ELSE '.0' END"),
    Function(
      "issued_facts", of: "name text", returns: "bytea", language: "sql",
      """
      WITH issued AS (SELECT *, symbol_version + symbol_module_size + symbol_width IS NOT NULL
          AND symbol_error_correction IS NOT NULL AS is_drawn FROM code WHERE id = name),
      own AS (SELECT fact.* FROM issued AS c CROSS JOIN LATERAL (VALUES
          ('url', c.payload), ('carrier', c.carrier), ('created', c.created::text),
          ('registered', CASE WHEN c.registered THEN 'true' ELSE 'false' END), ('place', c.place_id),
          ('output', c.output), ('uid', c.tag_uid), ('tagType', c.tag_type),
          ('version', CASE WHEN c.is_drawn THEN c.symbol_version::text END),
          ('errorCorrection', CASE WHEN c.is_drawn THEN c.symbol_error_correction END),
          ('moduleSize', CASE WHEN c.is_drawn THEN as_decimal(c.symbol_module_size) END),
          ('width', CASE WHEN c.is_drawn THEN as_decimal(c.symbol_width) END)
        ) AS fact(key, value) WHERE fact.value IS NOT NULL),
      told AS (SELECT * FROM own UNION ALL
        SELECT clip.key, clip.value #>> '{}' FROM issued AS c, json_each(c.app_clip_code::json) AS clip
        WHERE clip.key NOT IN (SELECT key FROM own))
      SELECT field(count(*)::text)
        || coalesce(string_agg(field(key) || field(value), ''::bytea ORDER BY key COLLATE "C"), '')
      FROM told
      """),
    trigger(
      "chain_goes_on",
      declaring: "last record; own record; subject text; issued bytea := field('0');",
      """
      SELECT * INTO last FROM (
        (SELECT number, hash FROM code_entry WHERE recorder = NEW.recorder
         ORDER BY number DESC LIMIT 1)
        UNION ALL
        (SELECT number, hash FROM setting_entry WHERE recorder = NEW.recorder
         ORDER BY number DESC LIMIT 1)
      ) AS heads ORDER BY number DESC LIMIT 1;
      """
        + refusing(
          """
          NEW.number <> coalesce(last.number, 0) + 1
            OR NEW.previous <> coalesce(last.hash, decode(repeat('00', 32), 'hex'))
          """, "the record is append-only") + """

          SELECT id, home, login INTO own FROM recorder WHERE key = NEW.recorder;
          IF own.home IS NOT NULL THEN
          """
        + refusing(
          "own.login IS DISTINCT FROM session_user", "a chain is gone on with by who began it",
          code: "insufficient_privilege")
        + refusing(
          "NEW.adopted OR NOT is_said(NEW.who)", "an entry names the login that made it",
          code: "insufficient_privilege")
          + """
          END IF;
          IF TG_TABLE_NAME = 'code_entry' THEN
            subject := NEW.code;
            IF NEW.begins THEN issued := issued_facts(NEW.code); END IF;
          ELSE
            subject := NEW.subject;
          END IF;
          """
        + refusing(
          """
          NEW.hash <> sha256(field('cliptag entry 1') || field(own.id) || field(NEW.number::text)
            || int4send(32) || NEW.previous || field(subject) || field(NEW.time::text)
            || field(NEW.kind) || field(NEW.who) || field(CASE WHEN NEW.adopted THEN 'adopted' ELSE '' END)
            || facts(NEW.details) || issued)
          """, "the hash of an entry is that of what it says")),
    // At the end of a transaction: only the owner adds contents without a signature to a registry.
    trigger(
      "chain_is_vouched_for",
      """
      IF is_owner() OR EXISTS (SELECT FROM recorder WHERE key = NEW.recorder AND home IS NOT NULL)
        OR EXISTS (SELECT FROM code_entry WHERE recorder = NEW.recorder AND number > NEW.number)
        OR EXISTS (SELECT FROM setting_entry WHERE recorder = NEW.recorder AND number > NEW.number)
      THEN RETURN NULL; END IF;
      """
        + refusing(
          """
          NOT EXISTS (SELECT FROM vouched JOIN recorder ON recorder.id = vouched.recorder
            WHERE recorder.key = NEW.recorder AND vouched.number = NEW.number
              AND vouched.hash = NEW.hash AND vouched.transaction = pg_current_xact_id()::text)
          """, "no checkpoint of a trusted key covers the end of a chain of others",
          code: "insufficient_privilege"), returning: "NULL"),
    // A station's chain belongs to its login; only that login can leave the chain.
    trigger(
      "recorder_has_login",
      """
      IF TG_OP = 'UPDATE' THEN
      """
        + refusing(
          """
          NEW.key <> OLD.key OR NEW.id <> OLD.id OR NEW.home IS NOT NULL
            OR OLD.home IS NOT NULL AND OLD.login IS DISTINCT FROM session_user
            OR NEW.merged IS DISTINCT FROM OLD.merged AND NOT is_owner() AND (OLD.merged IS NOT NULL
              OR \(lacksEntry("setting_entry", "e.recorder = NEW.key AND e.number = NEW.merged")))
          """, "the record is append-only")
          + """
          NEW.login := OLD.login;
          ELSE
          """
        + refusing(
          """
          right(NEW.home, length(session_user) + 1) <> ' ' || session_user
            OR NEW.merged IS NOT NULL AND NOT is_owner()
          """,
          "a chain is begun by its login", code: "insufficient_privilege") + """
          NEW.login := CASE WHEN NEW.home IS NULL THEN NULL ELSE session_user END;
          END IF;
          """),
  ]

  /// Returns the condition that this transaction did not add a row that names its author.
  private static func lacksEntry(_ table: String, _ condition: String) -> String {
    "NOT EXISTS (SELECT FROM \(table) AS e WHERE e.xmin = pg_current_xact_id()::xid AND \(condition))"
  }

  /// At the end of a transaction: what is derived from entries changes only together with one. An
  /// owner may repair rows alone.
  private static let pairFunctions = [
    trigger(
      "setting_is_told",
      declaring: """
        keyed text := split_part(TG_ARGV[0], ' ', 2);
        former text := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) ->> keyed END;
        present text := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) ->> keyed ELSE former END;
        told text := split_part(TG_ARGV[0], ' ', 1) || ':' || present;
        """,
      refusing(
        """
        NOT is_owner() AND (former <> present OR
          \(lacksEntry(
            "setting_entry",
            "e.subject = told AND (TG_TABLE_NAME = 'clip_domain' "
              + "OR (TG_OP = 'DELETE') = (e.kind IN ('removed', 'forgotten')))")))
        """, "a setting changes only with its entry", code: "insufficient_privilege"),
      returning: "NULL"),
    trigger(
      "code_is_told",
      refusing(
        """
        NOT is_owner() AND \(lacksEntry(
          "code_entry",
          "e.code = NEW.id AND CASE TG_OP WHEN 'INSERT' THEN e.begins AND NEW.status = 'issued' "
            + "ELSE e.kind = 'retired' END"))
        """, "a code is issued and retired only with its entry", code: "insufficient_privilege"),
      returning: "NULL"),
    trigger(
      "batch_row_is_told",
      refusing(
        "NOT is_owner() AND \(lacksEntry("batch_event", "e.batch = NEW.batch AND e.row = NEW.number"))",
        "a row of a batch changes only with its event", code: "insufficient_privilege"),
      returning: "NULL"),
  ]

  private static let workFunctions = [
    Function(
      "refuse",
      """

      BEGIN
        RAISE EXCEPTION '%', TG_ARGV[0];
      END
      """),
    trigger(
      "who_is_said",
      refusing(
        "NOT is_said(NEW.who) AND NOT is_owner()", "what was done names the login that did it",
        code: "insufficient_privilege")),
    // Only this function writes the rows derived from the entries.
    trigger(
      "code_print_is_the_last",
      """
      IF NEW.kind = 'issued' AND NOT NEW.begins THEN
        INSERT INTO code_print (code, time, recorder, number, details)
        SELECT NEW.code,
          (SELECT max(time) FROM code_entry WHERE code = NEW.code AND recorder = NEW.recorder),
          recorder.id, NEW.number, NEW.details
        FROM recorder WHERE recorder.key = NEW.recorder
        ON CONFLICT (code) DO UPDATE SET time = excluded.time, recorder = excluded.recorder,
          number = excluded.number, details = excluded.details
        WHERE (excluded.time, excluded.recorder, excluded.number)
          > (code_print.time, code_print.recorder, code_print.number);
      END IF;
      """),
    trigger(
      "code_item_is_derived",
      """
      IF NEW.kind IN ('issued', 'discarded') THEN
        DELETE FROM code_item WHERE code = NEW.code;
        INSERT INTO code_item \(ItemSchema.items(.server, where: "e.code = NEW.code"));
      END IF;
      """),
    trigger(
      "code_is_retired",
      refusing(
        """
        NEW.status <> 'retired' OR OLD.status <> 'issued'
          OR to_jsonb(NEW) - 'status' <> to_jsonb(OLD) - 'status'
        """, "an issued code only ever becomes retired")),
    trigger(
      "batch_row_is_next",
      refusing(
        """
        NEW.state <> 'pending' OR NEW.number <>
          (SELECT coalesce(max(number), 0) + 1 FROM batch_row WHERE batch = NEW.batch)
        """, "rows of a batch are appended")),
    trigger(
      "batch_row_goes_on",
      refusing(
        """
        NEW.batch <> OLD.batch OR NEW.number <> OLD.number OR NEW.url <> OLD.url
          OR NEW.label IS DISTINCT FROM OLD.label OR NEW.place IS DISTINCT FROM OLD.place
          OR NEW.wanted_uid IS DISTINCT FROM OLD.wanted_uid OR NEW.captions <> OLD.captions
        """, "what a batch was asked for is not changed")
        + refusing(
          """
          OLD.state || ' ' || NEW.state NOT IN (
            'pending intended', 'pending skipped', 'intended pending', 'intended written',
            'intended done', 'written written', 'written done', 'written pending', 'done done',
            'done pending', 'skipped pending')
            OR NEW.uid <> OLD.uid
          """, "a row of a batch does not go this way")
        + refusing(
          "NEW.who IS DISTINCT FROM OLD.who AND is_said(NEW.who) IS NOT TRUE AND NOT is_owner()",
          "what was done names the login that did it", code: "insufficient_privilege")),
    trigger(
      "batch_event_is_next",
      refusing(
        """
        NEW.sequence <> (SELECT coalesce(max(sequence), 0) + 1 FROM batch_event
          WHERE batch = NEW.batch AND row = NEW.row)
        """, "the history of a batch is append-only")),
    trigger(
      "counter_rises",
      refusing(
        "NEW.counter <= OLD.counter OR NEW.uid <> OLD.uid", "the counter of a tag only rises")),
    // Walks of other registries are unsigned, and arrive by a merge.
    trigger(
      "walk_has_login", declaring: "own record;",
      "SELECT home, login INTO own FROM recorder WHERE id = NEW.recorder;"
        + refusing(
          """
          own.home IS NOT NULL AND NOT is_owner()
            AND (own.login IS DISTINCT FROM session_user OR NOT is_said(NEW.who))
          """, "a walk names the login that began it", code: "insufficient_privilege")),
    trigger(
      "walk_stop_is_next", declaring: "own record;",
      refusing(
        """
        NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM walk_stop WHERE walk = NEW.walk)
        """, "walks are append-only")
          + """
          SELECT home, login INTO own FROM recorder JOIN walk ON walk.recorder = recorder.id
          WHERE walk.key = NEW.walk;
          """
        + refusing(
          "own.home IS NOT NULL AND own.login IS DISTINCT FROM session_user AND NOT is_owner()",
          "a walk is gone on with by who began it", code: "insufficient_privilege")),
    trigger(
      "walk_reading_is_next",
      refusing(
        """
        NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM walk_reading
                       WHERE walk = NEW.walk AND stop = NEW.stop)
          OR NEW.number > (SELECT readings FROM walk_stop
                           WHERE walk = NEW.walk AND number = NEW.stop)
        """, "walks are append-only")),
    trigger(
      "walk_picture_is_the_one",
      refusing(
        """
        NOT EXISTS (SELECT 1 FROM walk_stop
                    WHERE walk = NEW.walk AND number = NEW.stop AND pictured)
        """, "walks are append-only")),
  ]

  static let functions: [Function] =
    [isOwner, isSaid, takeTurn] + entryFunctions + pairFunctions + workFunctions
    + PostgreSQLSignatures.functions

  /// The functions that stations call directly.
  static let calledByStations = ["take_turn()", "vouch(bytea)"]

  // MARK: Triggers

  /// Tables whose rows are never changed, and those whose rows are never deleted.
  private static let unchanged = [
    "code_entry", "setting_entry", "batch", "batch_event", "walk", "walk_stop", "walk_reading",
    "walk_picture", "app_clip_code_badge", "follow_up",
  ]
  private static let kept = unchanged + ["code", "code_print", "batch_row", "recorder"]

  /// The triggers. Only `batch_row_is_appended` is ever disabled, briefly, by the owner, to take in
  /// a registry with batches under way.
  static let triggers: [Trigger] =
    unchanged.map {
      Trigger(
        name: "\($0)_is_not_changed", table: $0, events: [.update], function: "refuse",
        argument: "\($0): nothing is changed")
    }
    + kept.flatMap { table in
      [("deleted", Trigger.Event.delete), ("emptied", .truncate)].map { word, event in
        Trigger(
          name: "\(table)_is_not_\(word)", table: table, events: [event], function: "refuse",
          argument: "\(table): nothing is deleted")
      }
    }
    + ["code_entry", "setting_entry"].flatMap { table in
      [
        Trigger(
          name: "\(table)_continues_its_chain", table: table, events: [.insert],
          function: "chain_goes_on"),
        Trigger(
          name: "\(table)_is_vouched_for", table: table, events: [.insert],
          function: "chain_is_vouched_for", isDeferred: true),
      ]
    }
    + [
      ("clip", "clip bundle_id"), ("clip_domain", "clip bundle_id"), ("place", "place id"),
      ("experience", "experience normalized"), ("tag_counter", "counter uid"),
    ].map {
      Trigger(
        name: "\($0)_is_told", table: $0, events: [.insert, .update, .delete],
        function: "setting_is_told", argument: $1, isDeferred: true)
    }
    + [("code", [.insert, .update]), ("batch_row", [.update])].map {
      Trigger(
        name: "\($0)_is_told", table: $0, events: $1, function: "\($0)_is_told", isDeferred: true)
    }
    + ["batch", "batch_event"].map {
      Trigger(
        name: "\($0)_names_its_login", table: $0, events: [.insert], function: "who_is_said")
    }
    + [
      Trigger(
        name: "code_print_is_the_last", table: "code_entry", events: [.insert],
        function: "code_print_is_the_last", isAfter: true),
      Trigger(
        name: "code_item_is_derived", table: "code_entry", events: [.insert],
        function: "code_item_is_derived", isAfter: true),
      Trigger(
        name: "recorder_has_its_login", table: "recorder", events: [.insert, .update],
        function: "recorder_has_login"),
      Trigger(
        name: "code_is_only_retired", table: "code", events: [.update], function: "code_is_retired"),
      Trigger(
        name: "batch_row_is_appended", table: "batch_row", events: [.insert],
        function: "batch_row_is_next"),
      Trigger(
        name: "batch_row_goes_its_way", table: "batch_row", events: [.update],
        function: "batch_row_goes_on"),
      Trigger(
        name: "batch_event_continues_the_sequence", table: "batch_event", events: [.insert],
        function: "batch_event_is_next"),
      Trigger(
        name: "tag_counter_only_rises", table: "tag_counter", events: [.update],
        function: "counter_rises"),
      Trigger(
        name: "walk_names_its_login", table: "walk", events: [.insert], function: "walk_has_login"),
      Trigger(
        name: "follow_up_names_its_login", table: "follow_up", events: [.insert],
        function: "walk_has_login"),
      Trigger(
        name: "walk_stop_follows_the_last", table: "walk_stop", events: [.insert],
        function: "walk_stop_is_next"),
      Trigger(
        name: "walk_reading_follows_the_last", table: "walk_reading", events: [.insert],
        function: "walk_reading_is_next"),
      Trigger(
        name: "walk_picture_is_the_one", table: "walk_picture", events: [.insert],
        function: "walk_picture_is_the_one"),
    ]
}
