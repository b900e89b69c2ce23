import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { WorldDefinition } from '../../contract/worlds/worlds.schemas.ts'
import { slugOf } from '../../engine/content/benchmarks/own-benchmark.ts'
import { OrderFault } from '../../engine/importing/files/order-fault.ts'
import { RowError } from '../../engine/importing/files/row.ts'
import { promptfooWorld, type PromptfooWorld } from '../../engine/importing/worlds/promptfoo-worlds.ts'
import { modelOf } from '../client/resolve-run.ts'
import type { Session } from '../client/session.ts'
import { failureReason } from '../describe-failure.ts'
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts'
import { isInside } from '../is-inside.ts'
import { writeWorldFolder } from './world-folder.ts'

interface Flags {
  readonly title: string
  readonly out?: string | undefined
  readonly userModel: string | undefined
  readonly judge: string | undefined
}

/** Makes an environment of a promptfoo configuration and names what of it is left out or done in another way. */
export async function importPromptfoo(
  { client, out }: Session,
  file: string,
  { title, out: target, userModel, judge }: Flags,
): Promise<ExitCode> {
  const player = async (name: string) => ({ model: await modelOf(client, name), effort: null, temperature: 0 })
  const roles = {
    ...(userModel !== undefined && { user_model: { ...(await player(userModel)), max_charge_microusd: null } }),
    ...(judge !== undefined && { judge: await player(judge) }),
  }
  const { definition, left } = read(file, title, roles)
  const slug = slugOf(title)
  const folder = target ?? slug
  const files = writeWorldFolder(folder, { slug, ...definition })
  out.body({ slug, files, tasks: definition.tasks.length, left })
  for (const each of files) out.line(`Wrote ${each}`)
  for (const each of left) out.line(`Left out: ${each}`)
  out.note(`Next: assay world check ${folder}`)
  return exitCodes.passed
}

function read(file: string, title: string, roles: Pick<WorldDefinition, 'user_model' | 'judge'>): PromptfooWorld {
  try {
    const folder = dirname(file)
    // What it names lies beside it: a path that leads out of the folder is not read.
    const named = [...readFileSync(file, 'utf8').matchAll(/file:\/\/([^\s'",\]}:]+)/g)].map(([, path = '']) => path)
    const beside = [...new Set(named)].filter(path => existsSync(join(folder, path)) && isInside(folder, path))
    const order = (path: string) => ({ name: basename(path), path, role: 'test' })
    return promptfooWorld(
      title,
      order(file),
      beside.map(path => order(join(folder, path))),
      roles,
    )
  } catch (error) {
    if (error instanceof RowError) throw new UsageError(`${file}: ${withFlag(error.message)}`)
    if (error instanceof OrderFault)
      throw new UsageError(
        error.problems.map(each => `${each.file}${each.line === null ? '' : `:${each.line}`}: ${each.message}`).join('\n'),
      )
    throw new UsageError(`${file}: ${failureReason(error)}`)
  }
}

/** The part of a world that a flag chooses. */
function withFlag(message: string): string {
  if (message.includes('`user_model`')) return `${message} with --user-model`
  return message.includes('`judge`') ? `${message} with --judge` : message
}
