import { expect, test } from '@jest/globals';
import { clientOf, ownWork, Shares } from './clients.ts';

const ipv4 = (address: string, provider: string, network: string) => ({
  provider,
  network,
  site: address,
  prefix: address,
  address,
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
])('%s is an address of the provider 203.0.0.0/16 and the network 203.0.113.0/24', (written, address) => {
  expect(clientOf(written)).toEqual(ipv4(address, '203.0.0.0/16', '203.0.113.0/24'));
});

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48', '2001:db8:1:0::/56', '2001:db8:1:2::/64', '2001:db8:1:2:3:4:5:6'],
  [
    '2001:0DB8:0001:ffff::9',
    '2001:db8:1::/48',
    '2001:db8:1:ff00::/56',
    '2001:db8:1:ffff::/64',
    '2001:db8:1:ffff:0:0:0:9',
  ],
  ['2001:db8:1:12ab::', '2001:db8:1::/48', '2001:db8:1:1200::/56', '2001:db8:1:12ab::/64', '2001:db8:1:12ab:0:0:0:0'],
  ['2001:db8::1', '2001:db8:0::/48', '2001:db8:0:0::/56', '2001:db8:0:0::/64', '2001:db8:0:0:0:0:0:1'],
  ['::1', '0:0:0::/48', '0:0:0:0::/56', '0:0:0:0::/64', '0:0:0:0:0:0:0:1'],
  ['fe80::1%eth0', 'fe80:0:0::/48', 'fe80:0:0:0::/56', 'fe80:0:0:0::/64', 'fe80:0:0:0:0:0:0:1'],
])('%s is of a provider, a network, a site and a prefix', (written, network, site, prefix, address) => {
  const provider = network.replace(/:[^:]*::\/48$/, '::/32');
  expect(clientOf(written)).toEqual({ provider, network, site, prefix, address });
});

test.each(['203.0.113.9:4711', '', undefined])(
  '%p is no address, and one client with all others of the kind',
  (written) => {
    expect(clientOf(written)).toEqual(ownWork('unknown'));
  },
);

test('places are shared by prefix and by network, and given back once', () => {
  const shares = new Shares({ all: 5, network: 3, prefix: 2 });
  const take = (address: string) => shares.take(clientOf(address));
  const first = take('2001:db8:1:1::1');
  expect([take('2001:db8:1:1::2'), take('2001:db8:1:1::3')]).toEqual([expect.any(Function), 'prefix']);
  expect([take('2001:db8:1:2::1'), take('2001:db8:1:3::1')]).toEqual([expect.any(Function), 'network']);
  expect([take('203.0.113.1'), take('203.0.113.1'), take('198.51.100.1')]).toEqual([
    expect.any(Function),
    expect.any(Function),
    'all',
  ]);
  if (typeof first === 'function') for (const end of [first, first]) end();
  expect([take('2001:db8:1:4::1'), take('198.51.100.1')]).toEqual([expect.any(Function), 'all']);
});
