/** The furthest that a job got may be a part of a whole, as a backup tells it: a whole number could not be stored, and the job had no end. */
export const jobFractions = `
alter table jobs rename column furthest to furthest_whole;
alter table jobs add column furthest real not null default 0;
update jobs set furthest = furthest_whole;
alter table jobs drop column furthest_whole;
`
