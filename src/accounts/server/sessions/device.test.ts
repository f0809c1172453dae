import { expect, test } from 'vitest'
import { deviceOf } from './sessions.ts'

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)'
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  [`${MAC} Version/18.5 Safari/605.1.15`, 'Safari', 'macOS'],
  [`${PHONE} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari', 'iOS'],
  [`${WINDOWS} Chrome/153.0.0.0 Safari/537.36 Edg/153.0.0.0`, 'Microsoft Edge', 'Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
  [`${WINDOWS} Chrome/153.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
])('%s', (agent, browser, system) => {
  expect(deviceOf(agent)).toEqual({ browser, system })
})

test.each([undefined, '', 'node', 'http://evil.example/now x y', 'Call 01632960000/1 (x) y', '/1'.repeat(9000)])(
  'returns no names for an unknown user agent: %s',
  (agent) => {
    expect(deviceOf(agent)).toEqual({ browser: null, system: null })
  },
)
