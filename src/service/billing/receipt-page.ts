import type { Receipt } from '../../contract/billing/billing.schemas.ts'
import { formatMicroUsd, formatUsd } from '../../lib/format/money.ts'
import type { HtmlPage } from '../http/handler.ts'
import { escapeHtml, staticPage } from '../http/static-page.ts'

/** A receipt to print. */
export function receiptPage(receipt: Receipt): HtmlPage {
  const facts: readonly (readonly [name: string, html: string | null])[] = [
    ['Workspace', escapeHtml(receipt.workspace.name)],
    ['For', receipt.note === '' ? null : escapeHtml(receipt.note)],
    ['Amount', money(receipt.amount_microusd)],
    ['Taken back', receipt.returned_microusd === '0' ? null : money(receipt.returned_microusd)],
    ['Status', escapeHtml(receipt.status)],
    ['Paid', escapeHtml(receipt.paid_at)],
    ['Closed', receipt.closed_at === null ? null : escapeHtml(receipt.closed_at)],
    ['Purchase', escapeHtml(receipt.purchase_id)],
  ]
  const rows = facts
    .filter(([, html]) => html !== null)
    .map(([name, html]) => `<tr><th scope="row">${name}</th><td dir="auto">${html}</td></tr>`)
  return staticPage(
    `Receipt ${receipt.receipt_number}`,
    `<table><tbody>\n${rows.join('\n')}\n</tbody></table>\n<p>${escapeHtml(receipt.statement)}</p>`,
  )
}

function money(amount: string): string {
  return `${escapeHtml(formatUsd(amount))} <small>${escapeHtml(formatMicroUsd(amount))}</small>`
}
