import { expect, test } from 'vitest'
import { z } from 'zod'
import { AmountText, InstantText } from '#foundation/fields.ts'
import { all } from './endpoints-under-test.ts'

/** Responses are parsed by their schemas, which convert instants and amounts and change nothing else. */
const CONVERTING: unknown[] = [InstantText.def, AmountText.def]
const CHANGING = ['transform', 'pipe', 'default', 'prefault', 'catch', 'custom']

const isSchema = (value: unknown): value is z.core.$ZodType => value instanceof z.core.$ZodType

function kindsIn(schema: z.core.$ZodType): Set<string> {
  const kinds = new Set<string>()
  z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override: ({ zodSchema }) => void (CONVERTING.includes(zodSchema._zod.def) || kinds.add(zodSchema._zod.def.type)),
  })
  return kinds
}

test.each(all.filter(([, { response }]) => isSchema(response)))(
  '%s: the response schema changes nothing but instants and amounts',
  (_, { response }) => {
    expect([...kindsIn(response as z.core.$ZodType)].filter((kind) => CHANGING.includes(kind))).toEqual([])
  },
)

test('no request takes what only a response converts', () => {
  const found: string[] = []
  for (const [name, { params, query, body }] of all) {
    for (const schema of [params, query, body]) {
      if (!isSchema(schema)) continue
      const override = ({ zodSchema }: { zodSchema: z.core.$ZodType }) =>
        void (CONVERTING.includes(zodSchema._zod.def) && found.push(name))
      z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override })
    }
  }
  expect(found).toEqual([])
})
