/** What is unusual about the files of an import. */
export class FileCautions {
  readonly #seen = new Map<string, { count: number; readonly first: string }>()

  note(cautions: readonly string[], place: string): void {
    for (const caution of cautions) {
      const seen = this.#seen.get(caution)
      if (seen) seen.count++
      else this.#seen.set(caution, { count: 1, first: place })
    }
  }

  /** A sentence for each, with how many files it is of and the first. */
  sentences(): string[] {
    return [...this.#seen].map(
      ([text, { count, first }]) =>
        `${count === 1 ? `One file, ${first}` : `${count.toLocaleString('en')} files, first ${first}`}: ${text}`,
    )
  }
}
