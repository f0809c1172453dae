import { expect, test } from 'vitest'
import { z } from 'zod'
import { all } from './endpoints-under-test.ts'

/** What gives out something else than it was given. Answers are parsed by their schemas, which would do that to them. */
const CHANGING = ['transform', 'pipe', 'default', 'prefault', 'catch', 'custom']

const isSchema = (value: unknown): value is z.core.$ZodType => value instanceof z.core.$ZodType

/** Every kind of schema within one. */
function kindsIn(schema: z.core.$ZodType): Set<string> {
  const kinds = new Set<string>()
  z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override: ({ zodSchema }) => void kinds.add(zodSchema._zod.def.type),
  })
  return kinds
}

test.each(all.filter(([, { reply }]) => isSchema(reply)))(
  '%s: its reply changes nothing of what it describes',
  (_, { reply }) => {
    expect([...kindsIn(reply as z.core.$ZodType)].filter((kind) => CHANGING.includes(kind))).toEqual([])
  },
)

test('what changes something would be seen', () => {
  for (const changing of [z.string().transform(Number), z.string().default('a'), z.string().catch('a'), z.stringbool()])
    expect([...kindsIn(z.array(z.object({ nested: changing })))].some((kind) => CHANGING.includes(kind))).toBe(true)
})
