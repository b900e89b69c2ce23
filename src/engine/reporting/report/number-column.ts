/** Numbers of samples that stream by, eight bytes each: in an array, a number with a fraction has an object of its own. */
export class NumberColumn {
  private held = new Float64Array(1024)
  private length = 0

  push(value: number): void {
    if (this.length === this.held.length) {
      const grown = new Float64Array(2 * this.length)
      grown.set(this.held)
      this.held = grown
    }
    this.held[this.length++] = value
  }

  /** A view: what is pushed later is not in it. */
  get values(): Float64Array {
    return this.held.subarray(0, this.length)
  }
}
