import fc from 'fast-check'
import type { TestResponse } from '#testing/person.ts'
import type { Snapshot } from './snapshot.ts'
import type { World } from './world.ts'

/** The result of a step: its line in the history, the responses, and a check. */
export type StepResult = {
  line: string
  responses: TestResponse[]
  /** Whether the response matches what happened. */
  check?: (before: Snapshot, after: Snapshot) => string[]
  /** The owner confirmed a class on a closed day. */
  onClosedDay?: boolean
  /** Several things happened one after the other, such as a jump in time and a request. */
  isSeveral?: boolean
}

/** `take` returns undefined if there is nothing to do it with, such as no booking to cancel. */
export type Step = { name: string; take(world: World, state: Snapshot): Promise<StepResult | undefined> }

/** `of` makes a step with given choices, `arbitrary` with random ones. */
export type StepDefinition<Choices> = { weight: number; arbitrary: fc.Arbitrary<Step>; of(choices: Choices): Step }

/** A step with random choices. The second call says what it does with them. */
export function defineStep<Choices extends object>(
  name: string,
  weight: number,
  choices: { [Key in keyof Choices]: fc.Arbitrary<Choices[Key]> },
) {
  type Take = (world: World, state: Snapshot, choices: Choices) => Promise<StepResult | undefined>
  return (take: Take): StepDefinition<Choices> => {
    const of = (chosen: Choices): Step => ({
      name,
      take: (world, state) => take(world, state, chosen),
      ...{ [fc.toStringMethod]: () => `${name}${JSON.stringify(chosen)}` },
    })
    // TypeScript cannot infer the record's value type.
    const arbitrary = (fc.record(choices) as fc.Arbitrary<Choices>).map(of)
    return { weight, arbitrary, of }
  }
}

/** Indexes of a member, and of anything else. */
export const memberIndex = fc.nat(2)
export const itemIndex = fc.nat(11)

/** One of the items; the index wraps around. */
export const pick = <Item>(index: number, items: readonly Item[]): Item | undefined => items[index % items.length]

/** The classes on the timetable: upcoming ones, and one that has started. */
export function timetableOf({ classes }: Snapshot, now: Temporal.Instant) {
  const listed = classes.filter(({ deletedAt }) => !deletedAt)
  const toCome = listed.filter(({ startsAt }) => Temporal.Instant.compare(startsAt, now) > 0)
  return [...toCome, ...listed.filter((row) => !toCome.includes(row)).slice(-1)]
}

export const titleOf = ({ classes }: Snapshot, id: number) =>
  classes.find((row) => row.id === id)?.title ?? `class ${id}`

/** The result of one request; a refusal is shown in the line. */
export function toResult(line: string, response: TestResponse, check?: StepResult['check']): StepResult {
  const words = response.status < 400 ? 'done' : `${response.status} ${response.body?.message}`
  return {
    line: `${line}: ${words}`,
    responses: [response],
    ...(check && { check: (b, a) => (response.status < 400 ? check(b, a) : []) }),
  }
}

export function hasPassEnded({ passes }: Snapshot, passId: number | null): boolean {
  const pass = passes.find(({ id }) => id === passId)
  return !pass || Boolean(pass.voidedAt ?? pass.refundedAt)
}

const GRACE_DAYS = 14

/** Source: docs/studio-rules.md#the-studio-cancels. A credit returned by the studio extends a pass to 14 days. */
export function findShortPasses({ passes }: Snapshot, passId: number | null, now: Temporal.Instant): string[] {
  const until = passes.find(({ id }) => id === passId)?.expiresAt ?? now
  const days = now.until(until).total('hours') / 24
  return days >= GRACE_DAYS ? [] : [`pass ${passId} got a credit back from the studio and expires in ${days} days`]
}

/** Combines concurrent steps into one: each one's answer must still hold at the end. */
export function combine(deeds: (StepResult | undefined)[]): StepResult | undefined {
  const done = deeds.filter((one) => one !== undefined)
  if (done.length === 0) return undefined
  return {
    line: `concurrently: ${done.map(({ line }) => line).join(' | ')}`,
    responses: done.flatMap(({ responses }) => responses),
    check: (before, after) => done.flatMap(({ check }) => check?.(before, after) ?? []),
  }
}
