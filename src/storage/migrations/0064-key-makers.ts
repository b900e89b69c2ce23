/** Which person made a key, so that a decision that a key made has an author. Null: made before this was kept. */
export const keyMakers = `
alter table api_keys add column made_by text;
`
