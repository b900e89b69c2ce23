import { type Api, api, type OperationId } from '../../contract/api.ts'
import type { ServiceError } from '../../contract/client.ts'
import { type FeedbackBody, feedbackLimits } from '../../contract/feedback/feedback.schemas.ts'

/** What the report form holds: text as typed. */
export interface ReportForm {
  readonly kind: FeedbackBody['kind']
  readonly severity: FeedbackBody['severity']
  readonly summary: string
  readonly details: string
  readonly expected: string
  readonly actual: string
  readonly contactOk: boolean
  /** The request that went wrong, where the report began at an error. */
  readonly attempted: Attempted | null
  readonly sendAttempted: boolean
}

export interface Attempted {
  readonly method: string | null
  readonly path: string | null
  readonly requestId: string | null
  readonly status: number | null
  readonly code: string | null
}

type Field = 'summary' | 'details' | 'expected' | 'actual'
export type ReportErrors = Partial<Record<Field, string>>

/** The form as the address fills it in; the address may be hand-edited, so it is validated. */
export function formFromAddress(get: (name: string) => string): ReportForm {
  const page = get('page')
  return {
    kind: 'bug',
    severity: 'degraded',
    summary: cut(get('summary'), feedbackLimits.summary),
    details: page === '' ? '' : cut(`On the page ${page}`, feedbackLimits.details),
    expected: '',
    actual: cut(get('actual'), feedbackLimits.actual),
    contactOk: false,
    attempted: attemptedOf(get),
    sendAttempted: true,
  }
}

function attemptedOf(get: (name: string) => string): Attempted | null {
  const route = routeOf(get('operation'))
  const status = Number(get('status'))
  const attempted = {
    method: route?.method ?? null,
    path: route?.path ?? null,
    requestId: identifier(get('request')),
    status: Number.isInteger(status) && status >= 100 && status <= 599 ? status : null,
    code: identifier(get('code')),
  }
  return Object.values(attempted).some(value => value !== null) ? attempted : null
}

function routeOf(operation: string): Pick<Api[OperationId], 'method' | 'path'> | null {
  // `hasOwn` proves that the text names an operation.
  return Object.hasOwn(api, operation) ? api[operation as OperationId] : null
}

function identifier(text: string): string | null {
  return /^[^\p{Cc}]+$/u.test(text) && [...text].length <= feedbackLimits.identifier ? text : null
}

/** The report to send, or what is wrong by field. */
export function bodyOfForm(form: ReportForm): { readonly body: FeedbackBody } | { readonly errors: ReportErrors } {
  const errors: ReportErrors = {
    ...(form.summary.trim() === '' ? { summary: 'Say in one line what went wrong or is missing' } : {}),
    ...tooLong(form),
  }
  if (Object.keys(errors).length > 0) return { errors }
  const { attempted, sendAttempted } = form
  return {
    body: {
      kind: form.kind,
      severity: form.severity,
      summary: form.summary.trim(),
      contact_ok: form.contactOk,
      ...optional('details', form.details),
      ...optional('expected', form.expected),
      ...optional('actual', form.actual),
      ...(attempted && sendAttempted
        ? {
            attempted: {
              method: attempted.method,
              path: attempted.path,
              request_id: attempted.requestId,
              http_status: attempted.status,
              error_code: attempted.code,
            },
          }
        : {}),
    },
  }
}

/** Which fields the service refused, in its words. */
export function refusedFields(error: ServiceError): ReportErrors {
  const fields: readonly Field[] = ['summary', 'details', 'expected', 'actual']
  return Object.fromEntries(error.detail.flatMap(({ loc, msg }) => fields.filter(field => loc[1] === field).map(field => [field, msg])))
}

function tooLong(form: ReportForm): ReportErrors {
  const fields: readonly Field[] = ['summary', 'details', 'expected', 'actual']
  return Object.fromEntries(
    fields
      .map(field => ({ field, length: [...form[field]].length, most: feedbackLimits[field] }))
      .filter(({ length, most }) => length > most)
      .map(({ field, length, most }) => [field, `This has ${length} characters; ${most} is the most`]),
  )
}

function optional<Name extends string>(name: Name, text: string): Partial<Record<Name, string>> {
  // A partial record with the one name that was given.
  return (text.trim() === '' ? {} : { [name]: text.trim() }) as Partial<Record<Name, string>>
}

/** By characters, so that none is cut in half. */
function cut(text: string, most: number): string {
  return [...text].slice(0, most).join('')
}
