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
    .answer.error { background-color: var(--error-ground); }
    .answer.warning { background-color: var(--warning-ground); }
    .answer.fine { background-color: var(--fine-ground); }
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
    .overview .sign { margin-right: .3em; }
    footer { color: var(--soft); font-size: .85rem; margin-top: 3rem; padding-top: 1rem;
      border-top: 1px solid var(--line); }
    .sign { width: 1.15em; height: 1.15em; vertical-align: -.2em; margin-right: .4em; }
    .answer .sign { margin: .05rem 0 0; }
    .ink-error { fill: var(--error-sign); } .ink-warning { fill: var(--warning-sign); }
    .ink-fine { fill: var(--fine-sign); }
    .nothing { color: var(--soft); }
    .columns { columns: 14rem; padding: 0; list-style: none; margin-top: .75rem; }
    .columns li { break-inside: avoid; padding: .2rem 0; }

    """

  private static let findings = """
    .place { background: var(--card); border: 1px solid var(--line); border-radius: .9rem;
      padding: 1.1rem 1.25rem; margin-top: .9rem; }
    .group { margin-top: 1rem; padding-left: .9rem; border-left: 4px solid; }
    .group.error { border-color: var(--error-sign); }
    .group.warning { border-color: var(--warning-sign); }
    .group.note { border-color: var(--line); }
    h4 { font-size: 1.02rem; }
    .count { color: var(--soft); font-weight: 400; margin-left: .2rem; }
    .advice { font-size: .95rem; font-weight: 500; }
    .jobs, .lines { list-style: none; padding: 0; margin-top: .4rem; }
    .jobs li, .lines li { display: flex; gap: .7rem; padding: .55rem 0;
      border-top: 1px solid var(--line); }
    .jobs li > div, .lines li > div { min-width: 0; flex: 1; }
    .lines li { padding: .3rem 0; gap: .55rem; }
    input { flex: none; width: 1.15rem; height: 1.15rem; margin: .2rem 0 0;
      accent-color: var(--fine-sign); }
    .detail { flex: none; width: 7.5rem; height: 7.5rem; border-radius: .5rem;
      background: var(--line) center / cover no-repeat; }
    .jobs code, .lines code { font-weight: 600; }
    .jobs p { font-size: .95rem; }
    .jobs .facts, .lines .facts { font-size: .85rem; }
    .facts a, .jobs .id, .lines .id { white-space: nowrap; }
    .right { margin-top: .5rem; padding-left: 1.2rem; }
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
    caption { text-align: left; padding: .8rem 1rem .4rem; color: var(--soft); font-size: .88rem; }
    th, td { text-align: left; vertical-align: top; padding: .5rem .6rem;
      border-top: 1px solid var(--line); }
    th:first-child { padding-left: 1rem; } td:last-child { padding-right: 1rem; }
    thead th { color: var(--soft); font-size: .82rem; font-weight: 600; border-top: 0; }
    tfoot th, tfoot td { font-weight: 700; }
    .numbers td, .numbers thead th:not(:first-child) { text-align: right;
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
      overflow: hidden; display: flex; flex-direction: column; }
    .picture:target { outline: 3px solid var(--link); }
    .picture figcaption { padding: .8rem 1rem .7rem; order: -1; }
    .shot { background: var(--line); }
    .shot svg { display: block; width: 100%; height: auto; background-size: 100% 100%;
      background-repeat: no-repeat; }
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
      .group { margin-top: .7rem; padding-left: .6rem; }
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
      * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
      body { max-width: none; padding: 0; background: none; font: 3.3mm/1.36 "Noto Sans", sans-serif; }
      a { color: inherit; text-decoration: none; } code, .id { font: inherit; }
      .contents { display: none; }
      h1, h2, h3, h4, .advice, .place > .facts, caption, thead { break-after: avoid; }
      .answer, .overview a, .jobs li, .lines li, .panel, .picture, tr { break-inside: avoid; }
      h1 { font-size: 9mm; line-height: 1.3; string-set: title content(text); }
      h2, #todo h2 { font-size: 6mm; margin: 9mm 0 1.5mm; line-height: 1.36; }
      .eyebrow { font-size: 2.8mm; margin: 0; letter-spacing: 0; }
      header .facts { font-size: 3.6mm; margin-top: 1mm; }
      .answer { display: block; position: relative; margin-top: 4mm; padding: 3.6mm 5mm 3.6mm 15mm;
        border-radius: 2.5mm; font-size: 4.8mm; }
      .answer .sign { position: absolute; left: 4.6mm; top: 3.4mm; width: 6.8mm; height: 6.8mm; }
      .figures { display: block; margin-top: 3mm; height: 35mm; }
      .figures div { display: block; float: left; position: relative; width: 23.4%; height: 16mm;
        margin: 0 1.8% 2mm 0; padding: 9.4mm 2mm 0 3mm; border: .25mm solid #d3d8de;
        border-radius: 2mm; background: none; }
      .figures div:nth-child(4n) { margin-right: 0; }
      .figures dt { font-size: 2.7mm; line-height: 1.36; }
      .figures dd { position: absolute; left: 3mm; top: 1.5mm; font-size: 6mm; line-height: 1.36; }
      .figures small { font-size: 3mm; }
      .overview { display: block; margin: 1mm 0 0; font-size: 3.6mm; }
      .overview a { display: block; position: relative; padding: 1mm 0 1mm 6.5mm; border: 0;
        background: none; }
      .overview .sign { position: absolute; left: 0; top: 1.3mm; margin: 0; }
      .overview bdi { display: inline-block; width: 52%; font-weight: 600; vertical-align: top; }
      .overview b { display: inline-block; width: 46%; font-weight: 400; vertical-align: top; }
      .place { padding: 0; border: 0; margin: 0; background: none; }
      .place ~ .place, .sheets .place, .sheets + section { break-before: page; }
      .sheets .place ~ .place { margin: 0; } .sheets + section h2 { margin-top: 0; }
      h3 { font-size: 4.6mm; } .sheets h3 { font-size: 6mm; }
      .place > .facts { font-size: 3mm; }
      .group { margin-top: 2.5mm; padding-left: 4.5mm; border: 0; }
      .group > h4, .group > p, .group li { position: relative; }
      .group > h4::before, .group > p::before, .group li::before { content: ""; position: absolute;
        left: -4.5mm; top: -.2mm; bottom: 0; width: 1mm; background-color: var(--line); }
      .error > h4::before, .error > p::before, .error li::before {
        background-color: var(--error-sign); }
      .warning > h4::before, .warning > p::before, .warning li::before {
        background-color: var(--warning-sign); }
      .group > .facts { font-size: 2.8mm; }
      h4 { font-size: 3.8mm; } .advice { font-size: 3.3mm; }
      .jobs, .lines { margin-top: 0; }
      .jobs li, .lines li { display: block; position: relative; padding: 1.4mm 0 1.2mm 7mm;
        border-top: .2mm solid #d3d8de; }
      .jobs .pictured { display: table; width: 100%; }
      .jobs .pictured > div { display: table-cell; width: 100%; vertical-align: top; }
      .detail { display: block; width: 26mm; height: 26mm; margin: .4mm 3mm 0 0; border-radius: 0;
        background-position: center; background-size: cover; background-repeat: no-repeat; }
      .jobs p { font-size: 3.2mm; } .jobs .facts, .lines .facts { font-size: 2.8mm; }
      .lines li { padding: .7mm 0 .6mm 5mm; } .lines .facts { font-size: 2.6mm; }
      .lines code { font-size: 3mm; }
      input { -webkit-appearance: none; appearance: none; display: block; position: absolute; left: 0;
        top: 1.9mm; width: 4mm; height: 4mm; margin: 0; border: .3mm solid #000; }
      .lines input { width: 2.6mm; height: 2.6mm; top: 1.3mm; }
      .opens { float: right; width: 17mm; height: 17mm; margin: 0 0 0 3mm; }
      .group .coded { min-height: 19.5mm; }
      .right li { break-inside: avoid; }
      .handout { display: block; margin-top: 8mm; color: var(--soft); break-before: avoid; }
      .handout span { display: inline-block; width: 60mm; height: 3.6mm; margin-right: 3mm;
        border-bottom: .25mm solid #555; }
      .handout span + span { width: 35mm; }
      .maps { display: block; }
      .panel, .panel.all { display: inline-block; vertical-align: top; max-width: none; padding: 0;
        margin: 0 4.8mm 3mm 0; border: 0; background: none; }
      .panel.all, .wide .panel, .panel:nth-child(2n+3) { margin-right: 0; }
      .panel > div { position: relative; } .panel figcaption { margin-bottom: 1.5mm; }
      .panel b { position: absolute; white-space: nowrap; line-height: 1; color: var(--area-name); }
      .panel b.middle { transform: translateX(-50%); } .panel b.end { transform: translateX(-100%); }
      .legend { display: block; margin-top: 1mm; font-size: 2.9mm; }
      .legend > span { display: inline-block; margin-right: 5mm; }
      .scroll { overflow: visible; margin: 0; border: 0; background: none; }
      table { font-size: 3.3mm; } caption { padding: 1mm 0; font-size: 2.9mm; }
      th, td { padding: 1.1mm 1mm; border-top: .2mm solid #d3d8de; }
      thead th { font-size: 2.8mm; }
      th:first-child { padding-left: 0; } td:last-child { padding-right: 0; }
      .stops { min-width: 0; margin-top: 2mm; font-size: 2.6mm; }
      .stops small, .stops .id { font-size: 2.3mm; } .readings li + li { margin-top: .4mm; }
      .stops td, .stops tbody th { padding-top: .8mm; padding-bottom: .6mm; }
      .stops caption { font-size: 3.2mm; color: inherit; font-weight: 600; }
      .stops th:first-child { width: 12mm; } .stops thead th:nth-child(2) { width: 30%; }
      .stops thead th:nth-child(4) { width: 22%; }
      summary { padding: 0; font-weight: 400; color: var(--soft); list-style: none; }
      .columns { margin-top: 1mm; }
      .pictures { display: block; }
      .picture { display: block; margin-top: 5mm; border: 0; background: none; overflow: visible; }
      .picture::after { content: ""; display: block; clear: both; }
      .shot { float: left; width: 56%; background: none; }
      .shot svg { width: auto; max-width: 100%; max-height: 100mm; }
      .picture figcaption, .legend-list { margin-left: 59%; padding: 0; }
      .picture h3 { font-size: 4mm; } .picture .facts { font-size: 2.8mm; }
      .legend-list { display: block; font-size: 2.8mm; }
      .legend-list li { position: relative; padding: .9mm 0 .6mm 7mm; }
      .number { position: absolute; left: 0; top: .4mm; min-width: 5mm; height: 4.6mm; padding: 0 .5mm;
        line-height: 4.6mm; font-size: 2.4mm; border-radius: .4mm; }
      .legend-list .several { padding-left: 0; } .several > .number { position: static; }
      .legend-list .sign { position: absolute; left: .3mm; top: .6mm; width: 4.4mm; height: 4.4mm; } }
    .packing small { flex: none; min-width: 2rem; color: var(--soft); }
    .packing h2 { margin: 0; font-size: 1.05rem; }
    @media print { .packing .jobs { margin-top: 4mm; border-top: .3mm solid; padding-top: 1mm; }
      .packing .jobs li { border: 0; padding: 1mm 0 1mm 20mm; }
      .packing input { top: 1.2mm; width: 5mm; height: 5mm; }
      .packing small { position: absolute; left: 6.5mm; top: 1mm; font-size: 3mm; }
      .packing h2 { font-size: 3.8mm; margin: 0; } .packing .jobs p { font-size: 3mm; }
      .packing header .facts, .packing .jobs .facts { font-size: 2.8mm; }
      .packing header p { font-size: 3.8mm; } }
    """
}
