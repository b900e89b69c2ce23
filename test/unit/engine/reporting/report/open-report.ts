import { explorerScript } from '../../../../../src/engine/reporting/report/explorer/explorer-script.ts'

/** A report as a browser parses it, with nothing run. For tests in the jsdom environment. */
export function parseReport(html: string): Document {
  return new DOMParser().parseFromString(html, 'text/html')
}

/** Puts a report into the test's page and runs its script there. jsdom has no layout, so scrolling does nothing. */
export function openReport(html: string, hash = ''): void {
  Element.prototype.scrollIntoView = () => undefined
  Element.prototype.scrollTo = () => undefined
  location.hash = hash
  document.body.innerHTML = parseReport(html).body.innerHTML
  const script = document.createElement('script')
  script.textContent = explorerScript
  document.body.append(script)
}

export function textAt(selector: string): string {
  return document.querySelector(selector)?.textContent ?? ''
}

export function click(selector: string): void {
  const element = document.querySelector<HTMLElement>(selector)
  if (element === null) throw new Error(`no element ${selector}`)
  element.click()
}

/** Sets a field of the filter form as a reader would. */
export function choose(id: string, value: string | boolean): void {
  const field = document.getElementById(id)
  if (field instanceof HTMLInputElement && typeof value === 'boolean') field.checked = value
  else if ((field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && typeof value === 'string') field.value = value
  else throw new Error(`no field ${id} for ${value}`)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

export function press(key: string, target: Element = document.getElementById('explorer') ?? document.body): void {
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}
