/** Words that say nothing about what a task is about. */
const stopWords = new Set(
  (
    'a about above across after all also an and any are as at be because been before being below best between both but by can could did do does doing down each few find for from ' +
    'further get give good had has have having he her here hers him his how i if in into is it its itself just know let like llm llms make many me measure model models more most much my need no nor not of ' +
    'off on once only or other our ours out over own really same see she should show so some such task tasks test tests than that the their them then there these they this those through to too ' +
    'under until up use used using very want was we well were what when where whether which while who whom why will with would you your evaluate evaluation benchmark compare score scores'
  ).split(' '),
)

const mostWords = 40

/** The words of an objective that are worth looking for, each once, in their order. */
export function objectiveWords(objective: string): string[] {
  const words = wordsIn(objective).filter(word => word.length > 1 && !stopWords.has(word))
  return [...new Set(words)].slice(0, mostWords)
}

/** Letters and digits in lower case; everything else parts words, as the search index does it. */
export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
