/** What a task's prompt has beside plain text, and how many answers it asks for; null for one question in plain text. */
export const taskShape = `
alter table tasks add column shape text;
`
