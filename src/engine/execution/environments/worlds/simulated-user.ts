import { type ModelUser, type UserModel, userEnd } from '../../../../contract/worlds/worlds.schemas.ts'
import type { JudgeMessage } from '../../../grading/judges/judge-prompt.ts'
import { WorldError } from './world-error.ts'

/** What was said between the user and the model under test; tool calls stay unseen. */
export interface Said {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export type UserReply =
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string }
  /** The run asks nothing more. */
  | { readonly kind: 'cut_off' }

/** What a model plays in a world. */
type Played = 'user' | 'tool'

/** Asks the model that plays a user for its next message, or the one that plays a tool for its result. */
export type AskUser = (model: UserModel, messages: readonly JudgeMessage[], played: Played) => Promise<UserReply>

/** The run asks nothing more; the sample is left as if its next call had not been made. */
export class UserCutOffError extends Error {
  override readonly name = 'UserCutOffError'
}

/** UTF-8 bytes of a reply of a user or tool; what is longer is cut, so that the cost of a task has a bound. */
export const longestUserReply = 4_000

/** @returns what the user says, and whether it ends the conversation. @throws WorldError, UserCutOffError */
export async function askSimulatedUser(
  user: ModelUser,
  model: UserModel | undefined,
  said: readonly Said[],
  ask: AskUser,
): Promise<{ readonly text: string; readonly isEnd: boolean }> {
  const reply = await askPlayer(model, userPrompt(user, said), 'user', ask)
  const text = cutBytes(reply.replaceAll(userEnd, '').trim())
  const isEnd = reply.includes(userEnd)
  if (text === '' && !isEnd) throw new WorldError('The simulated user wrote nothing.')
  return { text, isEnd }
}

/** @returns what the model of the world wrote. @throws WorldError, UserCutOffError */
export async function askPlayer(
  model: UserModel | undefined,
  messages: readonly JudgeMessage[],
  played: Played,
  ask: AskUser,
): Promise<string> {
  if (!model) throw new WorldError(`The world names no model for its simulated ${played}.`)
  const reply = await ask(model, messages, played)
  if (reply.kind === 'cut_off') throw new UserCutOffError()
  if (reply.kind === 'failed') throw new WorldError(`The simulated ${played} gave no reply: ${reply.message}`)
  return reply.text
}

/** The conversation from the user's side: what the model under test said is what it is told. */
function userPrompt({ persona, goal, facts, stop }: ModelUser, said: readonly Said[]): JudgeMessage[] {
  const known = facts.length === 0 ? 'You know nothing beyond your goal.' : `What you know:\n${facts.map(fact => `- ${fact}`).join('\n')}`
  const system = [
    'You play a user who talks to an assistant. Write only the next message of the user, as the user would.',
    ...(persona === '' ? [] : [`Who you are: ${persona}`]),
    `Your goal: ${goal}`,
    known,
    'Tell what you know only when it is needed. Never make up names, numbers or other facts: where you are asked for something that is not listed, say that you do not know it.',
    `${stop === undefined ? 'Once your goal is met, or the assistant has refused it for good' : `When this holds: ${stop}`}, write ${userEnd} at the end of your message.`,
  ].join('\n\n')
  const turned = said.map(({ role, content }) => ({ role: role === 'user' ? ('assistant' as const) : ('user' as const), content }))
  return [{ role: 'system', content: system }, { role: 'user', content: 'The assistant is ready.' }, ...turned]
}

/** At most `longestUserReply` bytes of a reply. */
export function cutBytes(text: string): string {
  const bytes = Buffer.from(text.toWellFormed())
  return bytes.length <= longestUserReply ? text : new TextDecoder().decode(bytes.subarray(0, longestUserReply), { stream: true })
}
