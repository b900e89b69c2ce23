type Block = Readonly<Record<string, unknown>>
interface Message extends Block {
  readonly content: string | readonly Block[]
}
interface Body extends Block {
  readonly system?: string
  readonly tools?: readonly Block[]
  readonly messages: readonly Message[]
}

/** Kept for five minutes, and again from each use. */
const mark = { cache_control: { type: 'ephemeral' } } as const

/**
 * A body of Anthropic's messages with the end of what its calls share marked, so that the provider caches all before it: the tools and the
 * system prompt, which a run's calls share, and the conversation up to the model's last message, which the next turn of an episode repeats
 * and worked examples given as turns share. Two marks of the four that a request may have; what is shorter than the provider's minimum
 * (1,024 to 4,096 tokens) it leaves uncached.
 */
export function markSharedPrefix(body: Body): Block {
  const { system, tools, messages } = body
  const last = tools?.at(-1)
  return {
    ...body,
    ...(system !== undefined && { system: [{ type: 'text', text: system, ...mark }] }),
    ...(system === undefined && tools && last && { tools: [...tools.slice(0, -1), { ...last, ...mark }] }),
    messages: markLastAnswer(messages),
  }
}

function markLastAnswer(messages: readonly Message[]): readonly Message[] {
  const place = messages.findLastIndex(message => message['role'] === 'assistant')
  return messages.map((message, i) => (i === place ? { ...message, content: markLastBlock(message.content) } : message))
}

/** Empty texts and thoughts take no mark. */
function markLastBlock(content: Message['content']): Message['content'] {
  if (typeof content === 'string') return content === '' ? content : [{ type: 'text', text: content, ...mark }]
  const last = content.at(-1)
  if (!last || !['text', 'tool_use'].includes(String(last['type'])) || last['text'] === '') return content
  return [...content.slice(0, -1), { ...last, ...mark }]
}
