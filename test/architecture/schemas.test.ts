import { expect, test } from 'vitest'
import { schemasMadeToParse } from './parse-module.ts'
import { sources } from './sources.ts'

const hot = sources.filter(({ file }) => /^(?:service|storage|workers)\//.test(file))

test('no function makes the schema that it parses with', () => {
  expect(hot.length).toBeGreaterThan(500)
  expect(hot.flatMap(({ file, text }) => schemasMadeToParse(file, text))).toEqual([])
})

test.each([
  ['const read = (row: unknown) => z.object({ n: z.int() }).parse(row)', 1],
  ['export function read(row: unknown) {\n  return z\n    .array(Row)\n    .safeParse(row)\n}', 1],
  ['const Row = z.object({ n: z.int() })\nconst read = (row: unknown) => Row.parse(row)', 0],
  ['const found = z.array(z.string()).parse(texts)', 0],
])('is seen where it is planted: %j', (text, seen) => {
  expect(schemasMadeToParse('service/x.ts', text)).toHaveLength(seen)
})
