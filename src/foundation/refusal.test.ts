import { expect, test } from 'vitest'
import { endpoint } from './endpoint.ts'
import { Refusal, refusals, refuse } from './refusal.ts'

const shop = refusals({ sold_out: [400, 'This is sold out.'], gone: [404, 'Gone.'] })

test('a refusal has a code, a status and a message', () => {
  expect(shop.sold_out).toEqual({ code: 'sold_out', status: 400, message: 'This is sold out.' })
  const errors = [{ path: 'size', message: 'Please choose a size' }]
  let thrown: unknown
  try {
    refuse(shop.sold_out, errors)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(Refusal)
  expect(thrown).toMatchObject({ code: 'sold_out', status: 400, message: 'This is sold out.', errors })
})

test('refuse can replace a value', () => {
  const found = (value: string | undefined) => value ?? refuse(shop.gone)
  expect(found('here')).toBe('here')
  expect(() => found(undefined)).toThrow('Gone.')
})

test('an endpoint has a method and a path', () => {
  const definition = { who: 'anyone', summary: 'x', response: {} as never } as const
  expect(endpoint('GET /x', definition)).toEqual({ ...definition, method: 'GET', path: '/x' })
})
