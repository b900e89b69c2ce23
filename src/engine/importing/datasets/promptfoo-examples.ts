import { FileError } from '../files/decode-bytes.ts'
import { readYaml } from '../files/read-yaml.ts'
import type { RowOrProblem } from '../files/row.ts'
import { isObject } from '../../../lib/json-value.ts'

/** Tests in YAML: a list, or the `tests` of a configuration. @throws OrderFault, FileError */
export function* yamlTests({ name, path }: { readonly name: string; readonly path: string }): Generator<RowOrProblem> {
  const yaml = readYaml({ name, path, role: 'tests' })
  const isList = Array.isArray(yaml.value)
  const tests = isList ? yaml.value : isObject(yaml.value) ? yaml.value['tests'] : null
  if (!Array.isArray(tests))
    throw new FileError('The file must be a list of tests, or a configuration with the tests themselves in "tests".')
  const lines = yaml.linesIn(isList ? null : 'tests')
  for (const [i, test] of tests.entries()) {
    const line = lines[i] ?? 1
    yield isObject(test) ? { kind: 'row', line, value: test } : { kind: 'problem', line, message: 'A test must be an object.' }
  }
}
