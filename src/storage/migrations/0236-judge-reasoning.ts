/** Whether a judge thought before it replied, so that a reply without text says why it has none. */
export const judgeReasoning = `
alter table judge_calls add column reasoned integer not null default 0;
`
