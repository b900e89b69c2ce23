import { ServiceError } from '../../contract/index.ts'
import type { Tool, ToolContext } from './tool.ts'

/** What a call answers with, as the protocol has it. */
interface Answer {
  [name: string]: unknown
  content: { type: 'text'; text: string }[]
  isError?: boolean
}

/** Refusals that a signed-in person may lift. */
const personDecides = new Set(['spend_ceiling_reached', 'insufficient_credit', 'human_approval_required', 'owner_session_required'])

/** Calls a tool; a refusal of the interface is an answer that the model can read, with the page where a person can go on. */
export async function callTool(tool: Tool, input: unknown, context: ToolContext): Promise<Answer> {
  try {
    return text(await tool.run(input, context))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { code, message, requestId, detail } = error
    const person = personDecides.has(code) ? { a_person_can_do_this_at: context.pageUrl(tool.page(input)) } : {}
    return {
      ...text({ error: { code, message, request_id: requestId, ...(detail.length ? { detail } : {}) }, ...person }),
      isError: true,
    }
  }
}

function text(value: object): Answer {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] }
}
