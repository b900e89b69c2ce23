/** The bytes are not a package, and why. */
export class PackageFault extends Error {
  override readonly name = 'PackageFault'
  readonly check: 'archive' | 'manifest'

  constructor(check: PackageFault['check'], message: string) {
    super(message)
    this.check = check
  }
}
