import { expect, test } from '@jest/globals';
import { addressNetwork } from './address-network.ts';

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.0/24'],
  ['::FFFF:cb00:7109', '203.0.113.0/24'],
  ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:0DB8:0001:ffff::9', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['203.0.113.9:4711', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('%s is of the network %s', (address, network) => {
  expect(addressNetwork(address)).toBe(network);
});
