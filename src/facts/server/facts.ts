// What other server code may call of this part.
export { FactsOfTheDay } from './facts-of-the-day.ts'
export { factsNow, factsThen, vatByDay } from './kept-facts.ts'
