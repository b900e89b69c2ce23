/** The sample explorer: the list, the transcript beside it, and their print styles. */
export const explorerStyle = `
.filters { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; margin: 0 0 8px; }
.filters input[type="search"] { width: 19rem; }
.filters .check { display: inline-flex; align-items: center; gap: 6px; }
.filters .check input { min-height: 0; }
.filters select { max-width: 16rem; }
#match-count { margin: 0 0 8px; color: var(--quiet); }
.explorer-columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; }
.list .scroll { max-height: calc(100vh - 17rem); min-height: 16rem; overflow: auto; margin: 0; border-bottom: 1px solid var(--line); }
.dense { width: 100%; font-size: 12px; }
.dense caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.dense tbody th { min-width: 0; }
.dense th, .dense td { padding: 2px 12px 2px 0; line-height: 20px; vertical-align: middle; max-width: 14rem; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.dense .number + :not(.number) { padding-left: 12px; }
.dense thead th { position: sticky; top: 0; background: var(--ground); box-shadow: inset 0 -1px var(--quiet); white-space: normal; line-height: 16px; vertical-align: bottom; }
.dense tbody tr { cursor: pointer; }
.dense tbody tr:hover { background: var(--raised); }
.dense tbody tr.current { background: var(--raised); box-shadow: inset 3px 0 var(--accent); }
.dense tbody button { border: 0; background: none; padding: 0 4px; min-height: 24px; min-width: 24px; color: var(--accent); text-align: right; }
.correct { color: var(--pass); }
.wrong { color: var(--fail); }
.partial, .no-score { color: var(--quiet); }
.pager { display: flex; gap: 16px; align-items: center; padding: 8px 0; }
.transcript { min-width: 0; border-top: 1px solid var(--line); padding-top: 12px; }
.transcript h3 { font-size: 16px; margin: 0 0 8px; }
.transcript h4 { font-size: 12px; color: var(--quiet); font-weight: 600; margin: 12px 0 4px; }
.transcript .picture { display: block; max-width: min(100%, 512px); max-height: 512px; min-width: 16px; min-height: 16px; object-fit: contain; margin: 8px 0; border: 1px solid var(--line); }
.transcript .steps { float: right; display: flex; gap: 8px; }
.transcript .facts { grid-template-columns: repeat(auto-fill, minmax(120px, 1fr)); gap: 4px 16px; margin-bottom: 8px; }
.text { margin: 0; padding: 8px 12px; background: var(--raised); border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto; unicode-bidi: isolate; line-height: 1.5; }
.text.short { max-height: 14rem; }
mark { background: var(--mark); color: var(--ink); border-radius: 2px; }
mark.other { background: var(--mark-2); }
.print-only { display: none; }
@media (min-width: 1100px) {
  .explorer-columns { grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); }
  .transcript { border-top: 0; border-left: 1px solid var(--line); padding: 0 0 0 24px; max-height: calc(100vh - 8rem); overflow: auto; position: sticky; top: 3.5rem; }
}
@media (max-width: 1500px) { .wide-only { display: none; } }
@page { margin: 15mm; }
@media print {
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  nav, .filters, .screen-only, .pager, .transcript, summary, #theme, #match-count { display: none !important; }
  .print-only { display: block; }
  .explorer-columns { display: block; }
  .list .scroll { max-height: none; overflow: visible; border: 0; }
  .scroll { overflow: visible; }
  table { font-size: 8.5pt; }
  th, td { padding-right: 12px; }
  .dense { font-size: 8pt; }
  .dense .number + :not(.number) { padding-left: 12px; }
.dense thead th { position: static; }
  .dense tbody button { color: inherit; }
  .dense tbody tr.current { background: none; box-shadow: none; }
  figure, tr, .headlines { break-inside: avoid; }
  h2, h3, caption, figcaption { break-after: avoid; }
  thead { display: table-header-group; }
}
`
