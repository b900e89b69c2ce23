/** Finds the few tasks that are no tests of their benchmark, which are otherwise counted by reading all tasks. */
export const canonicalTasks = `
create index tasks_canonical on tasks (version_no) where split = 'canonical';
`
