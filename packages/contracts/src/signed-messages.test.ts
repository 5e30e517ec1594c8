import { expect, test } from '@jest/globals';
import {
  buildDeletionMessage,
  buildLaunchMessage,
  buildProfileMessage,
  buildReactionMessage,
  buildSignInMessage,
} from './signed-messages.ts';

const wallet = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';

test('the sign-in text is what wallets write, byte for byte', () => {
  const input = {
    domain: 'archive.example',
    statement: 'Sign in.',
    uri: 'https://archive.example',
    version: '1',
    chainId: 'mainnet',
    nonce: 'abcdef0123456789',
    issuedAt: '2026-01-02T03:04:05.678Z',
    expirationTime: '2026-01-02T03:09:05.678Z',
  } as const;
  expect(buildSignInMessage(input, wallet)).toBe(
    'archive.example wants you to sign in with your Solana account:\n' +
      `${wallet}\n\nSign in.\n\nURI: https://archive.example\nVersion: 1\nChain ID: mainnet\n` +
      'Nonce: abcdef0123456789\nIssued At: 2026-01-02T03:04:05.678Z\nExpiration Time: 2026-01-02T03:09:05.678Z',
  );
});

test('the reaction text has its keys in a fixed order and leaves absent ones out', () => {
  expect(
    buildReactionMessage({ timestamp: 5, walletAddress: wallet, archiveId: 'a', reactionType: 'heart', action: 'add' }),
  ).toBe(`{"action":"add","reactionType":"heart","archiveId":"a","walletAddress":"${wallet}","timestamp":5}`);
});

test('the profile text carries the change as it is sent', () => {
  expect(
    buildProfileMessage({
      action: 'updateProfile',
      profileData: { bio: '' },
      walletAddress: wallet,
      timestamp: 5,
      domain: 'd',
      nonce: 'n',
    }),
  ).toBe(
    `{"action":"updateProfile","walletAddress":"${wallet}","profileData":{"bio":""},"timestamp":5,"domain":"d","nonce":"n"}`,
  );
});

test('the text that deletes an account names the archive', () => {
  const fields = { walletAddress: wallet, timestamp: 5, domain: 'd', nonce: 'n' };
  expect(buildDeletionMessage({ ...fields, action: 'deleteAccount' })).toBe(
    `{"action":"deleteAccount","walletAddress":"${wallet}","timestamp":5,"domain":"d","nonce":"n"}`,
  );
});

test('the launch sentence is the one of the specification', () => {
  expect(buildLaunchMessage({ name: 'Ada Token', symbol: 'ada', id: '123' })).toBe(
    'I am launching a token named Ada Token with symbol ada for tweet 123',
  );
});
