import { createServer, type IncomingMessage } from 'node:http'
import { z } from 'zod'
import { listen, type RunningServer } from './listen.ts'

const ToolCall = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })
/** Null beside tool calls, as the server itself said it. */
const Text = z
  .string()
  .nullable()
  .transform(text => text ?? '')
const Chat = z.object({
  messages: z.array(z.object({ role: z.string(), content: Text, tool_calls: z.array(ToolCall).optional() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
})
export type ScriptedChat = z.infer<typeof Chat>

/** Says in text, or uses a tool. */
export type ScriptedReply = string | { readonly tool: string; readonly arguments: object }

/** A chat-completions server whose every reply is a function of the whole conversation. Listens on this machine only. */
export async function startScriptedChat(reply: (chat: ScriptedChat) => ScriptedReply): Promise<RunningServer> {
  let calls = 0
  const server = createServer((request, response) => {
    // It lists no models.
    if (request.method === 'GET') return void response.writeHead(404).end()
    void bodyOf(request).then(text => {
      const said = reply(Chat.parse(JSON.parse(text)))
      const message =
        typeof said === 'string'
          ? { role: 'assistant', content: said }
          : {
              role: 'assistant',
              content: null,
              tool_calls: [
                { id: `call-${calls++}`, type: 'function', function: { name: said.tool, arguments: JSON.stringify(said.arguments) } },
              ],
            }
      response.writeHead(200, { 'content-type': 'application/json' })
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }))
    })
  })
  const running = await listen(server, 0)
  return { ...running, baseUrl: `${running.baseUrl}/v1` }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}
