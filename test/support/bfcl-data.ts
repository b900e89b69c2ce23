export const jsonLines = (...values: object[]) => values.map(value => JSON.stringify(value)).join('\n')
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

/** BFCL's folder `data` in its published shape: questions, answers, and documentation of functions. */
export const bfclData = {
  'data/multi_turn_func_doc/gorilla_file_system.json': jsonLines(
    documented('cd', { folder: text }),
    documented('mkdir', { dir_name: text }),
    documented('mv', { source: text, destination: text }),
    documented('tail', { file_name: text, lines: { type: 'integer', default: 10 } }, ['file_name']),
    documented('rm', { file_name: text }),
  ),
  'data/BFCL_v4_multi_turn_base.json': jsonLines(
    task('multi_turn_base_0', { question: said('Make a folder b and move a.txt there.', 'Show the end of a.txt.') }),
    task('multi_turn_base_1', { question: said('Make a folder c.'), excluded_function: ['rm'] }),
    { ...task('multi_turn_base_2', { question: said('Start the engine.') }), involved_classes: ['VehicleControlAPI'] },
  ),
  'data/possible_answer/BFCL_v4_multi_turn_base.json': jsonLines(
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
  'data/BFCL_v4_multi_turn_miss_param.json': jsonLines(task('multi_turn_miss_param_0', { question: said('Make a folder.', 'Call it b.') })),
  'data/possible_answer/BFCL_v4_multi_turn_miss_param.json': jsonLines({
    id: 'multi_turn_miss_param_0',
    ground_truth: [[], ["mkdir('b')"]],
  }),
  'data/BFCL_v4_multi_turn_miss_func.json': jsonLines(task('multi_turn_miss_func_0', { question: [...said('Delete a.txt.'), []] })),
  'data/possible_answer/BFCL_v4_multi_turn_miss_func.json': jsonLines({
    id: 'multi_turn_miss_func_0',
    ground_truth: [[], ["rm('a.txt')"]],
  }),
}
