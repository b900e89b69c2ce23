const words =
  /\b(?:wait|actually|correction|sorry|mistake|mistaken|wrong|error|oops|re-?check|re-?consider|re-?evaluat\w+|on second thought|hmm|no,|instead|but|however|therefore|thus|so|hence|conclude)\b/i

/** Whether the text between two statements says that the later one replaces the earlier. */
export function isCorrection(text: string, from: number, to: number): boolean {
  return words.test(text.slice(from, Math.min(to, from + 5000)))
}
