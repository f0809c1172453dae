import { expect, test } from 'vitest'
import { networkOf } from './network.ts'

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.0/24'],
  ['::ffff:cb00:7109', '203.0.113.0/24'],
  ['::FFFF:CB00:7109', '203.0.113.0/24'],
  ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.0/24'],
  ['0000:0000:0000:0000:0000:ffff:203.0.113.9', '203.0.113.0/24'],
  ['::ffff:0.0.0.9', '0.0.0.0/24'],
  // Translated or obsolete forms are not IPv4 addresses.
  ['::ffff:0:cb00:7109', '::/48'],
  ['::cb00:7109', '::/48'],
  ['127.0.0.1', '127.0.0.0/24'],
  ['::1', '::/48'],
  ['2001:db8:7:1::9', '2001:db8:7::/48'],
  ['2001:0DB8:0007:1:2:3:4:5', '2001:db8:7::/48'],
  ['2001:db8::5', '2001:db8::/48'],
  ['2001:0:9:8:7:6:5:4', '2001:0:9::/48'],
  ['fe80::1%eth0', 'fe80::/48'],
  ['somewhere', null],
  ['', null],
])('records %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('keeps the requested number of bits', () => {
  expect(networkOf('2001:db8:7:1:2::9', { v4: 32, v6: 64 })).toBe('2001:db8:7:1::/64')
  expect(networkOf('203.0.113.9', { v4: 32, v6: 64 })).toBe('203.0.113.9/32')
  expect(networkOf('::ffff:cb00:7109', { v4: 32, v6: 64 })).toBe('203.0.113.9/32')
})
