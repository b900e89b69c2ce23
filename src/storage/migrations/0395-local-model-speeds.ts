/** How fast models of files are on this machine, by what they are loaded with. */
export const localModelSpeeds = `
create table local_model_speeds (
  loaded_with text primary key,
  prompt_tokens_per_second real not null,
  generated_tokens_per_second real not null,
  measured_at text not null
) strict;
`
