/** Of the quote of a score's run; JSON where it is passed on, not its text. */
const changed = `(select q.record -> ('$.profiles[' || new.position || '].changed')
  from runs r join quotes q on q.id = r.quote_id where r.no = new.run_no)`

/** What the run of a score has set otherwise than its profile: such a score is not pooled with those of the profile. */
export const changedSettings = `
create trigger run_scores_changed after insert on run_scores when ${changed} is not null begin
  update run_scores set score = json_set(score, '$.profile.changed', json(${changed}))
  where run_no = new.run_no and position = new.position;
end;
`
