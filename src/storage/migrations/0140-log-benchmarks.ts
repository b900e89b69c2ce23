/** An import of logs makes any number of benchmarks, and its runs name their profile. */
export const logBenchmarks = `
update answer_imports set record = json_set(
  json_remove(record, '$.benchmark'),
  '$.benchmarks', json(case json_type(record, '$.benchmark') when 'object' then json_array(json_object(
    'slug', json_extract(record, '$.benchmark.slug'),
    'title', json_extract(record, '$.benchmark.slug'),
    'tasks', json_extract(record, '$.tasks.total'),
    'source_ref', json_extract(record, '$.benchmark.source_ref'),
    'already_present', json(iif(json_extract(record, '$.benchmark.already_present'), 'true', 'false'))
  )) else '[]' end),
  '$.runs', json((
    select json_group_array(json_object('run_id', json_extract(value, '$.run_id'), 'model', json_extract(value, '$.model'), 'profile_id', null))
    from json_each(record, '$.runs')
  ))
);
`
