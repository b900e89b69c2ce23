import { type Command, Option } from 'commander'
import { z } from 'zod'
import { fillPath } from '../../contract/client.ts'
import { runExportFormats } from '../../contract/runs/run-exports.schemas.ts'
import { type Finish, onService, parseFlags } from '../client/session.ts'
import { exitCodes, UsageError } from '../exit-codes.ts'
import { runIdOf } from '../client/resolve-run.ts'
import { requireFree } from '../client/replace-file.ts'
import { argumentOf } from './arguments.ts'

const own = ['html', 'json', 'csv'] as const
const Flags = z.object({
  format: z.enum([...own, ...runExportFormats, 'croissant']),
  output: z.string().optional(),
  force: z.boolean().default(false),
  resultVersion: z.coerce.number('must be a number').int().min(1).optional(),
})

/** `assay export RUN --format F -o FILE`, and `assay export BENCHMARK --format croissant`. */
export function addExport(program: Command, finish: Finish): void {
  program
    .command('export')
    .argument('<run-or-benchmark>', 'id or name of a run ("latest" for the last), or slug of a benchmark')
    .description('write a run or a benchmark in a format of other tools')
    .addOption(
      new Option('--format <format>', 'format of the file').choices([...own, ...runExportFormats, 'croissant']).makeOptionMandatory(),
    )
    .option('-o, --output <file>', 'file to write (default: standard output)')
    .option('--force', 'replace the file if it exists')
    .option('--result-version <n>', 'an earlier result version (default: the latest)')
    .action(
      onService(finish, async ({ client, out }, command) => {
        const { format, output = '-', force, resultVersion } = parseFlags(Flags, command)
        requireFree(output, force)
        if (format === 'parquet' || format === 'inspect' || format === 'zip') {
          if (output === '-' && process.stdout.isTTY) throw new UsageError(`${format} is a binary format: name a file with -o`)
        }
        const name = argumentOf(command, 0)
        const id = format === 'croissant' ? name : await runIdOf(client, name)
        await client.download(addressOf(id, format, resultVersion), output)
        if (output !== '-') out.note(`Wrote ${output}`)
        return exitCodes.passed
      }),
    )
}

function addressOf(id: string, format: z.output<typeof Flags>['format'], version: number | undefined): string {
  if (format === 'croissant') return fillPath('/v1/catalog/benchmarks/{slug}/croissant', { slug: id })
  const query = version === undefined ? '' : `&version=${version}`
  return format === 'html' || format === 'json' || format === 'csv'
    ? `${fillPath('/v1/runs/{id}/export', { id })}?format=${format}${query}`
    : `${fillPath('/v1/runs/{id}/exports/{format}', { id, format })}${query === '' ? '' : `?${query.slice(1)}`}`
}
