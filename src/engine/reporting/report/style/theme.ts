/** Colors of a report. Every text color has at least 4.5:1 on its ground in both themes. */
const light = `
  color-scheme: light;
  --ground: #ffffff; --raised: #f5f6f8; --line: #dcdfe4; --ink: #1c1f24; --quiet: #5a606a; --accent: #0b5cad;
  --pass: #0a6b4b; --fail: #a8380a; --mark: #ffe9a8; --mark-2: #cfe6ff; --hidden-ground: #fbe3d6;
  --chart-ink: #33373e; --chart-ink-muted: #5a606a; --chart-axis: #9aa0a9; --chart-grid: #e3e6ea; --chart-surface: #ffffff;
  --chart-baseline: #7b818b; --chart-unscored: #8a8f98; --chart-neutral: #b9bec6;
  --chart-series-1: #0072b2; --chart-series-2: #d55e00; --chart-series-3: #009e73; --chart-series-4: #cc79a7;
  --chart-series-5: #e69f00; --chart-series-6: #56b4e9;
  --chart-pass: #0b6b4b; --chart-fail: #b3261e; --chart-warn: #875400; --chart-human: #7b3a86;`

const dark = `
  color-scheme: dark;
  --ground: #14161a; --raised: #1d2025; --line: #343941; --ink: #e6e8eb; --quiet: #a3a9b3; --accent: #74b8f7;
  --pass: #4cc795; --fail: #f3935a; --mark: #5c4a10; --mark-2: #1d4468; --hidden-ground: #54311f;
  --chart-ink: #d9dce1; --chart-ink-muted: #a3a9b3; --chart-axis: #6d737d; --chart-grid: #2b2f36; --chart-surface: #14161a;
  --chart-baseline: #9aa0a9; --chart-unscored: #7b818b; --chart-neutral: #555b65;
  --chart-series-1: #4aa8e0; --chart-series-2: #f08a3c; --chart-series-3: #2fbf94; --chart-series-4: #dc96bd;
  --chart-series-5: #edb53a; --chart-series-6: #7cc6f0;
  --chart-pass: #5cc79c; --chart-fail: #f38b80; --chart-warn: #e5b35a; --chart-human: #d29fdc;`

/** The reader's system decides, unless the button on the page did; paper is always light. */
export const themeStyle = `
:root {${light}
}
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {${dark}
} }
:root[data-theme="dark"] {${dark}
}
@media print { :root, :root[data-theme="dark"], :root:not([data-theme="light"]) {${light}
} }
`
