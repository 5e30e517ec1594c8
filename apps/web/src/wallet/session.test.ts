import { ApiError } from '@archive/client';
import { ENDPOINTS, PRODUCT_SLUG, type SignInInput, type User } from '@archive/contracts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import bs58 from 'bs58';
import { setTheme, useTheme } from '../lib/use-theme.ts';
import { settle } from '../testing/settle.ts';
import { closeAllToasts } from '../ui/toasts.tsx';
import {
  abandonSignIn,
  checkSession,
  compareAccounts,
  endDeadSession,
  followStorage,
  logOut,
  logOutEverywhere,
  restoreSession,
  type SigningWallet,
  saveProfile,
  signIn,
  signInAgain,
  signText,
  walletDisconnected,
} from './session.ts';
import { readToken } from './session-storage.ts';
import { type ConnectedWallet, resetWalletState, updateWalletState, walletState } from './wallet-store.ts';

const ALICE = 'A1iceA1iceA1iceA1iceA1iceA1iceA1iceA1iceA1ic';
const BORIS = 'BorisBorisBorisBorisBorisBorisBorisBorisBori';
const TOKEN = `${PRODUCT_SLUG}.token`;

interface Asked {
  call: string;
  body: unknown;
  authorization: string | null;
}

let asked: Asked[];
let answers: Record<string, () => unknown>;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  resetWalletState();
  asked = [];
  answers = {
    [`POST ${ENDPOINTS.challenge.path}`]: () => ({ challenge: 'sign me', signIn: { nonce: 'n' } }),
    [`POST ${ENDPOINTS.verify.path}`]: () => ({ token: 'token-1', user: person(ALICE) }),
    [`GET ${ENDPOINTS.me.path}`]: () => ({ ...person(ALICE), user: person(ALICE) }),
    [`POST ${ENDPOINTS.logout.path}`]: () => new Response(null, { status: 204 }),
  };
  globalThis.fetch = jest.fn<typeof fetch>(async (input, init) => {
    const call = `${init?.method ?? 'GET'} ${String(input)}`;
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    asked.push({ call, body, authorization: new Headers(init?.headers).get('Authorization') });
    const answer = await answers[call]?.();
    if (answer instanceof Response) return answer;
    return answer === undefined ? refusal(404) : Response.json(answer);
  });
});

afterEach(() => closeAllToasts());

function refusal(status: number) {
  return Response.json({ status, code: 'unauthorized', message: 'No.' }, { status });
}

function person(walletAddress: string): User {
  return {
    _id: walletAddress.slice(0, 5),
    walletAddress,
    profileSettings: { displayName: '', avatar: null, bio: '' },
    preferences: { notifications: true, theme: 'system' },
    activity: { interactions: [] },
    createdAt: '2026-11-20T10:00:00.000Z',
  };
}

function plainWallet(over: Partial<SigningWallet> = {}): SigningWallet {
  return {
    name: 'Plain',
    address: () => ALICE,
    connect: jest.fn(async () => {}),
    signMessage: jest.fn(async (_: Uint8Array) => new Uint8Array(64).fill(7)),
    signIn: null,
    ...over,
  };
}

function connected(address: string, over: Partial<ConnectedWallet> = {}): ConnectedWallet {
  return {
    name: 'Plain',
    address,
    signMessage: async () => new Uint8Array(64),
    signTransaction: null,
    currentAddress: () => address,
    disconnect: jest.fn(async () => {}),
    ...over,
  };
}

describe('signing in', () => {
  test('connects, signs the challenge as it came, and keeps the token in both stores', async () => {
    const wallet = plainWallet();
    await signIn(wallet);
    expect(wallet.connect).toHaveBeenCalledTimes(1);
    expect(wallet.signMessage).toHaveBeenCalledWith(new TextEncoder().encode('sign me'));
    expect(asked.map(({ call, body }) => [call, body])).toEqual([
      [`POST ${ENDPOINTS.challenge.path}`, { walletAddress: ALICE }],
      [
        `POST ${ENDPOINTS.verify.path}`,
        { walletAddress: ALICE, message: 'sign me', signature: bs58.encode(new Uint8Array(64).fill(7)) },
      ],
    ]);
    expect(walletState().user?.walletAddress).toBe(ALICE);
    expect(localStorage.getItem(TOKEN)).toBe('token-1');
    expect(sessionStorage.getItem(TOKEN)).toBe('token-1');
  });

  test('takes one prompt where the wallet can, and sends back the text it signed', async () => {
    const atOnce = jest.fn(async (_: SignInInput) => ({
      address: ALICE,
      signedMessage: new TextEncoder().encode('signed text ✓'),
      signature: new Uint8Array(64).fill(1),
    }));
    const wallet = plainWallet({ signIn: atOnce });
    await signIn(wallet);
    expect(wallet.connect).not.toHaveBeenCalled();
    expect(atOnce.mock.calls).toEqual([[{ nonce: 'n' }]]);
    expect(asked[0]?.body).toEqual({});
    expect(asked[1]?.body).toMatchObject({ walletAddress: ALICE, message: 'signed text ✓' });
  });

  test('opens one prompt per wallet, however often it is asked', async () => {
    const wallet = plainWallet();
    await Promise.all([signIn(wallet), signIn(wallet), signIn(wallet)]);
    expect(wallet.signMessage).toHaveBeenCalledTimes(1);
  });

  test('an abandoned prompt signs nobody in, unless it is asked for again', async () => {
    let first: Promise<unknown> = Promise.resolve();
    const sign = await new Promise<(signature: Uint8Array) => void>((prompted) => {
      first = signIn(plainWallet({ signMessage: () => new Promise((resolve) => prompted(resolve)) }));
    });
    abandonSignIn('Plain');
    sign(new Uint8Array(64));
    await first;
    expect(walletState().token).toBeNull();
    expect(asked.some(({ call }) => call.endsWith(ENDPOINTS.verify.path))).toBe(false);
  });

  test('one that is abandoned before its prompt opens none', async () => {
    let answer = (_: unknown) => {};
    answers[`POST ${ENDPOINTS.challenge.path}`] = () => new Promise((resolve) => (answer = resolve));
    for (const signsAtOnce of [true, false]) {
      const atOnce = jest.fn<NonNullable<SigningWallet['signIn']>>();
      const wallet = plainWallet({ signIn: signsAtOnce ? atOnce : null });
      const done = signIn(wallet);
      await settle();
      abandonSignIn('Plain');
      answer({ challenge: 'sign me', signIn: { nonce: 'n' } });
      await done;
      expect([atOnce.mock.calls, (wallet.signMessage as jest.Mock).mock.calls]).toEqual([[], []]);
    }
  });

  test('one that is abandoned while the server looks at it begins no session, and leaves none on the server', async () => {
    let answer = (_: unknown) => {};
    answers[`POST ${ENDPOINTS.verify.path}`] = () => new Promise((resolve) => (answer = resolve));
    const done = signIn(plainWallet());
    await settle();
    abandonSignIn('Plain');
    answer({ token: 'token-1', user: person(ALICE) });
    await done;
    expect([walletState().token, readToken()]).toEqual([null, null]);
    expect(asked.at(-1)).toMatchObject({ call: `POST ${ENDPOINTS.logout.path}`, authorization: 'Bearer token-1' });
  });

  test('says when the wallet cannot sign, and asks the server for nothing', async () => {
    await expect(signIn(plainWallet({ signMessage: null }))).rejects.toThrow(
      'Wallet not connected or does not support message signing',
    );
    expect(asked).toEqual([]);
  });

  test('says when the wallet does not connect', async () => {
    const connect = () => Promise.reject(new Error('0x1'));
    await expect(signIn(plainWallet({ connect }))).rejects.toThrow('Failed to connect wallet. Please try again.');
  });

  test('a failure can be tried again', async () => {
    answers[`POST ${ENDPOINTS.verify.path}`] = () => refusal(401);
    const wallet = plainWallet();
    await expect(signIn(wallet)).rejects.toThrow('No.');
    expect(walletState().token).toBeNull();
    answers[`POST ${ENDPOINTS.verify.path}`] = () => ({ token: 'token-2', user: person(ALICE) });
    await signIn(wallet);
    expect(walletState().token).toBe('token-2');
  });

  test('with a saved token of the same account, connecting is enough', async () => {
    localStorage.setItem(TOKEN, 'saved');
    const wallet = plainWallet();
    await signIn(wallet);
    expect(wallet.signMessage).not.toHaveBeenCalled();
    expect(walletState().token).toBe('saved');
  });

  test('with a saved token of another account, that session ends and a new one begins', async () => {
    localStorage.setItem(TOKEN, 'saved');
    answers[`POST ${ENDPOINTS.verify.path}`] = () => ({ token: 'token-b', user: person(BORIS) });
    await signIn(plainWallet({ address: () => BORIS }));
    expect(walletState().user?.walletAddress).toBe(BORIS);
    expect(asked.find(({ call }) => call.endsWith(ENDPOINTS.logout.path))?.authorization).toBe('Bearer saved');
  });
});

describe('a saved token', () => {
  test('brings the profile, once for all who ask', async () => {
    sessionStorage.setItem(TOKEN, 'saved');
    await Promise.all([restoreSession(), restoreSession()]);
    expect(asked).toEqual([{ call: `GET ${ENDPOINTS.me.path}`, body: undefined, authorization: 'Bearer saved' }]);
    expect(walletState().user?.walletAddress).toBe(ALICE);
  });

  test('leaves the theme that was chosen before its profile came, and saves it', async () => {
    localStorage.setItem(TOKEN, 'saved');
    resetWalletState();
    const saved = person(ALICE);
    saved.preferences.theme = 'light';
    answers[`GET ${ENDPOINTS.me.path}`] = () => {
      const { result, unmount } = renderHook(useTheme);
      unmount();
      result.current[1]('dark');
      return { user: saved };
    };
    await restoreSession();
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(asked.at(-1)).toEqual({
      call: `${ENDPOINTS.updatePreferences.method} ${ENDPOINTS.updatePreferences.path}`,
      body: { theme: 'dark' },
      authorization: 'Bearer saved',
    });
  });

  test('that is dead is forgotten', async () => {
    localStorage.setItem(TOKEN, 'dead');
    answers[`GET ${ENDPOINTS.me.path}`] = () => refusal(401);
    await restoreSession();
    expect(localStorage.getItem(TOKEN)).toBeNull();
    expect(walletState().restoring).toBeNull();
  });

  test('is kept while the server is away, and tried again on focus', async () => {
    localStorage.setItem(TOKEN, 'saved');
    answers[`GET ${ENDPOINTS.me.path}`] = () => refusal(503);
    await restoreSession();
    expect(localStorage.getItem(TOKEN)).toBe('saved');
    expect(walletState().token).toBeNull();
    answers[`GET ${ENDPOINTS.me.path}`] = () => ({ user: person(ALICE) });
    await checkSession();
    expect(walletState().token).toBe('saved');
  });

  test('signs nobody in when a logout overtakes its answer', async () => {
    localStorage.setItem(TOKEN, 'saved');
    answers[`GET ${ENDPOINTS.me.path}`] = () => {
      localStorage.clear();
      sessionStorage.clear();
      return { user: person(ALICE) };
    };
    await restoreSession();
    expect(walletState().user).toBeNull();
  });
});

describe('a session', () => {
  beforeEach(() => signIn(plainWallet()));

  test('ends when the wallet is on another account', async () => {
    compareAccounts(ALICE);
    expect(walletState().token).toBe('token-1');
    compareAccounts(BORIS);
    expect(walletState().token).toBeNull();
    expect(localStorage.getItem(TOKEN)).toBeNull();
    expect(asked.at(-1)).toMatchObject({ call: `POST ${ENDPOINTS.logout.path}`, authorization: 'Bearer token-1' });
  });

  test('signs nothing with an account that changed without a word', async () => {
    const signMessage = jest.fn(async () => new Uint8Array(64));
    updateWalletState({ wallet: connected(ALICE, { currentAddress: () => BORIS, signMessage }) });
    await expect(signText('hello')).rejects.toThrow('Wallet not connected or does not support message signing');
    expect(signMessage).not.toHaveBeenCalled();
    expect(walletState().token).toBeNull();
  });

  test('ends with a logout, here, at the server, in the stores, and in the wallet', async () => {
    const wallet = connected(ALICE);
    updateWalletState({ wallet });
    await logOut();
    expect(walletState().user).toBeNull();
    expect(asked.at(-1)).toMatchObject({ call: `POST ${ENDPOINTS.logout.path}`, authorization: 'Bearer token-1' });
    expect([localStorage.getItem(TOKEN), sessionStorage.getItem(TOKEN)]).toEqual([null, null]);
    expect(wallet.disconnect).toHaveBeenCalledTimes(1);
  });

  test('ends everywhere, here only once the server says so', async () => {
    const wallet = connected(ALICE);
    updateWalletState({ wallet });
    const call = `POST ${ENDPOINTS.logoutEverywhere.path}`;
    answers[call] = () => Promise.reject(new TypeError('offline'));
    await logOutEverywhere();
    expect(walletState().token).toBe('token-1');
    answers[call] = () => new Response(null, { status: 204 });
    await logOutEverywhere();
    expect(asked.at(-1)).toMatchObject({ call, authorization: 'Bearer token-1' });
    expect([walletState().user, localStorage.getItem(TOKEN), sessionStorage.getItem(TOKEN)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(wallet.disconnect).toHaveBeenCalledTimes(1);
  });

  test("ends with another tab's logout, this tab's own copy included", async () => {
    const wallet = connected(ALICE);
    updateWalletState({ wallet });
    localStorage.removeItem(TOKEN);
    await followStorage(null);
    expect(walletState().token).toBeNull();
    expect(sessionStorage.getItem(TOKEN)).toBeNull();
    expect(wallet.disconnect).toHaveBeenCalledTimes(1);
  });

  test('outlives its wallet, as long as it is known whose it is', () => {
    walletDisconnected();
    expect(walletState().token).toBe('token-1');
    localStorage.removeItem(`${PRODUCT_SLUG}.user`);
    sessionStorage.removeItem(`${PRODUCT_SLUG}.user`);
    walletDisconnected();
    expect(walletState().token).toBeNull();
  });

  test('keeps a saved profile, and says false where it was not saved', async () => {
    const saved = { ...person(ALICE), profileSettings: { displayName: 'Ines', avatar: null, bio: '' } };
    answers[`PUT ${ENDPOINTS.updateProfile.path}`] = () => ({ ...saved, user: saved });
    expect(await saveProfile({ displayName: 'Ines' })).toBe(true);
    expect(walletState().user?.profileSettings.displayName).toBe('Ines');
    answers[`PUT ${ENDPOINTS.updateProfile.path}`] = () => refusal(400);
    expect(await saveProfile({ displayName: 'x' })).toBe(false);
    expect(walletState().token).toBe('token-1');
    answers[`PUT ${ENDPOINTS.updateProfile.path}`] = () => refusal(401);
    expect(await saveProfile({ displayName: 'x' })).toBe(false);
    expect(walletState().token).toBeNull();
  });

  test('ends without a word to a server that has ended it by itself, and its wallet is chosen no longer', async () => {
    localStorage.setItem(`${PRODUCT_SLUG}.wallet`, 'Plain');
    const before = asked.length;
    await logOut({ isEnded: true });
    expect(asked).toHaveLength(before);
    expect([walletState().token, localStorage.getItem(`${PRODUCT_SLUG}.wallet`)]).toEqual([null, null]);
  });

  test('ends where the server takes it no longer; a refused signature does not end it', () => {
    endDeadSession(new ApiError(401, 'No.', { code: 'signature_invalid' }));
    endDeadSession(new ApiError(403, 'No.'));
    endDeadSession(new Error('away'));
    expect(walletState().token).toBe('token-1');
    endDeadSession(new ApiError(401, 'No.', { code: 'unauthorized' }));
    expect([walletState().token, walletState().user]).toEqual([null, null]);
  });

  test('a late answer about another person changes nothing', async () => {
    const boris = { ...person(BORIS), profileSettings: { displayName: 'Boris', avatar: null, bio: '' } };
    answers[`PUT ${ENDPOINTS.updateProfile.path}`] = () => ({ ...boris, user: boris });
    await saveProfile({ displayName: 'Boris' });
    expect(walletState().user?.walletAddress).toBe(ALICE);
  });

  test('a sign-in of this moment asks the connected wallet, and without one the dialog of wallets', async () => {
    await expect(signInAgain()).rejects.toThrow('Connect your wallet first');
    expect(walletState().isDialogOpen).toBe(true);
    updateWalletState({ wallet: connected(ALICE, { signMessage: null }) });
    await expect(signInAgain()).rejects.toThrow('does not support message signing');
    answers[`POST ${ENDPOINTS.verify.path}`] = () => ({ token: 'token-2', user: person(ALICE) });
    updateWalletState({ wallet: connected(ALICE) });
    await signInAgain();
    expect([walletState().token, localStorage.getItem(TOKEN)]).toEqual(['token-2', 'token-2']);
  });
});

test.each([
  ['dark', 'dark'],
  ['system', 'light'],
] as const)('an account that prefers %s, in a page that is light, draws it %s', async (theme, expected) => {
  setTheme('light');
  const user = person(ALICE);
  const preferring = { ...user, preferences: { ...user.preferences, theme } };
  answers[`POST ${ENDPOINTS.verify.path}`] = () => ({ token: 'token-1', user: preferring });
  await signIn(plainWallet());
  expect(document.documentElement.dataset['theme']).toBe(expected);
  setTheme('system');
});

test('where storage is forbidden, a session lasts as long as the page', async () => {
  const forbid = (name: 'getItem' | 'setItem' | 'removeItem') =>
    jest.spyOn(Storage.prototype, name).mockImplementation(() => {
      throw new Error('forbidden');
    });
  const spies = [forbid('getItem'), forbid('setItem'), forbid('removeItem')];
  try {
    await signIn(plainWallet());
    expect(readToken()).toBe('token-1');
    await logOut();
    expect(readToken()).toBeNull();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
});
