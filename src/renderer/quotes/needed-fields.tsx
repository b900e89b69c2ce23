/** What must be chosen or mended before there can be a quote. */
export function NeededFields({ problems }: { readonly problems: readonly string[] }) {
  return (
    <ul className="quotes-missing" aria-label="Still needed">
      {problems.map(problem => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  )
}
