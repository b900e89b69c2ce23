/** How many tokens the prompt of a task has, so that each is counted for the first quote only. They go with their version. */
export const promptTokens = `
create table prompt_tokens (
  task_no integer not null references tasks on delete cascade, recipe blob not null check (length(recipe) = 32), tokens integer not null check (tokens >= 0),
  primary key (task_no, recipe)
) strict, without rowid;
`
