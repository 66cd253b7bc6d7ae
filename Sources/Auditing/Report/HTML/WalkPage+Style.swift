extension WalkPage {
  /// The style sheet of the page. Every text colour has a contrast of at least 4.5 : 1 on its
  /// ground (WCAG 2.2, 1.4.3), in light and dark mode; signs differ by shape as well.
  static let style = light + dark + body + findings + tables + pictures + print

  private static let light = """
    :root { color-scheme: light dark; --page: #f4f5f7; --card: #fff; --ink: #1a1f24;
      --soft: #565f69; --line: #dde1e6; --link: #14549c; --error: #a8230a; --warning: #7d5200;
      --fine: #006b54; --error-ground: #fcebe7; --warning-ground: #fff4d6; --fine-ground: #e3f4ee;
      --error-sign: #b3260a; --warning-sign: #ffc20a; --fine-sign: #00725a; --map: #f5f6f4;
      --map-line: #c9cdc6; --area: #dfe9f3; --area-line: #6c93bd; --area-name: #1f446e;
      --exact: #a9a89c; --bar: #3c4248; }

    """

  private static let dark = """
    @media screen and (prefers-color-scheme: dark) { :root { --page: #101316; --card: #1a1e23;
      --ink: #e9ecef; --soft: #a5aeb8; --line: #323941; --link: #8fbcff; --error: #ff9c86;
      --warning: #ffcf5c; --fine: #5fd6b2; --error-ground: #3a1a14; --warning-ground: #352a0c;
      --fine-ground: #12302a; --error-sign: #d63a1a; --fine-sign: #00805f; --map: #21262c;
      --map-line: #3d454e; --area: #2a3b4e; --area-line: #6f9ccb; --area-name: #b9d6f5;
      --exact: #6d7067; --bar: #d5d9dd; } }

    """

  private static let body = """
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; }
    body { margin: 0 auto; max-width: 66rem; padding: 1.5rem 1rem 3rem; background: var(--page);
      color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans",
      "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
    h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; }
    h1 { font-size: clamp(1.7rem, 5vw, 2.4rem); line-height: 1.15; letter-spacing: -.015em; }
    h2 { font-size: 1.45rem; line-height: 1.25; margin: 2.5rem 0 .75rem; letter-spacing: -.01em; }
    #todo h2 { margin-top: 1.1rem; margin-bottom: .5rem; }
    .store { position: absolute; }
    h3 { font-size: 1.15rem; line-height: 1.3; }
    a { color: var(--link); }
    code { font: .875em/1.45 ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono",
      "Liberation Mono", monospace; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden;
      clip-path: inset(50%); white-space: nowrap; }
    .eyebrow { color: var(--soft); font-size: .8rem; font-weight: 600; letter-spacing: .08em;
      text-transform: uppercase; margin-bottom: .35rem; }
    .facts { color: var(--soft); font-size: .9rem; }
    header .facts { margin-top: .5rem; font-size: 1rem; }
    .answer { display: flex; gap: .85rem; align-items: flex-start; margin-top: .9rem;
      padding: .8rem 1.1rem; border-radius: .9rem; font-size: 1.2rem; font-weight: 600;
      line-height: 1.35; }
    .answer .sign { width: 1.75rem; height: 1.75rem; flex: none; }
    .answer.error { background: var(--error-ground); }
    .answer.warning { background: var(--warning-ground); }
    .answer.fine { background: var(--fine-ground); }
    .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
      gap: .6rem; margin-top: .75rem; }
    .figures div { background: var(--card); border: 1px solid var(--line); border-radius: .9rem;
      padding: .7rem .9rem; display: flex; flex-direction: column-reverse; }
    .figures dt { color: var(--soft); font-size: .85rem; line-height: 1.3; }
    .figures dd { font-size: 1.7rem; font-weight: 700; line-height: 1.2;
      font-variant-numeric: tabular-nums; }
    .figures small { font-size: .95rem; font-weight: 400; color: var(--soft); }
    .figures .error dd { color: var(--error); }
    .figures .warning dd { color: var(--warning); }
    .figures .fine dd { color: var(--fine); }
    .figures .none dd { color: var(--soft); }
    .contents { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin-top: 1.5rem; }
    .contents a { padding: .25rem 0; }
    .overview { display: flex; flex-wrap: wrap; gap: .35rem; margin-top: .6rem; font-size: .9rem; }
    .overview a { padding: .25rem .6rem; border: 1px solid var(--line); border-radius: .6rem;
      background: var(--card); color: var(--ink); text-decoration: none; }
    .overview .sign { margin-inline-end: .3em; }
    footer { color: var(--soft); font-size: .85rem; margin-top: 3rem; padding-top: 1rem;
      border-top: 1px solid var(--line); }
    .sign { width: 1.15em; height: 1.15em; vertical-align: -.2em; margin-inline-end: .4em; }
    .answer .sign { margin: .05rem 0 0; }
    .ink-error { fill: var(--error-sign); } .ink-warning { fill: var(--warning-sign); }
    .ink-fine { fill: var(--fine-sign); }
    .sign path[class^="stroke"] { fill: none; stroke: #fff; stroke-width: 2.4;
      stroke-linecap: round; stroke-linejoin: round; }
    .sign .stroke-warning { stroke: #000; }
    .nothing { color: var(--soft); }
    .columns { columns: 14rem; padding: 0; list-style: none; margin-top: .75rem; }
    .columns li { break-inside: avoid; padding: .2rem 0; }

    """

  private static let findings = """
    .place { background: var(--card); border: 1px solid var(--line); border-radius: .9rem;
      padding: 1.1rem 1.25rem; margin-top: .9rem; }
    .group { margin-top: 1rem; padding-inline-start: .9rem; border-inline-start: 4px solid; }
    .group.error { border-color: var(--error-sign); }
    .group.warning { border-color: var(--warning-sign); }
    .group.note { border-color: var(--line); }
    h4 { font-size: 1.02rem; }
    .count { color: var(--soft); font-weight: 400; margin-inline-start: .2rem; }
    .advice { font-size: .95rem; font-weight: 500; }
    .jobs, .lines { list-style: none; padding: 0; margin-top: .4rem; }
    .jobs li, .lines li { display: flex; gap: .7rem; padding: .55rem 0;
      border-top: 1px solid var(--line); }
    .jobs li > div, .lines li > div { min-width: 0; flex: 1; }
    .lines li { padding: .3rem 0; gap: .55rem; }
    input { flex: none; width: 1.15rem; height: 1.15rem; margin: .2rem 0 0;
      accent-color: var(--fine-sign); }
    .detail { flex: none; width: 7.5rem; height: 7.5rem; border-radius: .5rem;
      background: var(--line); }
    .jobs code, .lines code { font-weight: 600; }
    .jobs p { font-size: .95rem; }
    .jobs .facts, .lines .facts { font-size: .85rem; }
    .facts a, .jobs .id, .lines .id { white-space: nowrap; }
    .handout { display: none; }
    .id { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono",
      "Liberation Mono", monospace; font-size: .78rem; color: var(--soft); }
    .panel { background: var(--card); border: 1px solid var(--line); border-radius: .9rem;
      padding: .8rem; }
    .panel figcaption { font-weight: 600; margin-bottom: .5rem; }
    .panel svg { display: block; width: 100%; height: auto; }
    .panel.all { grid-column: 1 / -1; max-width: 46rem; }
    .maps { display: grid; gap: .9rem;
      grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); }
    .narrow { display: none; }
    .legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin-top: .6rem;
      font-size: .88rem; color: var(--soft); }
    .map .ink-ground { fill: var(--map); stroke: var(--map-line); }
    .map .ink-place { fill: var(--area); stroke: var(--area-line); }
    .map .ink-accuracy { fill: none; stroke: var(--exact); }
    .map .ink-error, .map .ink-warning, .map .ink-fine { stroke: var(--card); }
    .map .ink-words { fill: var(--soft); }
    .map .ink-placeName { fill: var(--area-name); paint-order: stroke; stroke: var(--map);
      stroke-width: .7; stroke-linejoin: round; }
    .map .ink-wordsOnSign { fill: #fff; } .map .ink-wordsOnWarning { fill: #000; }
    .map .ink-bar { fill: var(--bar); stroke: var(--bar); }
    .map .ink-barGround { fill: var(--card); stroke: var(--bar); }

    """

  private static let tables = """
    .scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line);
      border-radius: .9rem; margin-top: .75rem; }
    table { border-collapse: collapse; width: 100%; font-size: .93rem; }
    caption { text-align: start; padding: .8rem 1rem .4rem; color: var(--soft); font-size: .88rem; }
    th, td { text-align: start; vertical-align: top; padding: .5rem .6rem;
      border-top: 1px solid var(--line); }
    th:first-child { padding-inline-start: 1rem; } td:last-child { padding-inline-end: 1rem; }
    thead th { color: var(--soft); font-size: .82rem; font-weight: 600; border-top: 0; }
    tfoot th, tfoot td { font-weight: 700; }
    .numbers td, .numbers thead th:not(:first-child) { text-align: end;
      font-variant-numeric: tabular-nums; }
    .numbers tbody th { font-weight: 500; min-width: 9rem; }
    .numbers thead th { overflow-wrap: normal; }
    .bad { color: var(--error); font-weight: 700; }
    summary { cursor: pointer; padding: .4rem 0; font-weight: 600; }
    .stops { font-size: .85rem; min-width: 46rem; table-layout: fixed; }
    .stops th:first-child { width: 4.5rem; }
    .stops thead th:nth-child(2) { width: 36%; }
    .stops thead th:nth-child(4) { width: 20%; }
    .stops tr:target { background: var(--warning-ground); }
    .stops .id { word-break: break-all; }
    .readings { list-style: none; padding: 0; }
    .readings li + li { margin-top: .35rem; }

    """

  private static let pictures = """
    .pictures { display: grid; gap: .9rem; align-items: start;
      grid-template-columns: repeat(auto-fill, minmax(min(27rem, 100%), 1fr)); }
    .picture { background: var(--card); border: 1px solid var(--line); border-radius: .9rem;
      overflow: hidden; }
    .picture:target { outline: 3px solid var(--link); }
    .picture figcaption { padding: .8rem 1rem .7rem; }
    .shot { background: var(--line); }
    .shot svg { display: block; width: 100%; height: auto; }
    .shot polygon, .detail polygon { fill: none; stroke-linejoin: round; }
    .halo { stroke: #fff; }
    .edge-error { stroke: #b3260a; } .edge-warning { stroke: #8a5a00; }
    .edge-fine { stroke: #00725a; }
    .badge-error { fill: #b3260a; } .badge-warning { fill: #ffc20a; } .badge-fine { fill: #00725a; }
    .shot g path { stroke: #fff; stroke-width: .45; }
    .shot text { fill: #fff; } .shot .text-warning { fill: #000; }
    .picture > .nothing { padding: 0 1rem .5rem; }
    .legend-list { list-style: none; padding: .3rem 1rem .9rem; font-size: .92rem; display: flex;
      flex-wrap: wrap; gap: .35rem 1.1rem; }
    .number { display: inline-block; min-width: 1.6rem; height: 1.6rem; padding: 0 .3rem;
      line-height: 1.6rem;
      border-radius: .3rem; text-align: center; font-size: .85rem; background: #b3260a;
      color: #fff; }
    .warning > .number { background: #ffc20a; color: #000; }
    .note > .number { background: #00725a; border-radius: .8rem; }
    .rest { color: var(--soft); }

    """

  private static let print = """
    @media (max-width: 40rem) { .wide { display: none; } .narrow { display: block; }
      body { padding-top: .8rem; } h1 { font-size: 1.45rem; } header .facts { font-size: .9rem;
        margin-top: .2rem; }
      .panel { padding: .5rem; } .place { padding: .7rem .8rem; margin-top: .6rem; }
      .group { margin-top: .7rem; padding-inline-start: .6rem; }
      .answer { font-size: .98rem; padding: .5rem .7rem; margin-top: .5rem;
        gap: .5rem; }
      .answer .sign { width: 1.35rem; height: 1.35rem; }
      .overview { font-size: .85rem; }
      .jobs li { gap: .5rem; } .detail { width: 4.75rem; height: 4.75rem; }
      .jobs code, .lines code { font-size: .78rem; } .jobs p { font-size: .9rem; }
      .jobs .id { white-space: normal; }
      .lines li > div { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
      .figures { grid-template-columns: 1fr 1fr; }
      .stops { display: block; min-width: 0; }
      .stops caption, .stops tbody, .stops tr { display: block; }
      .stops thead { position: absolute; clip-path: inset(50%); }
      .stops tr { padding: .7rem .9rem; border-top: 1px solid var(--line); }
      .stops th:first-child, .stops td { display: block; border: 0; padding: .1rem 0; width: auto; }
      .numbers th, .numbers td { padding: .45rem .4rem; } .numbers tbody th { min-width: 7rem; }
      .numbers thead th { font-size: .75rem; }
      .numbers th:nth-child(6), .numbers td:nth-child(6) { display: none; } }
    @media print { @page { margin: 15mm; }
      body { max-width: none; padding: 0; font-size: 10pt; background: #fff; }
      .contents { display: none; } a { color: inherit; text-decoration: none; }
      .place, .panel, .scroll, .figures div, .picture { border-color: #bbb; }
      .scroll { overflow: visible; } .stops { min-width: 0; font-size: 7.5pt; }
      .figures { grid-template-columns: repeat(6, 1fr); }
      h2, h3, h4, .advice, .place > .facts, caption, thead { break-after: avoid; }
      .place { -webkit-box-decoration-break: clone; box-decoration-break: clone; }
      .place ~ .place { break-before: page; border: 0; padding: 0; }
      .handout { display: block; margin-top: 2rem; }
      .handout span { display: inline-block; width: 12em; border-bottom: 1px solid #555; }
      .jobs li, .lines li, .picture, .panel, tr, .answer { break-inside: avoid; }
      .pictures { grid-template-columns: 1fr 1fr; }
      * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
    """
}
