/** An evaluator that nothing rests on can be deleted with its versions: foreign keys and `service/items` keep the others. */
export const deletableEvaluators = `
drop trigger evaluator_versions_kept;
`
