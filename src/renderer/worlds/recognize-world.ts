import { beginsAs } from '../../contract/catalog/file-formats.ts'
import { pathOf } from '../api/upload.ts'

/** Bytes at the beginning of a file, and at the end of an archive, that are looked at. */
const head = 65_536
const directory = 1_048_576

const worldFolder = /(?:^|[^\w.-])world\.ya?ml/
const bfcl = /BFCL_v\d+_multi_turn_/
const playedTests = /promptfoo:simulated-user|\btools:|\b_conversation\b|\bconversationId:/
const toolCalls =
  /"tool_calls"\s*:\s*\[\s*\{|"(?:role|from)"\s*:\s*"(?:tool|function_call|observation|tool_response)"|"type"\s*:\s*"tool_use"/

/** Whether files hold conversations with tools, users or turns, which an environment plays. The service decides what they become. */
export async function holdsWorld(files: readonly File[]): Promise<boolean> {
  if (files.some(file => worldFolder.test(pathOf(file)) || bfcl.test(file.name))) return true
  for (const file of files) {
    if (/\.zip$/i.test(file.name)) {
      const names = await file.slice(-directory).text()
      if (worldFolder.test(names) || bfcl.test(names)) return true
      continue
    }
    const text = await file.slice(0, head).text()
    if (isConfiguration(file) ? beginsAs('promptfoo_yaml', text) && playedTests.test(text) : isRows(file) && toolCalls.test(text))
      return true
  }
  return false
}

/** Whether a configuration may name users or judges that a model plays. */
export const isConfiguration = (file: File): boolean => /\.ya?ml$/i.test(file.name) && !worldFolder.test(pathOf(file))

const isRows = ({ name }: File): boolean => /\.(?:jsonl|ndjson|json)$/i.test(name)
