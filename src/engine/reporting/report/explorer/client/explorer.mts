import { formatCount } from '../../../../../lib/format/numbers.ts'
import { byId, optionalById } from './dom.mts'
import { readConfig, readRows, readTranscript } from './islands.mts'
import { type Filter, matches, type Row, toRow } from './rows.mts'
import { buttonOf, markCurrent, setUsable, showPage } from './sample-list.mts'
import { setUpTheme } from './theme.mts'
import { transcriptContent } from './transcript-panel.mts'

// The sample explorer of a report: search, filters, pages, and the transcript of the open sample. Everything that it shows was in
// the file; it loads nothing.

const config = readConfig()
const rows: readonly Row[] = readRows().map(row => toRow(row, config))
const explorer = byId('explorer', HTMLDivElement)
const form = byId('filters', HTMLFormElement)
const list = byId('rows', HTMLTableSectionElement)

let shown = rows
let page = 0
let current: Row | undefined
/** The address that this script set last, to tell it from one that the reader followed. */
let ownAddress = ''

function readFilter(): Filter {
  const choice = (id: string) => optionalById(id, HTMLSelectElement)?.value ?? ''
  return {
    query: byId('search', HTMLInputElement).value.trim(),
    outcome: choice('outcome'),
    part: choice('part'),
    profile: choice('profile'),
    disagree: optionalById('disagree', HTMLInputElement)?.checked ?? false,
  }
}

function goToPage(wanted: number): void {
  page = Math.min(Math.max(wanted, 0), Math.max(Math.ceil(shown.length / config.rowsPerPage) - 1, 0))
  showPage(shown, page, config.rowsPerPage, rows.length, current)
  list.closest('.scroll')?.scrollTo(0, 0)
}

function applyFilter(): void {
  const filter = readFilter()
  shown = rows.filter(row => matches(row, filter))
  goToPage(0)
  showSteps()
}

function clearFilter(): void {
  form.reset()
  applyFilter()
}

function open(row: Row): void {
  current = row
  const place = shown.indexOf(row)
  const itsPage = place === -1 ? page : Math.floor(place / config.rowsPerPage)
  if (itsPage !== page) goToPage(itsPage)
  markCurrent(row)
  byId('transcript-title', HTMLHeadingElement).textContent = `Sample ${formatCount(row.position + 1)}`
  byId('transcript-body', HTMLDivElement).replaceChildren(...transcriptContent(row, config, readTranscript(row.position)))
  byId('transcript', HTMLElement).scrollTo(0, 0)
  showSteps()
}

/** The sample `by` places further in the list as it is filtered; from one that is not in it, the way on leads to the first. */
function neighbour(by: 1 | -1): Row | undefined {
  const place = current === undefined ? -1 : shown.indexOf(current)
  return shown[place + by]
}

function showSteps(): void {
  setUsable('step-back', neighbour(-1) !== undefined)
  setUsable('step-on', neighbour(1) !== undefined)
}

/** Opens a sample and puts it into the address, so that the address can be shared. */
function select(row: Row | undefined): void {
  if (row === undefined) return
  open(row)
  buttonOf(row)?.scrollIntoView({ block: 'nearest' })
  ownAddress = `#sample-${row.id}`
  location.replace(ownAddress)
}

/** Narrows the list to the samples that a bar of a breakdown counts. */
function showPart(link: Element): void {
  const part = optionalById('part', HTMLSelectElement)
  if (part === null) return
  form.reset()
  part.value = (link.getAttribute('href') ?? '').replace('#part-', '')
  applyFilter()
  explorer.scrollIntoView({ block: 'start' })
  part.focus({ preventScroll: true })
}

/** Opens the sample that the address names, whatever the filters; false where it names none. */
function openFromAddress(): boolean {
  const id = /^#sample-(.+)$/.exec(location.hash)?.[1]
  const row = rows.find(one => one.id === id)
  if (row === undefined) return false
  if (!shown.includes(row)) clearFilter()
  open(row)
  explorer.scrollIntoView({ block: 'start' })
  return true
}

/** Arrows step in the list, j and k everywhere in the explorer but in its fields. */
function stepOf(key: string, inList: boolean): 1 | -1 | null {
  if (key === 'j' || (inList && key === 'ArrowDown')) return 1
  if (key === 'k' || (inList && key === 'ArrowUp')) return -1
  return null
}

function onKey(event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return
  if (event.target.closest('input, select') !== null) return
  const inList = list.contains(event.target)
  const step = stepOf(event.key, inList)
  if (step === null) return
  event.preventDefault()
  select(neighbour(step))
  if (inList && current !== undefined) buttonOf(current)?.focus()
}

/** Boxes that are smaller than what they hold can be scrolled by keyboard. */
function makeScrollable(): void {
  for (const box of document.querySelectorAll<HTMLElement>('.scroll')) {
    const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight
    box.toggleAttribute('tabindex', scrolls)
    if (scrolls) box.tabIndex = 0
  }
}

function onClick(id: string, action: () => void): void {
  byId(id, HTMLButtonElement).addEventListener('click', action)
}

setUpTheme()
explorer.hidden = rows.length === 0
form.addEventListener('submit', event => event.preventDefault())
form.addEventListener('input', applyFilter)
onClick('clear', clearFilter)
onClick('page-back', () => goToPage(page - 1))
onClick('page-on', () => goToPage(page + 1))
onClick('step-back', () => select(neighbour(-1)))
onClick('step-on', () => select(neighbour(1)))
list.addEventListener('click', event => {
  const line = event.target instanceof Element ? event.target.closest('tr') : null
  select(shown.find(row => String(row.position) === line?.dataset['position']))
})
explorer.addEventListener('keydown', onKey)
document.addEventListener('click', event => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#part-"]') : null
  if (link === null) return
  event.preventDefault()
  showPart(link)
})
addEventListener('hashchange', () => {
  if (location.hash !== ownAddress) openFromAddress()
})
addEventListener('resize', makeScrollable)
applyFilter()
makeScrollable()
if (!openFromAddress() && rows[0] !== undefined) open(rows[0])
