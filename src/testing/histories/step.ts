import fc from 'fast-check'
import type { Answer } from '../person.ts'
import type { Snapshot } from './snapshot.ts'
import type { World } from './world.ts'

/** What became of a step: a line of the story, what was answered, and what must be so since. */
export type Deed = {
  line: string
  answers: Answer[]
  /** Whether what was answered is what happened. */
  check?: (before: Snapshot, after: Snapshot) => string[]
  /** The owner confirmed that a class takes place on a closed day. */
  onClosedDay?: boolean
}

/** One thing that somebody does; undefined where there is nothing to do it with (no booking to cancel). */
export type Step = { name: string; take(world: World, state: Snapshot): Promise<Deed | undefined> }

/** A kind of step: how often it comes, with which choices, and how it is taken. */
export type StepKind<Choices> = { weight: number; arbitrary: fc.Arbitrary<Step>; of(choices: Choices): Step }

export function stepKind<Choices extends object>(
  name: string,
  weight: number,
  choices: { [Key in keyof Choices]: fc.Arbitrary<Choices[Key]> },
  take: (world: World, state: Snapshot, choices: Choices) => Promise<Deed | undefined>,
): StepKind<Choices> {
  const of = (chosen: Choices): Step => ({
    name,
    take: (world, state) => take(world, state, chosen),
    ...{ [fc.toStringMethod]: () => `${name}${JSON.stringify(chosen)}` },
  })
  // A record of arbitraries is not told from its result by TypeScript.
  const arbitrary = (fc.record(choices) as fc.Arbitrary<Choices>).map(of)
  return { weight, arbitrary, of }
}

/** Who of the members, and which of whatever there is to choose from. */
export const someone = fc.nat(2)
export const something = fc.nat(11)

/** One of the items, by an index that may be larger than the list. */
export const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length]

/** The classes on the timetable, those to come first: they are picked more often than one that has begun. */
export function timetableOf({ classes }: Snapshot, now: Temporal.Instant) {
  const listed = classes.filter(({ deletedAt }) => !deletedAt)
  const toCome = listed.filter(({ startsAt }) => Temporal.Instant.compare(startsAt, now) > 0)
  return [...toCome, ...listed.filter((row) => !toCome.includes(row)).slice(-1)]
}

/** What a class is called in the story. */
export const titleOf = ({ classes }: Snapshot, id: number) =>
  classes.find((row) => row.id === id)?.title ?? `class ${id}`

/** A deed by its line and answer; what was refused is said in the line. */
export function deed(line: string, answer: Answer, check?: Deed['check']): Deed {
  const words = answer.status < 400 ? 'done' : `${answer.status} ${answer.body?.message}`
  return {
    line: `${line}: ${words}`,
    answers: [answer],
    ...(check && { check: (b, a) => (answer.status < 400 ? check(b, a) : []) }),
  }
}
