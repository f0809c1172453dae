import { expect, test } from 'vitest'
import { demo, faultsOf, live } from './settings-under-test.ts'

test.each(['-1', '65536', '3000.5', 'x'])('refuses port %s', (PORT) => {
  expect(faultsOf({ PORT })).toEqual(['PORT must be a port number'])
})

test('reads the address to listen on and the site’s own address', () => {
  expect(demo({ PORT: '8080', HOST: '0.0.0.0' })).toMatchObject({
    port: 8080,
    host: '0.0.0.0',
    appUrl: 'http://localhost:8080',
  })
  expect(live({ PORT: '80', HOST: '10.0.0.5' })).toMatchObject({ port: 80, host: '10.0.0.5' })
  expect(live({ APP_URL: 'https://studio.example/' }).appUrl).toBe('https://studio.example')
  expect(demo({ DATABASE_URL: 'postgresql://u:p@db/studio' }).databaseUrl).toBe('postgresql://u:p@db/studio')
})

test.each([
  ['off', false],
  ['false', false],
  ['on', true],
  ['true', true],
  ['1', 1],
  ['2', 2],
  ['127.0.0.1', ['127.0.0.1']],
  ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ['loopback,uniquelocal', ['loopback', 'uniquelocal']],
])('TRUST_PROXY=%s', (TRUST_PROXY, expected) => {
  expect(demo({ TRUST_PROXY }).trustProxy).toEqual(expected)
})

test.each(['yes', '10.0.0.0/33', '10.0.0.0/8/8', '1.2.3', '10.0.0.1,', 'proxy.example', '/8'])(
  'TRUST_PROXY=%s is refused',
  (TRUST_PROXY) => {
    expect(faultsOf({ TRUST_PROXY })).toHaveLength(1)
  },
)
