import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exitCodes } from '../../src/headless/exit-codes.ts'
import { assayHere } from '../support/assay-here.ts'
import { makeZip } from '../support/make-zip.ts'
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

const lines = (...values: object[]) => values.map(value => JSON.stringify(value)).join('\n')
const said = (...turns: string[]) => turns.map(content => [{ role: 'user', content }])
const documented = (name: string, properties: object = {}, required: string[] = Object.keys(properties)) => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'dict', properties, required },
})
const text = { type: 'string' }
const initial = {
  GorillaFileSystem: { root: { work: { type: 'directory', contents: { 'a.txt': { type: 'file', content: 'one\ntwo' } } } } },
}
const task = (id: string, more: object) => ({ id, initial_config: initial, path: [], involved_classes: ['GorillaFileSystem'], ...more })

const folder = {
  'data/multi_turn_func_doc/gorilla_file_system.json': lines(
    documented('cd', { folder: text }),
    documented('mkdir', { dir_name: text }),
    documented('mv', { source: text, destination: text }),
    documented('tail', { file_name: text, lines: { type: 'integer', default: 10 } }, ['file_name']),
    documented('rm', { file_name: text }),
  ),
  'data/BFCL_v4_multi_turn_base.json': lines(
    task('multi_turn_base_0', { question: said('Make a folder b and move a.txt there.', 'Show the end of a.txt.') }),
    task('multi_turn_base_1', { question: said('Make a folder c.'), excluded_function: ['rm'] }),
    { ...task('multi_turn_base_2', { question: said('Start the engine.') }), involved_classes: ['VehicleControlAPI'] },
  ),
  'data/possible_answer/BFCL_v4_multi_turn_base.json': lines(
    {
      id: 'multi_turn_base_0',
      ground_truth: [
        ["mkdir(dir_name='b')", "mv('a.txt', destination='b')"],
        ["cd(folder='b')", "tail('a.txt')"],
      ],
    },
    { id: 'multi_turn_base_1', ground_truth: [["mkdir('c')"]] },
    { id: 'multi_turn_base_2', ground_truth: [["startEngine(ignitionMode='START')"]] },
  ),
  'data/BFCL_v4_multi_turn_miss_param.json': lines(task('multi_turn_miss_param_0', { question: said('Make a folder.', 'Call it b.') })),
  'data/possible_answer/BFCL_v4_multi_turn_miss_param.json': lines({ id: 'multi_turn_miss_param_0', ground_truth: [[], ["mkdir('b')"]] }),
  'data/BFCL_v4_multi_turn_miss_func.json': lines(task('multi_turn_miss_func_0', { question: [...said('Delete a.txt.'), []] })),
  'data/possible_answer/BFCL_v4_multi_turn_miss_func.json': lines({ id: 'multi_turn_miss_func_0', ground_truth: [[], ["rm('a.txt')"]] }),
}

function archive(files: Readonly<Record<string, string>>): string {
  const path = join(root.path, 'bfcl.zip')
  writeFileSync(path, makeZip(Object.entries(files).map(([name, content]) => ({ name, content: Buffer.from(content) }))))
  return path
}

test('tasks of several turns become a world for each set of tools, and what is left out is named', async () => {
  const out = join(root.path, 'worlds')
  const made = await here('world', 'import', archive(folder), '--out', out)
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
  ['data/BFCL_v4_multi_turn_base.json', '{"id": 7}', 'BFCL_v4_multi_turn_base.json:1: id'],
  [
    'data/possible_answer/BFCL_v4_multi_turn_base.json',
    lines({ id: 'multi_turn_base_0', ground_truth: [['import os']] }),
    'as a call in Python',
  ],
])('an archive that lacks or breaks %s is refused with the place', async (name, content, message) => {
  const { [name as keyof typeof folder]: _, ...rest } = folder
  const path = archive({ ...rest, ...(content !== undefined && { [name]: content }) })
  expect(await here('world', 'import', path, '--out', join(root.path, 'refused'))).toMatchObject({
    code: 2,
    err: expect.stringContaining(message),
  })
})
