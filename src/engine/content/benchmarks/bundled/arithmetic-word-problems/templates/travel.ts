import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

const vehicles = ['train', 'coach', 'ferry', 'cargo ship', 'tram'] as const

/** Two legs at two speeds. */
const legs: Template = draw => {
  const vehicle = draw.pick(vehicles)
  const [speed, hours, otherSpeed, otherHours] = [draw.multiple(5, 20, 95), draw.int(2, 6), draw.multiple(5, 20, 95), draw.int(2, 6)]
  const working = new Working()
  const before = working.times('Kilometres before noon', speed, hours)
  const after = working.times('Kilometres after noon', otherSpeed, otherHours)
  working.plus('Kilometres in all', before, after)
  const ask = draw.pick([`How many kilometres does the ${vehicle} cover that day?`, `How long is the whole journey, in kilometres?`])
  return {
    question:
      `A ${vehicle} runs at ${speed} kilometres an hour for ${hours} hours before noon and at ${otherSpeed} kilometres an hour for ` +
      `${otherHours} hours after noon. ${ask}`,
    steps: working.steps,
  }
}

/** Fuel and tolls of a long drive. */
const driving: Template = draw => {
  const name = draw.pick(people)
  const distance = draw.multiple(100, 200, 1500)
  const [litres, price, tolls, fee] = [draw.int(4, 9), draw.int(2, 3), draw.int(2, 6), draw.int(3, 12)]
  const working = new Working()
  const hundreds = working.dividedBy('Hundreds of kilometres', distance, 100)
  const fuel = working.times('Litres of fuel', hundreds, litres)
  const fuelCost = working.times('Cost of the fuel', fuel, price)
  const tollCost = working.times('Cost of the tolls', tolls, fee)
  working.plus('Cost of the trip', fuelCost, tollCost)
  return {
    question:
      `${name} drives ${distance} kilometres in a car that burns ${litres} litres of fuel for every 100 kilometres. A litre costs ${price} dollars, ` +
      `and there are ${tolls} toll gates on the way that charge ${fee} dollars each. What does the trip cost in dollars?`,
    steps: working.steps,
  }
}

export const travel: readonly Template[] = [legs, driving]
