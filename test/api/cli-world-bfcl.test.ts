import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exitCodes } from '../../src/headless/exit-codes.ts'
import { assayHere } from '../support/assay-here.ts'
import { bfclData, jsonLines as lines } from '../support/bfcl-data.ts'
import { zipOf } from '../support/make-zip.ts'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

let service: TestService
const root = temporaryFolder()
const here = (...args: string[]) => assayHere([...args, '--data-dir', service.dataDir])
beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => {
  await service.close()
  root.remove()
})

function archive(files: Readonly<Record<string, string>>): string {
  const path = join(root.path, 'bfcl.zip')
  writeFileSync(path, zipOf(files))
  return path
}

test('tasks of several turns become a world for each set of tools, and what is left out is named', async () => {
  const out = join(root.path, 'worlds')
  const made = await here('world', 'import', archive(bfclData), '--out', out)
  expect(made).toMatchObject({ code: 0 })
  expect(made.out).toContain('1 × tasks with VehicleControlAPI, which Assay does not play')
  expect(made.out).toContain('1 × multi_turn_miss_func: functions that a model is given in a later turn')
  expect(readFileSync(join(out, 'bfcl-gorillafilesystem', 'world.yaml'), 'utf8')).toContain('name: rm')
  expect(readFileSync(join(out, 'bfcl-gorillafilesystem-without-rm', 'world.yaml'), 'utf8')).not.toContain('name: rm')
  expect(await here('world', 'check', join(out, 'bfcl-gorillafilesystem'))).toMatchObject({
    code: 0,
    out: expect.stringContaining('2 of 2 references pass'),
  })
})

test('a folder is imported as its archive is, and a folder of a world too', async () => {
  const data = join(root.path, 'data')
  for (const [name, content] of Object.entries(bfclData)) {
    mkdirSync(dirname(join(root.path, name)), { recursive: true })
    writeFileSync(join(root.path, name), content)
  }
  const [unpacked, again] = [join(root.path, 'unpacked'), join(root.path, 'again')]
  expect(await here('world', 'import', data, '--out', unpacked)).toMatchObject({ code: 0, out: expect.stringContaining('Wrote') })
  const tasks = (folder: string) => readFileSync(join(folder, 'tasks.jsonl'), 'utf8')
  const world = 'bfcl-gorillafilesystem'
  expect(tasks(join(unpacked, world))).toBe(tasks(join(root.path, 'worlds', world)))
  expect(await here('world', 'import', join(unpacked, world), '--out', again)).toMatchObject({ code: 0 })
  expect(tasks(again)).toBe(tasks(join(unpacked, world)))
})

test('a model passes by the state at the end and the reads of the reference, in turns of its own', async () => {
  const world = join(root.path, 'worlds', 'bfcl-gorillafilesystem')
  const call = (name: string, given: object) => ({ calls: [{ name, arguments: given }] })
  const begin = [call('mkdir', { dir_name: 'b' }), call('mv', { source: 'a.txt', destination: 'b' }), { answer: 'Moved.' }]
  const play = async (...moves: object[]) => {
    const path = join(root.path, 'moves.json')
    writeFileSync(path, JSON.stringify([...begin, ...moves, { answer: 'Done.' }]))
    return here('world', 'try', world, '--task', 'multi_turn_base_0', '--moves', path)
  }
  const enter = call('cd', { folder: 'b' })
  expect(await play(enter, call('tail', { file_name: 'a.txt', lines: 10 }))).toMatchObject({ code: 0 })
  const unread = await play(enter)
  expect(unread).toMatchObject({ code: exitCodes.gateFailed, out: expect.stringContaining('tail') })
  expect((await play(enter, call('tail', { file_name: 'a.txt', lines: 1 }))).code).toBe(exitCodes.gateFailed)
  const removed = await play(enter, call('tail', { file_name: 'a.txt' }), call('rm', { file_name: 'a.txt' }))
  expect(removed).toMatchObject({ code: exitCodes.gateFailed, out: expect.stringContaining('a.txt') })
})

test('a turn without what a call needs fails a model that calls something in it', async () => {
  const world = join(root.path, 'worlds', 'bfcl-gorillafilesystem')
  const play = async (...moves: object[]) => {
    const path = join(root.path, 'moves.json')
    writeFileSync(path, JSON.stringify(moves))
    return here('world', 'try', world, '--task', 'multi_turn_miss_param_0', '--moves', path)
  }
  const call = { calls: [{ name: 'mkdir', arguments: { dir_name: 'b' } }] }
  expect((await play({ answer: 'Which name?' }, call, { answer: 'Done.' })).code).toBe(0)
  const guessed = await play(call, { answer: 'Done.' }, { answer: 'It is b.' })
  expect(guessed).toMatchObject({ code: exitCodes.gateFailed, out: expect.stringContaining('was not expected') })
})

test.each([
  ['data/possible_answer/BFCL_v4_multi_turn_base.json', undefined, 'has no "possible_answer/BFCL_v4_multi_turn_base.json"'],
  ['data/multi_turn_func_doc/gorilla_file_system.json', undefined, 'has no "multi_turn_func_doc/gorilla_file_system.json"'],
  ['data/BFCL_v4_multi_turn_base.json', '{"id": 7}', 'BFCL_v4_multi_turn_base.json:1: "id" must be text'],
  [
    'data/possible_answer/BFCL_v4_multi_turn_base.json',
    lines({ id: 'multi_turn_base_0', ground_truth: [['import os']] }),
    'as a call in Python',
  ],
])('an archive that lacks or breaks %s is refused with the place', async (name, content, message) => {
  const { [name as keyof typeof bfclData]: _, ...rest } = bfclData
  const path = archive({ ...rest, ...(content !== undefined && { [name]: content }) })
  expect(await here('world', 'import', path, '--out', join(root.path, 'refused'))).toMatchObject({
    code: 2,
    err: expect.stringContaining(message),
  })
})
