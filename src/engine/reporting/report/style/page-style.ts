/** Text, tables, figures and the order of sections. */
export const pageStyle = `
* { box-sizing: border-box; }
html { scroll-padding-top: 5.5rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 14px/1.5 "Inter Variable", system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
main { max-width: 1560px; margin: 0 auto; padding: 0 24px 48px; }
header.page-head { position: relative; padding: 28px 0 8px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 8rem 4px 0; }
h2 { font-size: 18px; line-height: 1.3; margin: 40px 0 12px; padding-top: 12px; border-top: 1px solid var(--line); }
h3 { font-size: 14px; margin: 20px 0 8px; }
p { margin: 0 0 8px; max-width: 80ch; }
a { color: var(--accent); }
bdi { unicode-bidi: isolate; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.kicker, .sub, .quiet, .how { color: var(--quiet); }
.kicker { display: flex; align-items: center; gap: 8px; margin: 0 0 8px; font-size: 12px; }
.mark { flex: none; }
.sub { margin: 0 0 16px; }
#theme { position: absolute; top: 28px; right: 0; }
.headlines { display: flex; flex-wrap: wrap; gap: 16px 56px; margin: 0 0 16px; }
.what { margin: 0; font-weight: 600; }
.score { margin: 0; font-size: 34px; line-height: 1.2; font-weight: 600; letter-spacing: -0.01em; white-space: nowrap; }
.how { margin: 0; max-width: 60ch; }
.notice { border-left: 3px solid var(--chart-series-5); padding: 4px 12px; background: var(--raised); max-width: 90ch; }
nav { position: sticky; top: 0; z-index: 2; background: var(--ground); border-bottom: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0; padding: 8px 0; list-style: none; }
nav + section h2 { border-top: 0; margin-top: 12px; }
nav a { text-decoration: none; padding: 4px 0; display: inline-block; }
nav a:hover { text-decoration: underline; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); gap: 6px 32px; margin: 0 0 16px; }
.facts div { display: flex; flex-direction: column; min-width: 0; }
.facts dt { color: var(--quiet); font-size: 12px; }
.facts dd { margin: 0; }
code, pre { font-family: ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12px; }
bdi, code, pre { font-variant-ligatures: none; font-kerning: none; }
.hidden-char { background: var(--hidden-ground); color: var(--ink); border-radius: 3px; padding: 0 2px; font-size: 0.85em; }
.scroll { overflow-x: auto; margin: 0 0 16px; }
table { border-collapse: collapse; min-width: 50%; }
caption { text-align: left; color: var(--quiet); font-size: 12px; padding: 0 0 4px; }
th, td { text-align: left; vertical-align: top; padding: 5px 20px 5px 0; border-bottom: 1px solid var(--line); font-weight: 400; max-width: 30rem; overflow-wrap: break-word; }
tbody th { min-width: 8rem; }
thead th { color: var(--quiet); font-size: 12px; vertical-align: bottom; border-bottom-color: var(--quiet); overflow-wrap: normal; max-width: 12rem; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
thead .number { white-space: normal; }
figure { margin: 0 0 16px; max-width: 800px; }
figcaption { font-weight: 600; margin: 0 0 8px; }
.chart { display: block; height: auto; min-width: 520px; }
figure > .scroll { margin: 0; }
details { margin-top: 4px; }
summary { color: var(--accent); cursor: pointer; font-size: 12px; width: max-content; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 520px), 1fr)); gap: 8px 48px; max-width: 1560px; }
.note + .note { margin-top: 8px; }
.note-text { white-space: pre-wrap; }
.note small { color: var(--quiet); }
footer { color: var(--quiet); border-top: 1px solid var(--line); margin-top: 32px; padding-top: 12px; font-size: 12px; }
button, input, select { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: 4px; padding: 3px 9px; min-height: 28px; }
button { cursor: pointer; }
button[aria-disabled="true"] { opacity: 0.45; cursor: default; }
`
