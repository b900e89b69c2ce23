/**
 * What a reader of an answer must know of it, so that results count it: codes of the contract's notices, separated by spaces. Null where an
 * earlier release wrote the attempt; how its answer ended tells its notices then. `served_model`: the provider's name of the model that
 * answered, where it is not the requested one.
 */
export const attemptNotices = `
alter table attempts add column notices text;
alter table attempts add column served_model text;
`
