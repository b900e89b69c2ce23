import { formatCount, formatNumber } from '../../../../../lib/format/numbers.ts'
import { formatDuration } from '../../../../../lib/format/time.ts'
import { byId, element, untrusted } from './dom.mts'
import { outcomeOf, type Row } from './rows.mts'

/** Shows one page of rows and says where it is. */
export function showPage(rows: readonly Row[], page: number, perPage: number, total: number, current: Row | undefined): void {
  const first = page * perPage
  const shown = rows.slice(first, first + perPage)
  byId('rows', HTMLTableSectionElement).replaceChildren(...shown.map(row => listRow(row, row === current)))
  const place = shown.length === 0 ? 'none' : `${formatCount(first + 1)} to ${formatCount(first + shown.length)}`
  const matching =
    rows.length === total ? `${formatCount(total)} samples` : `${formatCount(rows.length)} of ${formatCount(total)} samples match`
  byId('match-count', HTMLParagraphElement).textContent = shown.length === 0 ? 'No sample matches. Clear the filters to see all.' : matching
  byId('page-text', HTMLSpanElement).textContent = `${place} of ${formatCount(rows.length)}`
  byId('print-note', HTMLParagraphElement).textContent = `Printed: samples ${place} of ${matching}.`
  setUsable('page-back', page > 0)
  setUsable('page-on', first + perPage < rows.length)
}

/** Greys a button out without taking the focus from a reader who has just pressed it for the last time. */
export function setUsable(id: string, usable: boolean): void {
  byId(id, HTMLButtonElement).setAttribute('aria-disabled', String(!usable))
}

/** Marks the open sample in the list. */
export function markCurrent(current: Row): void {
  for (const line of byId('rows', HTMLTableSectionElement).rows) {
    const isCurrent = line.dataset['position'] === String(current.position)
    line.classList.toggle('current', isCurrent)
    const button = line.querySelector('button')
    if (isCurrent) button?.setAttribute('aria-current', 'true')
    else button?.removeAttribute('aria-current')
  }
}

/** The button that opens a sample, where its line is on the page. */
export function buttonOf(row: Row): HTMLButtonElement | null {
  return document.querySelector(`#rows tr[data-position="${row.position}"] button`)
}

export function scoreText(value: number | null | undefined): string {
  if (value === undefined) return ''
  if (value === null) return '–'
  return formatNumber(value, Number.isInteger(value) ? 0 : 2)
}

function listRow(row: Row, isCurrent: boolean): HTMLTableRowElement {
  const outcome = outcomeOf(row)
  const number = formatCount(row.position + 1)
  const open = element('button', { type: 'button', 'aria-label': `Open sample ${number}` }, number)
  if (isCurrent) open.setAttribute('aria-current', 'true')
  return element(
    'tr',
    { 'data-position': String(row.position), class: isCurrent ? 'current' : '' },
    element('th', { scope: 'row', class: 'number' }, open),
    textCell(row.epoch === 1 ? row.task : `${row.task} (${row.epoch})`),
    element('td', { class: outcome.className }, outcome.words),
    ...row.values.map(value => element('td', { class: 'number' }, scoreText(value))),
    textCell(row.answer ?? row.errorCode ?? ''),
    textCell(row.target ?? ''),
    element('td', { class: 'number wide-only' }, formatDuration(row.latencyMs)),
    element('td', { class: 'number wide-only' }, row.outputTokens === null ? '–' : formatCount(row.outputTokens)),
  )
}

function textCell(text: string): HTMLTableCellElement {
  return element('td', { dir: 'auto' }, element('bdi', {}, ...untrusted(text)))
}
