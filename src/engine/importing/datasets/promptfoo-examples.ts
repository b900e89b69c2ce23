import { FileError } from '../files/decode-bytes.ts'
import { readYaml } from '../files/read-yaml.ts'
import type { RowOrProblem } from '../files/row.ts'

/** Tests in YAML: a list, or the `tests` of a configuration. @throws OrderFault, FileError */
export function* yamlTests({ name, path }: { readonly name: string; readonly path: string }): Generator<RowOrProblem> {
  const yaml = readYaml({ name, path, role: 'tests' })
  const isList = Array.isArray(yaml.value)
  const tests = isList ? yaml.value : isRecord(yaml.value) ? yaml.value['tests'] : null
  if (!Array.isArray(tests))
    throw new FileError('The file must be a list of tests, or a configuration with the tests themselves in "tests".')
  const lines = yaml.linesIn(isList ? null : 'tests')
  for (const [i, test] of tests.entries()) {
    const line = lines[i] ?? 1
    yield isRecord(test) ? { kind: 'row', line, value: test } : { kind: 'problem', line, message: 'A test must be an object.' }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
