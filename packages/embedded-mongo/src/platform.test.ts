import { describe, expect, test } from '@jest/globals';
import { openEmbeddedMongo } from './index.ts';
import { engineFooting, type PlatformFacts, UnusablePlatformError } from './platform.ts';

const debian12: PlatformFacts = {
  platform: 'linux',
  arch: 'x64',
  glibc: '2.36',
  distribution: 'debian',
  codename: 'bookworm',
  hasDebianTools: true,
};

describe('engineFooting', () => {
  test('takes the system as it is from glibc 2.38 on, and on a Mac', () => {
    expect(engineFooting({ ...debian12, glibc: '2.38' })).toBe('native');
    expect(engineFooting({ ...debian12, glibc: '2.41', distribution: 'arch' })).toBe('native');
    expect(engineFooting({ ...debian12, platform: 'darwin', arch: 'arm64', glibc: undefined })).toBe('native');
  });

  test('takes newer libraries on an older Debian', () => {
    expect(engineFooting(debian12)).toBe('debian-libraries');
    expect(engineFooting({ ...debian12, arch: 'arm64' })).toBe('debian-libraries');
  });

  test.each([
    ['on musl', { glibc: undefined }, 'this system has no glibc'],
    [
      'on another old distribution',
      { glibc: '2.35', distribution: 'ubuntu' },
      'it needs glibc 2.38, this system has 2.35',
    ],
    ['on a Debian without apt', { hasDebianTools: false }, 'it needs glibc 2.38, this system has 2.36'],
    ['on Windows', { platform: 'win32' }, 'there is no build for win32 on x64'],
    ['on an Intel Mac', { platform: 'darwin', glibc: undefined }, 'there is no build for darwin on x64'],
    ['on other processors', { arch: 'riscv64' }, 'there is no build for linux on riscv64'],
  ])('says in one sentence what to do %s', async (_where, facts, reason) => {
    const opening = openEmbeddedMongo({ directory: '/nonexistent', platform: { ...debian12, ...facts } });
    await expect(opening).rejects.toThrow(UnusablePlatformError);
    await expect(opening).rejects.toThrow(
      `The embedded MongoDB engine cannot run here (${reason}): set MONGODB_URI to a MongoDB server, or start one with docker/mongo.compose.yaml.`,
    );
  });
});
