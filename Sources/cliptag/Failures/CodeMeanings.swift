/// What each code of the libraries means, made by `make codes` from the doc comments of the
/// codes: change them, not this.
enum CodeMeanings {
  /// The reasons of a verdict, in the order of the documentation.
  static let findings: [(code: String, meaning: String)] = [
    ("empty-payload", "The payload is empty."),
    ("too-long", "The payload is longer than an invocation URL may be."),
    ("surrounding-white-space", "White space precedes or follows the URL."),
    ("white-space", "White space is inside the URL."),
    ("control-character", "The URL holds a control character."),
    ("invisible-character", "The URL holds an invisible character, such as a bidirectional mark."),
    (
      "illegal-character",
      "The URL holds a character that RFC 3986 does not allow, such as a brace."
    ),
    ("backslash", "The URL holds a backslash."),
    ("bad-escape", "A percent sign is not followed by two hexadecimal digits."),
    ("no-scheme", "The payload is not a URL: it has no scheme."),
    ("not-https", "The scheme is not https."),
    ("no-host", "The URL has no host."),
    ("host-without-dot", "The host is a single label, such as localhost."),
    (
      "host-label", "A label of the host is empty, too long, or holds a character that DNS forbids."
    ),
    ("host-too-long", "The host is longer than DNS allows."),
    ("host-root-dot", "The host ends with a dot."),
    ("ip-address", "The host is an IP address or a number."),
    ("bad-international-host", "The host is not a valid international domain name."),
    ("userinfo", "The URL has a user name before the host."),
    ("port", "The URL names a port."),
    ("dot-segment", "A path segment is `.` or `..`."),
    ("unknown-host", "No clip claims the host."),
    (
      "unassociated-host",
      "An experience covers the URL, but its clip does not name the host among its domains."
    ),
    ("domain-status", "Apple's servers did not accept the association file of a domain."),
    ("unknown-clip", "The clip that the URL or its experience names is not in the registry."),
    ("no-match", "A clip claims the host, but no experience covers the URL."),
    (
      "default-only",
      "Only the clip's default experience could serve the URL, which iOS does not do reliably."
    ),
    ("inactive-experience", "An experience that covers the URL is not active."),
    ("ambiguous-prefix", "String prefix and path-segment prefix choose different experiences."),
    ("duplicate-link", "Several active experiences have the link that covers the URL."),
    (
      "trailing-slash",
      "With a slash more or less at the path's end, another experience would cover the URL."
    ),
    ("case-mismatch", "In another case, another experience would cover the URL."),
    (
      "query-in-link",
      "The experience's link has a query, so the order of the URL's query items matters."
    ),
    ("fragment-ignored", "The fragment takes no part in the choice of the experience."),
    (
      "international-host",
      "The host is an international domain name; its letters may look like others."
    ),
    ("escaped-control", "The URL holds a control character as a percent escape."),
    ("barcode-carrier", "The code is of a kind that no iPhone takes as an invocation."),
    (
      "query-mismatch",
      "Another order of the query's items, or fewer of them, would match a registered link."
    ),
    (
      "double-slash", "Without a doubled slash in the path, another experience would cover the URL."
    ),
    ("several-clips", "The URL's host has several clips, and it is not known which one is meant."),
    ("page-of-other-clip", "The page at the URL offers a clip that does not claim the host."),
    ("clip-not-released", "The clip's app is not in the App Store."),
    (
      "clip-too-large",
      "A clip is larger than its minimum version of iOS allows, at least where a code or a tag is read."
    ),
    ("clip-needs-newer-ios", "The clip needs a version of iOS that many phones do not have."),
    ("app-clip-code-characters", "The URL has a character that no App Clip Code carries."),
    ("app-clip-code-length", "The URL is too long for an App Clip Code, by an estimate."),
    ("default-link", "The URL is a clip's default link on Apple's own host."),
    ("demo-link", "The URL is a demo link that App Store Connect issued."),
    ("demo-link-parameters", "A demo link has parameters, which it does not take."),
    ("default-link-without-p", "A default link lacks the name of its first query item, `p`."),
    (
      "default-link-without-experience",
      "A default link names a clip that has no default experience."
    ),
    (
      "default-link-in-app-clip-code",
      "An App Clip Code carries a default link, which iOS does not serve."
    ),
    (
      "bare-prefix",
      "The URL is the registered link alone, although the experience wants a place in it."
    ),
    ("unknown-place", "The payload names no known place."),
    ("repeated-item", "A query item that names the place is in the URL more than once."),
    ("coordinate-missing", "The URL lacks a latitude or a longitude."),
    ("coordinate-malformed", "A latitude or longitude in the URL is not a decimal number."),
    ("coordinate-out-of-range", "A latitude or longitude in the URL is out of range."),
    (
      "coordinate-zero",
      "Latitude and longitude in the URL are both zero, which indicates a missing value."
    ),
    (
      "radius-out-of-range",
      "The radius of the experience's place rule is not over 0 and at most 500 m."
    ),
    ("outside-region", "The reader is outside the region where the code belongs."),
    (
      "undecided-accuracy",
      "The position is not accurate enough to decide whether the code is at its place."
    ),
    (
      "no-place", "The clip asks for location confirmation, and the place of the code is not known."
    ),
    ("no-position", "The clip asks for location confirmation, and the position is not known."),
    (
      "sign-suspect",
      "With a sign changed or with latitude and longitude exchanged, the position would be inside."
    ),
    ("polygon-not-confirmable", "The place is a polygon, which a phone cannot confirm."),
    (
      "several-regions-not-confirmable",
      "The place has several regions, which a phone cannot confirm."
    ),
    ("location-waived", "The location confirmation was waived."),
    (
      "location-disallowed",
      "The clip asks for location confirmation, and iOS refuses it for this kind of code."
    ),
    ("association-not-fetched", "No association file could be fetched for the host."),
    ("association-redirect", "The server redirects the request for the association file."),
    (
      "association-host-path",
      "The host was given with a path, but an association file applies to the whole host."
    ),
    (
      "association-stale",
      "The host's association file is correct, and Apple's network still has an older one."
    ),
    ("association-differs", "The association files of the host and of Apple's network differ."),
    (
      "association-root-path",
      "The association file is not in `/.well-known`, only at the root of the host."
    ),
    ("association-content-type", "The association file is not sent as `application/json`."),
    ("association-certificate-ends", "The certificate of the host expires within two weeks."),
    ("empty-tag", "The tag holds no message."),
    ("torn-tag", "The tag's message runs past its memory, as an interrupted write leaves it."),
    ("other-data", "The tag holds data that is not an NDEF message; a phone finds nothing."),
    (
      "malformed-ndef",
      "The NDEF message breaks a rule of the standard: phones refuse it, or their behaviour is not documented."
    ),
    ("no-uri-record", "The NDEF message has no URI record, which is all that a phone opens."),
    ("smart-poster", "The URL is in a Smart Poster, which an iPhone does not open automatically."),
    ("uri-record-not-first", "The URI record is not the first record of the message."),
    ("hidden-by-password", "A password guards the message against reading: a phone finds nothing."),
    ("reading-denied", "The tag's capability container denies reading: a phone finds nothing."),
    (
      "type5-multiple-blocks",
      "The container of a Type 5 tag declares support for reading several blocks at once, which users report to keep iPhones from reading it."
    ),
    (
      "type5-no-terminator",
      "The message fills the memory of a Type 5 tag to its last byte, which a user reports to keep iPhones from reading it."
    ),
    (
      "chunked-record",
      "A record of the message is chunked, and the behaviour of iPhones is not documented."
    ),
    ("other-maker", "The chip is made by another maker than the product that it identifies as."),
    (
      "several-records", "The message has more than one record; a phone takes the first URI record."
    ),
    ("mifare-classic", "The tag is a MIFARE Classic, which no iPhone reads."),
    (
      "random-uid", "The tag generates a new UID each time it is powered, and cannot be recognised."
    ),
    ("not-genuine", "The tag's originality signature is not its maker's."),
    ("originality-unknown", "The tag's originality was asked for and cannot be determined."),
    ("sun-valid", "The Secure Unique NFC message is the tag's, and new."),
    (
      "sun-replayed",
      "The Secure Unique NFC message was seen before, or is older than one that was: a copy."
    ),
    ("sun-invalid", "The tag's keys do not make this Secure Unique NFC message."),
    (
      "sun-missing",
      "The URL should carry a Secure Unique NFC message, and a part of it is missing."
    ),
    (
      "sun-wrong-tag",
      "The Secure Unique NFC message was made by another tag than the one it was read from."
    ),
    (
      "worn-symbol",
      "Reading the symbol took most of its error correction: it is damaged, or the picture is poor."
    ),
    ("inverted-symbol", "The symbol is light on dark, which not every scanner reads."),
    (
      "needs-dark-ground",
      "The symbol is light on transparent: it is visible on a dark ground only, and is then light on dark."
    ),
    ("mirrored-symbol", "The symbol is mirrored: seen from behind, or printed mirrored."),
    ("unusable-position", "The receiver gave no usable position in time."),
    (
      "position-jump",
      "Successive positions contradict each other: the reader walked, or the signal is reflected."
    ),
    ("simulated-position", "The receiver says that its position is simulated, which was allowed."),
    (
      "position-without-error",
      "The picture holds a position without its accuracy; the position is not used."
    ),
    ("parcel-missing", "A code of the packing list was not read from the parcel."),
    ("parcel-foreign", "The parcel holds a code that is not in this registry."),
    ("parcel-duplicate", "A printed code of the parcel was read twice."),
    ("parcel-swapped", "The parcel holds a code that belongs to another place."),
    ("parcel-retired", "The parcel holds a code that was retired."),
    ("parcel-unread", "A symbol in the parcel looks like a code and gives no text."),
    ("parcel-not-packed", "Codes of the parcel were never recorded as packed."),
    ("missing-code", "A code that should hang at a place that was visited was not read there."),
    ("retired-code", "A code that was retired is still in place."),
    ("unissued-code", "A payload of this registry was never issued on such a carrier."),
    (
      "foreign-uid",
      "A tag carries a code of this registry, and its UID is not that of the issued tag."
    ),
    ("overwritten-tag", "A tag of this registry was overwritten."),
    ("unlocked-tag", "A tag that was locked, or had a password, can be changed."),
    ("worn-print", "A print has become so poor that it should be replaced."),
    ("sign-disagrees", "The codes on one sign contradict each other."),
    (
      "copied-code",
      "A code was read at more positions, too far apart for one, than it was made for."
    ),
    ("wrong-place", "A code hangs at another place than the one where it belongs."),
    ("swapped-codes", "Two codes hang at each other's places."),
    ("unread-symbol", "A symbol in a picture looks like a code and gives no text."),
    ("unconfirmed-place", "Codes were read at a stop, and their place is not confirmed."),
    (
      "prefix-collision",
      "Two active links on one host begin with the same text, but not with the same path segments."
    ),
    (
      "redundant-experience",
      "A shorter link of the same clip shows the same card, so the longer one is not needed."
    ),
    ("overlapping-clips", "A link of one clip lies under a link of another."),
    ("several-clips-of-app", "An app has several clips in the registry, and can have one."),
    (
      "no-default-experience",
      "A clip has no default experience, which App Store Connect requires of every clip."
    ),
    (
      "places-too-close",
      "Two places are so close that a code hung up in the wrong one would be confirmed."
    ),
    (
      "link-pattern",
      "A registered link has a sign of a pattern or a fragment, which a prefix has no use for."
    ),
    ("header-image-size", "A card's picture does not have 1800 × 1200 pixels."),
    ("missing-localization", "An experience lacks a language that most of the clip's others have."),
    (
      "place-not-in-maps",
      "Maps does not have the place of an experience, so it never offers the clip there."
    ),
    (
      "orphaned-code",
      "An issued code was accepted before the registry was changed, and no longer is."
    ),
    (
      "unhandled-link",
      "No route of the app takes a registered link itself, which Maps and Siri hand over."
    ),
    ("unhandled-code", "No route of the app takes the URL of an issued code."),
    ("association-too-large", "The association file is larger than the 128 KB that iOS reads."),
    ("association-signed", "The association file is signed, as iOS 9 wanted it."),
    ("association-encoding", "The association file is not UTF-8, or holds bytes of zero."),
    ("association-byte-order-mark", "The association file begins with a byte-order mark."),
    ("association-not-json", "The association file is not JSON, or not an object."),
    ("association-duplicate-key", "An object of the association file holds a key twice."),
    ("association-wrong-type", "A value of the association file is of the wrong type, or missing."),
    ("association-misspelled-key", "A key of the association file is nearly one with a meaning."),
    ("association-misplaced-key", "A key of the association file has a meaning, but not there."),
    ("association-dead-key", "A key is in a service that never reads it."),
    ("association-unknown-key", "A key of the association file has no known meaning."),
    (
      "association-identifier-form",
      "An identifier in the association file is not a prefix, a dot and a bundle identifier."
    ),
    ("association-repeated-identifier", "An identifier is listed twice in the association file."),
    ("association-legacy-form", "A part of the association file has a form from before iOS 13."),
    (
      "association-empty-service",
      "A service of the association file other than App Clips names no app."
    ),
    ("applinks-no-app", "An entry of `details` names no app."),
    ("applinks-both-identifiers", "An entry of `details` has `appID` beside `appIDs`."),
    ("applinks-both-rules", "An entry of `details` has `paths` beside `components`."),
    ("applinks-no-rules", "An entry of `details` has no rules, so it opens no URL."),
    (
      "applinks-query-ignored",
      "A `?` holds a value that is no text, so all of it is ignored and any query fits."
    ),
    ("applinks-variable", "A substitution variable cannot be used as it is."),
    (
      "applinks-unknown-variable",
      "A pattern names a variable that does not exist, and fits nothing."
    ),
    ("applinks-unreachable-rule", "A rule follows one that matches every URL."),
    ("applinks-pattern-in-defaults", "`defaults` hold a pattern or an exclusion."),
    ("applinks-clip", "`applinks` names a clip, which cannot have universal links."),
    ("association-no-appclips", "The association file has no `appclips`, so it invokes no clip."),
    ("association-clip-missing", "The association file does not list the clip."),
    ("association-identifier-case", "The association file lists the clip in another case."),
    (
      "association-other-prefix",
      "The association file lists the clip's bundle identifier under another prefix."
    ),
    ("association-app-listed", "The association file lists the full app among the clips."),
    ("association-other-clips", "The association file lists other clips too."),
    ("association-foreign-host", "The host is not among the clip's domains."),
    ("entitlement-no-domain", "The entitlements lack the `appclips:` entry for the host."),
    ("entitlement-domain-form", "An entry of the associated domains is malformed."),
    (
      "entitlement-service",
      "An entry of the associated domains names a service that does not exist."
    ),
    (
      "entitlement-mode",
      "An entry of the associated domains is for development or managed devices."
    ),
    ("entitlement-clip-service", "A clip asks for a service that clips do not have."),
    ("entitlement-parent-app", "The clip's entitlements do not name its app, and only it."),
    ("entitlement-on-demand", "The clip's entitlements do not say that it is installed on demand."),
    (
      "entitlement-other-app",
      "The entitlements are those of another app or clip, by their `application-identifier`."
    ),
    (
      "entitlement-build-setting",
      "A value of the entitlements holds a build setting, which Xcode replaces."
    ),
    ("entitlement-app-clip", "The app's entitlements do not name its clip, and only it."),
    ("banner-missing", "The page has no Smart App Banner tag."),
    ("banner-misspelled", "A tag of the page is nearly that of a Smart App Banner."),
    ("banner-repeated", "The page has several Smart App Banner tags."),
    ("banner-not-in-head", "The Smart App Banner tag is outside the page's head."),
    ("banner-item", "An item of the banner is not a key and a value, or there is none."),
    ("banner-key", "A key of the banner has no meaning."),
    ("banner-repeated-key", "The banner contains a key twice."),
    ("banner-app-id", "The banner's `app-id` is missing, malformed, or not that of the registry."),
    ("banner-no-clip", "The banner names no clip, so it offers the app only."),
    (
      "banner-other-clip",
      "The banner names another clip than the wanted one, or than the one that its page opens."
    ),
    ("banner-team-prefix", "The banner has a team's prefix before the clip's bundle identifier."),
    ("banner-app-as-clip", "The banner has the app's identifier in place of the clip's."),
    (
      "banner-clip-form",
      "The identifier that the banner gives for the clip is not a bundle identifier."
    ),
    (
      "banner-no-image",
      "The page has no `og:image`, without which Messages shows no preview that opens the clip."
    ),
    ("banner-display", "The banner's `app-clip-display` is not `card`."),
    ("banner-argument", "The banner has an `app-argument`, which a clip does not receive."),
    ("banner-page", "The page is not served as a web page with status 200."),
    ("banner-page-cut", "The page is too large or too deep, so only its beginning was examined."),
    (
      "entry-altered", "An entry of the record, or what it says was issued, is not what was hashed."
    ),
    ("entry-missing", "Entries of the record are missing between two others."),
    (
      "entry-reordered",
      "An entry of the record stands in another place than the one it was made for."
    ),
    (
      "chain-broken",
      "An entry was made after another one than stands before it: that one was exchanged."
    ),
    (
      "chain-forked",
      "Two entries of one recorder have the same number: somebody went on with a copy."
    ),
    ("chain-truncated", "A chain ends before an entry that a checkpoint saw."),
    (
      "chain-rewritten",
      "An entry is not the one that a checkpoint saw: the chain was written anew."
    ),
    ("status-altered", "A code's status is not what its record says."),
    ("print-altered", "What is kept of a code's last print is not what its record says."),
    (
      "setting-altered",
      "A clip, an experience, a place, a tag's counter or a trusted key is not what the record says of it."
    ),
    (
      "other-bits",
      "Another App Clip Code for this URL has other bits: one of them may have been altered."
    ),
    (
      "alike-app-clip-codes",
      "Two App Clip Codes are so alike that a damaged one may not be told from the other."
    ),
    ("unknown-app-clip-code", "The App Clip Code is none of those on record."),
    (
      "ambiguous-app-clip-code",
      "The App Clip Code is one of several on record, and what was seen does not decide between them."
    ),
    ("unclear-app-clip-code", "Too little of the App Clip Code was seen to identify it."),
  ]

  /// The kinds of failure, by the type of their errors.
  static let failures: [String: [(code: String, meaning: String)]] = [
    "TagError": [
      ("no-tag", "No tag came before the time-out."),
      ("tag-lost", "The tag left before anything was written to it."),
      ("tag-changed", "Another tag answers than the one that was read; it was not written."),
      ("tag-locked", "The tag, or a page that has to change, is locked for good."),
      ("tag-password", "A password guards the tag, or it did not take the one that was given."),
      ("tag-too-small", "The message does not fit on the tag."),
      ("tag-unsupported", "The tag is of a kind that cannot be served, or not in this way."),
      ("reader-unsupported", "The reader cannot carry a command that this needs."),
      ("not-ndef", "The tag is not formatted for NDEF, and cannot or must not be."),
      ("write-refused", "The tag refused a page that nothing says is locked."),
      ("verify-failed", "A page that was read back is not what was written."),
      (
        "torn-write",
        "The tag left, and holds the old message, none or the new one: run the command again."
      ),
      ("dump-mismatch", "The dump is not of this tag's type, or lacks pages that are needed."),
      (
        "mirrored-text",
        "A mirror, of the tag or in the dump, would make wrong text of what is restored."
      ),
      ("reader-failed", "The reader stopped answering during work on a tag."),
      ("cancelled", "The work was stopped."),
    ],
    "Type5ImageError": [
      ("tag-too-small", "The message does not fit into the memory image."),
      ("invalid-size", "No Type 5 tag has such a memory."),
    ],
    "TagDumpError": [
      ("malformed-dump", "The file is no dump of a tag, or a damaged one.")
    ],
    "NFCReaderError": [
      ("no-reader", "No reader was found, or the one that was named does not open."),
      ("reader-busy", "Another program holds the reader."),
      ("no-tag", "No tag came before the time-out."),
      ("tag-unsupported", "The only tag there is of a technology that cannot be served."),
      ("reader-failed", "The reader stopped answering or was unplugged."),
      ("reader-library-missing", "libnfc, which works the readers, is not installed, or too old."),
      ("cancelled", "The work was stopped."),
    ],
    "AuthenticityError": [
      ("cryptography-failed", "OpenSSL failed, or lacks an algorithm: nothing can be said.")
    ],
    "SimulatedReaderError": [
      ("malformed-uid", "The UID is not seven bytes in hexadecimal."),
      (
        "malformed-memory",
        "The memory file has the wrong size, or check bytes that contradict its UID."
      ),
      ("malformed-fault", "The fault that the simulated reader shall have is not understood."),
      ("malformed-deck", "The file that lists the simulated tags cannot be read as one."),
      ("malformed-command", "A line for the simulated reader is not understood."),
      ("malformed-script", "The script for the simulated reader cannot be read as one."),
      (
        "no-control-channel",
        "The control channel cannot be opened, or another simulated reader has it."
      ),
      ("memory-without-tag", "A memory file was named for a simulated reader without a tag."),
      ("memory-unreadable", "The memory file exists, and cannot be read."),
      ("memory-unwritable", "The memory file cannot be created or replaced."),
      ("no-pseudo-terminal", "The system gave no pseudo-terminal, or no way to watch it."),
    ],
    "QRSymbolError": [
      ("empty-text", "The text is empty."),
      ("text-too-long", "The text does not fit a QR code of the requested versions and level."),
      ("invalid-versions", "The requested versions are not a range within 1 to 40."),
      ("out-of-memory", "libqrencode ran out of memory."),
      ("encoder-failed", "libqrencode refused a valid text."),
    ],
    "AppClipCodeError": [
      ("not-an-app-clip-code", "The file is not an SVG of an App Clip Code."),
      (
        "app-clip-code-altered",
        "The file was an App Clip Code and was altered: something was moved, added, removed or recoloured."
      ),
      ("app-clip-code-colours", "The colours of the file are not a pair that Apple offers."),
    ],
    "CodeDrawingError": [
      ("invalid-size", "A width or module size is not a positive number."),
      ("invalid-resolution", "The resolution is not within 50 to 9,600 dots per inch."),
      ("size-too-small", "A module would be smaller than a dot of the printer."),
      (
        "size-too-large",
        "The code would be larger than the largest page, or its picture than can be held."
      ),
      ("contradicting-sizes", "Two sizes were given that lead to different codes."),
      ("too-far", "No phone reads the code from the distance that was given."),
      ("inverted-colours", "The modules would be lighter than the background."),
      ("low-contrast", "The two colours differ too little."),
      ("unknown-format", "The file's ending names no format that is read or written."),
      ("invalid-paper", "The paper is unknown, or too small or too large."),
      ("no-room", "The page has no room for what it must show."),
      ("invalid-logo-size", "The side of a logo's plate is no odd number of modules."),
      (
        "logo-too-large",
        "The logo would cost more than the error correction restores, or cover a function pattern."
      ),
      ("no-room-for-logo", "No logo fits into the symbol with a good reserve."),
      (
        "app-clip-code-too-small",
        "An App Clip Code would be smaller than Apple's guidelines allow."
      ),
      (
        "different-payloads",
        "An App Clip Code carries another text than the QR code or the tag beside it."
      ),
      ("cannot-encode", "The drawing could not be written as a file."),
      ("unknown-stock", "No label stock has the name."),
      ("ambiguous-stock", "Several label stocks have the name."),
      ("malformed-stock", "A file of label templates cannot be understood."),
      ("invalid-stock", "The template's labels lie off the paper or overlap."),
      ("no-stock", "The label templates of the system (glabels-data) are missing."),
    ],
    "TextError": [
      ("missing-glyphs", "No installed font has some of the characters."),
      (
        "colour-glyphs",
        "Some of the characters exist only as coloured pictures, which cannot be printed as text."
      ),
      ("font-missing", "None of the font families is installed."),
      ("text-library-missing", "Pango or HarfBuzz, which set text, is not installed, or too old."),
      ("font-unreadable", "A font file could not be read, or has no such glyph."),
      ("font-not-embeddable", "The font's licence forbids to embed it."),
      ("control-characters", "The text holds characters that cannot be printed."),
      ("text-too-long", "The text is longer than what can be set."),
      ("text-too-large", "The text needs more room than it has."),
      ("invalid-language", "The language is not a tag as in BCP 47."),
      ("invalid-style", "A size, weight, spacing or name in the style means nothing."),
    ],
    "PictureError": [
      ("not-found", "The picture or document does not exist."),
      ("unreadable", "The picture or document exists but cannot be read."),
      ("is-directory", "The path is a folder, not a picture."),
      ("not-a-picture", "The content is not a known kind of picture."),
      (
        "unsupported-format",
        "The content is a known kind of picture or document that is not supported."
      ),
      (
        "malformed-picture",
        "The content begins like a picture but is truncated, damaged or inconsistent."
      ),
      (
        "picture-too-large",
        "The file, the picture or the document is larger than the limits allow."
      ),
      ("password-protected", "The document opens only with a password."),
      ("renderer-missing", "The program that renders this kind of document is not installed."),
      ("renderer-failed", "The program that renders this kind of document failed."),
      (
        "scanner-library-missing",
        "zbar, which finds the codes in pictures, is not installed or is too old."
      ),
      ("render-timed-out", "Rendering the page exceeded the time limit."),
      (
        "document-timed-out",
        "Rendering the pages of a document exceeded the time limit; the remaining pages were not read."
      ),
      (
        "decoder-crashed",
        "The process that read the picture crashed, was killed, or wrote invalid output."
      ),
      ("cancelled", "The work was cancelled."),
      ("no-such-page", "The document has no page with the requested number."),
      ("cannot-encode", "The picture to be written has invalid dimensions, or memory ran out."),
    ],
    "LiveSourceError": [
      ("no-device", "The device does not exist."),
      ("no-permission", "The user may not use the device."),
      ("device-busy", "Another program uses the device."),
      ("wrong-device", "The device is not of the requested kind."),
      ("device-lost", "The device was unplugged while it was read."),
      ("device-failed", "The device failed in another way."),
      (
        "scanner-library-missing",
        "zbar, which finds the codes in pictures, is not installed or is too old."
      ),
      ("malformed-recording", "The recording is damaged, or of an unsupported kind."),
    ],
    "PositionError": [
      ("no-gpsd", "No gpsd answers at the address."),
      ("not-gpsd", "The server that answers is not gpsd, or uses another version of its protocol."),
      ("no-device", "The device does not exist."),
      ("no-permission", "The user may not use the device."),
      ("device-busy", "Another program uses the device."),
      ("wrong-device", "The device is not of the requested kind."),
      ("device-lost", "The device was unplugged while it was read."),
      ("device-failed", "The device failed in another way."),
      ("no-position", "No usable position arrived before the time limit or the end of the source."),
      ("cancelled", "The work was cancelled."),
    ],
    "PathTemplateError": [
      ("no-leading-slash", "The path template does not begin with a slash."),
      ("empty-segment", "The path template has two slashes in a row, or one at the end."),
      ("unbalanced-braces", "In the path template a brace opens or closes alone."),
      (
        "bad-variable-name",
        "A variable of the path template has no name, or one with other characters than letters, digits and `_`."
      ),
      ("several-variables", "A segment of the path template holds two variables."),
      ("repeated-variable", "The path template contains a variable twice."),
      ("illegal-character", "The path template holds a character that a path cannot hold."),
    ],
    "EntitlementsFileError": [
      (
        "malformed-entitlements",
        "The entitlements file is not a property list, or not of entitlements."
      )
    ],
    "SiteAssociationFileError": [
      (
        "association-not-made",
        "No association file could be made (65: of the file that was to be kept)."
      )
    ],
    "RegistryError": [
      ("batch-changed", "The batch is to go on with other rows than it was begun with."),
      (
        "row-not-free",
        "The row of the batch is not in the state that the step begins with, or somebody works on it."
      ),
      ("tag-in-batch", "The tag belongs to another row of the batch."),
      ("already-exists", "Something in the registry has this name already."),
      ("not-found", "Nothing in the registry has this name."),
      ("in-use", "Something else refers to what was to be removed."),
      ("unknown-clip", "The clip is not in the registry, or none was named."),
      ("unknown-place", "The place is not in the registry."),
      ("already-retired", "The code was retired before."),
      ("foreign-walk", "The walk belongs to another registry, which alone adds to it."),
      ("walk-changed", "A stop does not follow the last one of its walk."),
      (
        "invalid",
        "A clip, experience or place breaks a rule that a registry file would be refused for."
      ),
      ("invalid-document", "The file has mistakes, each with its line; nothing of it was taken."),
      ("unknown-format", "The file's ending names no format that is read or written."),
      ("malformed-log", "The file is no log of a record, or a damaged one."),
      ("unreadable-log", "The log of a record does not exist or cannot be read."),
      ("malformed-checkpoint", "The file is no checkpoint or witness, or a damaged one."),
      ("wrong-signature", "The checkpoint's signature is not one of the key that was named."),
      ("other-checkpoint", "The witness tells of another checkpoint than the one that was named."),
      (
        "broken-record",
        "The record to be merged is not whole: an entry was altered, or is missing."
      ),
      ("forked-record", "The record to be merged goes on otherwise with a chain that is here."),
      (
        "untrusted-record",
        "The record to be merged has entries of others for which no trusted key vouches."
      ),
      ("no-registry", "There is no registry file where one has to be."),
      ("registry-not-a-database", "The registry file is not a database."),
      ("registry-foreign", "The registry file is a database of another application."),
      ("registry-newer", "A newer version of cliptag wrote the registry."),
      (
        "registry-older",
        "The registry has an older format, and its owner has to bring it up to date."
      ),
      ("registry-unreadable", "The registry file or its folder cannot be read."),
      ("registry-unwritable", "The registry file or its folder cannot be created or written."),
      ("registry-read-only", "The registry was opened for looking things up only."),
      (
        "registry-locked",
        "Another process or station kept the registry locked for longer than `--registry-wait`."
      ),
      (
        "registry-unavailable",
        "The server of the registry does not answer, or does not let this login in; nothing was changed."
      ),
      (
        "registry-unconfirmed",
        "The server of the registry went away while it kept a change, and nobody knows whether it did."
      ),
      (
        "registry-not-permitted",
        "The login of the registry's server has not the role for what was asked."
      ),
      ("disk-full", "No space is left for the registry."),
      (
        "registry-damaged",
        "The registry is damaged, or holds something that this version cannot have written."
      ),
      (
        "registry-altered",
        "Tables or guards of the registry file are not as cliptag makes them: another program changed them."
      ),
      ("registry-failed", "Reading or writing the registry failed for another reason."),
    ],
    "WebFetchError": [
      ("invalid-request", "The request cannot be sent: its URL, method or headers are invalid."),
      ("not-https", "The URL is not an HTTPS URL."),
      ("host-not-found", "No address was found for the host name."),
      ("cannot-connect", "The host accepts no connections at the port."),
      ("proxy-failed", "The proxy cannot be reached or refuses."),
      ("certificate-expired", "The certificate has expired or is not yet valid."),
      ("certificate-wrong-host", "The certificate is for other hosts."),
      (
        "certificate-unknown-issuer",
        "The certificate's issuer is not trusted, or it is self-signed."
      ),
      ("certificate-invalid", "The certificate is invalid for another reason."),
      ("tls-failed", "The server and this computer do not agree on TLS."),
      ("authorities-unreadable", "The file of trusted certificates cannot be used."),
      ("fetch-timed-out", "The request exceeded a time limit."),
      ("answer-too-large", "The answer exceeds the size limit."),
      ("answer-truncated", "The connection ended before the answer was complete."),
      ("connection-lost", "The connection ended before an answer."),
      ("bad-response", "The answer is not HTTP, or its compression is damaged."),
      ("redirected", "The server redirects, and redirects are not followed."),
      ("cross-site-redirect", "The server redirects to another host or port."),
      ("insecure-redirect", "The server redirects to a URL that is not HTTPS."),
      (
        "private-address",
        "The host's address belongs to this computer or a private network, and such addresses are not allowed."
      ),
      ("too-many-redirects", "The server redirects too many times."),
      ("cancelled", "The work was cancelled."),
      ("web-library-missing", "libcurl is not installed or is too old."),
      ("fetch-failed", "Fetching failed in another way."),
    ],
    "WebPageError": [
      ("page-library-missing", "libxml2 is not installed or is too old."),
      ("page-not-read", "Memory ran out while the web page was read."),
    ],
    "AppStoreConnectError": [
      (
        "unusable-key",
        "The key cannot be used: no private key, of another kind, or with impossible identifiers."
      ),
      ("signing-failed", "OpenSSL could not sign the token for App Store Connect."),
      (
        "connect-unauthorized",
        "App Store Connect does not know the key, or the clock is wrong (401)."
      ),
      ("connect-forbidden", "The key may not do this in App Store Connect (403)."),
      ("connect-not-found", "The requested resource does not exist in App Store Connect (404)."),
      (
        "connect-refused",
        "App Store Connect refuses the request, which breaks a rule (400, 409, 422 and others)."
      ),
      (
        "connect-rate-limited",
        "The limit of requests to App Store Connect in this hour is reached (429)."
      ),
      ("connect-unavailable", "App Store Connect is unreachable, or cannot answer now."),
      ("malformed-answer", "An answer of App Store Connect does not match its documentation."),
      ("too-many-pages", "App Store Connect has more pages than are read."),
      ("missing-answer", "A saved answer of App Store Connect is missing."),
      ("unknown-team", "The team of a clip is unknown."),
      ("missing-picture", "A new experience has no picture."),
      ("unusable-picture", "App Store Connect does not accept the picture."),
      ("cancelled", "The work was stopped."),
    ],
    "IssuingError": [
      ("malformed-calibration", "The file with the printers' calibrations cannot be understood."),
      ("cannot-create", "An output cannot be created."),
      (
        "unreadable-rendering",
        "What was drawn does not decode to the text it was made from, so it was not written."
      ),
      ("no-app-clip-code", "There is no App Clip Code on record for the URL, or of the name."),
      ("foreign-data", "The tag holds somebody else's data."),
      ("not-genuine", "The tag's originality signature is not its maker's."),
      ("originality-unknown", "The tag's originality was asked for and cannot be told."),
      ("not-recorded", "The tag or file was written, and the registry could not take the record."),
      ("tag-in-use", "The tag carries another code, was given up, or was begun for another batch."),
      ("tag-differs", "The tag of a row that is done no longer holds its URL."),
      ("wrong-tag-type", "The tag is not of the product that was asked for."),
      ("random-uid", "The tag has a new UID each time it is met, and cannot be one of a batch."),
      (
        "mapping-differs",
        "The mapping that came with App Clip Codes says something else than their files."
      ),
      (
        "app-clip-code-conflict",
        "Two App Clip Codes have the same bits and different URLs: one of them was altered."
      ),
      (
        "foreign-badge",
        "An App Clip Code has another badge than the others of its kind: something was put in."
      ),
      (
        "unusable-collection",
        "A folder or ZIP file cannot be read, or holds no App Clip Code or too many."
      ),
      ("row-busy", "Another station works on the row that the tag is for."),
      ("caption-too-long", "A caption has no room on its label, or cannot be set."),
    ],
  ]
}
