import type { FoundRuntime } from '../../../contract/connections/presets.schemas.ts'
import type { TransportSettings } from '../http/json-transport.ts'
import { createJsonTransport } from '../http/json-transport.ts'
import { readLmStudio, readOllama, readOpenAiModels, type Recognized } from './read-runtime.ts'

/** Usual ports of Ollama, LM Studio, llama.cpp (new and old), vLLM, SGLang and Jan. */
export const usualPorts: readonly number[] = [11434, 1234, 9931, 8080, 8000, 30000, 1337]

/** This machine and nothing else. */
const hosts = ['127.0.0.1', '[::1]'] as const

/** Loopback connects at once where something listens; where nothing does, Windows tries for two seconds before it says so. */
const connectTimeoutMs = 400
/** For a runtime that loads a model, or a machine that is busy. */
const probeTimeoutMs = 5_000
const mostBytes = 1_000_000

const looks: readonly { readonly path: string; readonly read: (value: unknown) => Recognized | null }[] = [
  { path: '/api/tags', read: readOllama },
  { path: '/api/v1/models', read: readLmStudio },
  { path: '/v1/models', read: readOpenAiModels },
]

/** Which addresses may be asked, and who counts what goes over the wire. */
type Way = Pick<TransportSettings, 'addressPolicy' | 'traffic'>

/** Probes the usual ports of model servers on this machine. Contacts no other host, and runs only on request. */
export async function discoverRuntimes(way: Way, signal: AbortSignal, ports: readonly number[] = usualPorts): Promise<FoundRuntime[]> {
  const found = await Promise.all(
    ports.map(async port => {
      const answers = await Promise.all(hosts.map(host => look(`http://${host}:${port}`, way, signal)))
      return answers.find(runtime => runtime !== null) ?? null
    }),
  )
  return found.flatMap(runtime => runtime ?? [])
}

async function look(origin: string, way: Way, signal: AbortSignal): Promise<FoundRuntime | null> {
  const transport = createJsonTransport(
    {
      baseUrl: origin,
      model: '',
      apiKey: null,
      headers: {},
      connectTimeoutMs,
      attemptTimeoutMs: probeTimeoutMs,
      connections: 1,
      maxResponseBytes: mostBytes,
      ...way,
    },
    'a model server’s listing',
    {},
  )
  try {
    let isLocked = false
    for (const { path, read } of looks) {
      const reply = await transport.get(path, signal)
      if (!reply.ok && reply.httpStatus === null) return null
      if (!reply.ok && reply.code === 'credential_refused') isLocked = true
      const recognized = reply.ok ? read(reply.value) : null
      if (recognized) {
        const { path: base, ...runtime } = recognized
        return { ...runtime, base_url: `${origin}${base}`, needs_key: false }
      }
    }
    return isLocked
      ? { title: 'A server that requires a key', protocol: 'openai_chat', base_url: `${origin}/v1`, needs_key: true, models: [] }
      : null
  } finally {
    await transport.close()
  }
}
