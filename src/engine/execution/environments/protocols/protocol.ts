import type { Answer, ToolDefinition, Turn } from '../../../clients/model-client.ts'
import type { Action } from '../environment.ts'

/** What a model said in one turn, understood. */
export type Said =
  | { readonly kind: 'answer'; readonly message: Turn; readonly answer: string }
  /** Uses of tools by the id of their call; `null` where what it said could not be read, with what to tell it. */
  | { readonly kind: 'actions'; readonly message: Turn; readonly uses: readonly Use[] }

export interface Use {
  readonly callId: string
  readonly action: Action | null
  /** Told instead of an observation where the action could not be read. */
  readonly complaint: string
}

/** A way in which a model and its tools talk. */
export interface ToolProtocol {
  /** Whether requests carry the tools as the provider's own. */
  readonly offersTools: boolean
  /** The messages that a conversation begins with. */
  open(messages: readonly Turn[], tools: readonly ToolDefinition[]): readonly Turn[]
  read(answer: Answer): Said
  /** Messages with the observations. */
  observe(said: Extract<Said, { kind: 'actions' }>, act: (action: Action) => Promise<string>): Promise<Turn[]>
}

/** Uses run one after the other, since each may change the world for the next. */
export async function inOrder(uses: readonly Use[], observe: (use: Use) => Promise<Turn>): Promise<Turn[]> {
  const observations: Turn[] = []
  for (const use of uses) observations.push(await observe(use))
  return observations
}
