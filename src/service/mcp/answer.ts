import { inputRequired, inputResponse, type InputRequiredResult } from '@modelcontextprotocol/server'
import { ServiceError } from '../../contract/client.ts'
import { ApiError } from '../../contract/errors.ts'
import { meantIssues } from '../../contract/meant-issues.ts'
import { naming, validationError } from '../http/parse-input.ts'
import { requireScopes } from './caller.ts'
import type { Caller, Tool, ToolContext } from './tool.ts'

/** What a call answers with, as the protocol has it. */
interface Answer {
  [name: string]: unknown
  content: { type: 'text'; text: string }[]
  isError?: boolean
}

/** How a client shows pages to its person. */
export interface ClientPages {
  /** Whether it declared URL elicitation. */
  readonly canShow: boolean
  /** What came back, where this call repeats one that asked it to show a page; never trusted. */
  readonly responses: Record<string, unknown> | undefined
}

/** Refusals that a signed-in person may lift. */
const personDecides = new Set(['spend_ceiling_reached', 'insufficient_credit', 'human_approval_required', 'owner_session_required'])
/** Names the one question that a call may have. */
const question = 'page'

/**
 * Calls a tool; a refusal of the interface is an answer that the model can read. Where a person can continue, a client that can show pages is
 * asked to, and repeats the call: what the person did on the page counts, not what the client says.
 */
export async function callTool(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  pages: ClientPages,
  whoCalls: () => Promise<Caller>,
): Promise<Answer | InputRequiredResult> {
  try {
    requireScopes(await whoCalls(), tool)
    const parsed = tool.input.safeParse(input, naming)
    if (!parsed.success) throw validationError(meantIssues(parsed.error.issues), 'body')
  } catch (error) {
    return refusal(describeRefusal(error))
  }
  const shown = inputResponse(pages.responses, question)
  if (shown.kind === 'elicit' && shown.action !== 'accept')
    return refusal({ done: false, message: 'The person did not open the page; nothing has been changed.' })
  const asksPerson = pages.canShow && shown.kind === 'missing'
  const showPage = (message: string) =>
    inputRequired({
      inputRequests: { [question]: inputRequired.elicitUrl({ message, url: context.pageUrl(tool.page(input)) }) },
    })
  try {
    const value = await tool.run(input, context)
    if (tool.effect === 'person' && asksPerson) return showPage(`${tool.title}: only a signed-in person can do this.`)
    return text(value)
  } catch (error) {
    const refused = describeRefusal(error)
    const isForPerson = personDecides.has(refused.error.code)
    if (isForPerson && asksPerson) return showPage(refused.error.message)
    return refusal({ ...refused, ...(isForPerson ? { a_person_can_do_this_at: context.pageUrl(tool.page(input)) } : {}) })
  }
}

/** As the interface words it. @throws what is not a refusal */
function describeRefusal(error: unknown) {
  if (!(error instanceof ServiceError || error instanceof ApiError)) throw error
  const { code, message, detail } = error
  const request = error instanceof ServiceError && error.requestId !== null ? { request_id: error.requestId } : {}
  return { error: { code, message, ...request, ...(detail.length ? { detail } : {}) } }
}

function refusal(value: object): Answer {
  return { ...text(value), isError: true }
}

function text(value: object): Answer {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] }
}
