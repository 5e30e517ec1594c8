import {
  type ArchivePage,
  buildLaunchMessage,
  ENDPOINTS,
  type ErrorCode,
  type TokenCheck,
  type User,
} from '@archive/contracts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import bs58 from 'bs58';
import type { ReactNode } from 'react';
import useSWR, { SWRConfig } from 'swr';
import { fetchJson } from '../../lib/api.ts';
import { archivePage, archivePost, publicConfig, tokenLaunch } from '../../testing/archive-page.ts';
import { closeAllToasts, ToastHost } from '../../ui/toasts.tsx';
import { clearSession, saveSession } from '../../wallet/session-storage.ts';
import { resetWalletState, updateWalletState } from '../../wallet/wallet-store.ts';
import { LaunchSheet } from './launch-sheet.tsx';

const WALLET = 'A1iceA1iceA1iceA1iceA1iceA1iceA1iceA1iceA1ic';
const post = archivePost(1, { author: 'Tomasz Wren' });
const launch = tokenLaunch(post, { name: 'Tomasz Wren Token', symbol: 'TOMA' });
const free: TokenCheck = { exists: false, tokenLaunch: null, failure: null, refusal: null };

let answers: Record<string, () => unknown>;
let sent: { name: string; symbol: string; transaction: string; amberId: string }[];
let signed: string[];
let sign: (message: Uint8Array) => Promise<Uint8Array>;

beforeEach(() => {
  sent = [];
  signed = [];
  sign = async () => new Uint8Array(64).fill(7);
  answers = {
    [ENDPOINTS.config.path]: () => publicConfig,
    [ENDPOINTS.checkToken.path.replace(':id', post._id)]: () => free,
    [ENDPOINTS.launchToken.path]: () => Response.json({ ...launch, tokenLaunch: launch }, { status: 201 }),
  };
  globalThis.fetch = jest.fn<typeof fetch>(async (input, init) => {
    const path = String(input);
    if (path === ENDPOINTS.launchToken.path) sent.push(JSON.parse(String(init?.body)));
    const answer = await answers[path]?.();
    if (answer === undefined) throw new TypeError('away');
    return answer instanceof Response ? answer : Response.json(answer);
  });
  connect();
  signIn();
});

afterEach(() => {
  act(() => {
    closeAllToasts();
    localStorage.clear();
    sessionStorage.clear();
    resetWalletState();
  });
});

function connect() {
  updateWalletState({
    wallet: {
      name: 'Test wallet',
      address: WALLET,
      signMessage: (message) => {
        signed.push(new TextDecoder().decode(message));
        return sign(message);
      },
      signTransaction: null,
      currentAddress: () => WALLET,
      disconnect: async () => {},
    },
    isWalletExpected: false,
  });
}

function signIn() {
  const session = { token: 'the-token', user: { _id: 'user', walletAddress: WALLET } as User };
  saveSession(session);
  updateWalletState({ ...session, restoring: null });
}

function problem(status: number, code: ErrorCode, message: string) {
  return Response.json({ status, code, message }, { status });
}

function open(around: ReactNode = null) {
  const cache = new Map();
  const page = (sheet: ReactNode) => (
    <SWRConfig value={{ provider: () => cache, dedupingInterval: 0, shouldRetryOnError: false }}>
      {sheet}
      {around}
      <ToastHost />
    </SWRConfig>
  );
  const { rerender } = render(page(<LaunchSheet post={post} onClose={() => {}} />));
  return { user: userEvent.setup(), close: () => rerender(page(null)) };
}

function List() {
  const { data } = useSWR<ArchivePage>(ENDPOINTS.listArchives.path, fetchJson);
  return <p>{data?.data[0]?.launched ? 'launched' : 'not launched'}</p>;
}

const nameField = () => screen.getByRole('textbox', { name: /^Token name/ });
const symbolField = () => screen.getByRole('textbox', { name: /^Token symbol/ });

/** Resolves once the sheet has read the post's state. */
async function ready(around?: ReactNode) {
  const opened = open(around);
  expect(await screen.findByText('Amber pays the network', { exact: false })).toBeInTheDocument();
  return opened;
}

async function submit(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByRole('button', { name: 'Sign and launch' }));
}

test('what is shown is what is signed, and what is signed is what is sent', async () => {
  const { user } = await ready();
  expect(nameField()).toHaveValue('Tomasz Wren Token');
  expect(symbolField()).toHaveValue('TOMA');
  await user.clear(nameField());
  await user.type(nameField(), ' Kept   words ');
  await user.clear(symbolField());
  await user.type(symbolField(), 'kept1234567');
  expect(symbolField()).toHaveValue('KEPT1234');
  const sentence = buildLaunchMessage({ name: 'Kept   words', symbol: 'KEPT1234', id: post.id });
  expect(
    screen.getByText((_, element) => element?.tagName === 'BDI' && element.textContent === sentence),
  ).toBeVisible();
  await submit(user);
  expect(await screen.findByRole('dialog', { name: 'TOMA is launched' })).toBeInTheDocument();
  expect(signed).toEqual([sentence]);
  const transaction = bs58.encode(new Uint8Array(64).fill(7));
  expect(sent).toEqual([{ amberId: post.id, name: 'Kept   words', symbol: 'KEPT1234', transaction }]);
});

test('a letter typed in the middle of the symbol leaves the caret there', async () => {
  const { user } = await ready();
  await user.type(symbolField(), 'x', { initialSelectionStart: 1, initialSelectionEnd: 1 });
  await user.keyboard('y');
  expect(symbolField()).toHaveValue('TXYOMA');
});

describe('words that no token can have', () => {
  test.each([
    ['', 'TOMA', 'Token name is required'],
    ['   ', 'TOMA', 'Token name is required'],
    ['x'.repeat(33), 'TOMA', 'Token name is too long'],
    ['seen\u202enees', 'TOMA', 'Token name must be printable text on one line'],
    ['Tomasz', '', 'Token symbol is required'],
    ['Tomasz', 'TO MA', 'Token symbol must be 1 to 8 letters or digits (A–Z, 0–9)'],
    ['Tomasz', 'ÄÖÜ', 'Token symbol must be 1 to 8 letters or digits (A–Z, 0–9)'],
  ])('%j with %j: %s', async (name, symbol, sentence) => {
    const { user } = await ready();
    await user.clear(nameField());
    if (name !== '') await user.type(nameField(), name);
    await user.clear(symbolField());
    if (symbol !== '') await user.type(symbolField(), symbol);
    expect(screen.queryByText(sentence)).not.toBeInTheDocument();
    await submit(user);
    expect(screen.getByText(sentence)).toBeInTheDocument();
    const field = sentence.startsWith('Token name') ? nameField() : symbolField();
    expect(field).toHaveFocus();
    expect(field).toHaveAttribute('aria-invalid', 'true');
    expect(field).toHaveAccessibleDescription(expect.stringContaining(sentence) as unknown as string);
    expect(signed).toEqual([]);
  });
});

describe('a wallet that is not ready', () => {
  test('not connected: said, and said again on pressing', async () => {
    const { user } = await ready();
    act(() => updateWalletState({ wallet: null }));
    expect(screen.getByRole('button', { name: 'Connect wallet' })).toBeInTheDocument();
    await submit(user);
    await waitFor(() => expect(screen.getAllByText('Please connect your wallet first')).toHaveLength(2));
    expect(sent).toEqual([]);
  });

  test('signed out meanwhile: said, and said again on pressing', async () => {
    const { user } = await ready();
    clearSession();
    act(() => updateWalletState({ user: null, token: null }));
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeInTheDocument();
    await submit(user);
    await waitFor(() => expect(screen.getAllByText('Please sign in with your wallet first')).toHaveLength(2));
    expect(signed).toEqual([]);
  });

  test('a no in the wallet keeps what was typed', async () => {
    sign = async () => {
      throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
    };
    const { user } = await ready();
    await user.clear(symbolField());
    await user.type(symbolField(), 'mine');
    await submit(user);
    expect(await screen.findByText('You declined in your wallet. Nothing was signed.')).toBeInTheDocument();
    expect(symbolField()).toHaveValue('MINE');
    expect(sent).toEqual([]);
  });

  test('a yes after the person has gone back on it counts for nothing', async () => {
    let agree = (_: Uint8Array) => {};
    sign = () => new Promise((resolve) => (agree = resolve));
    const { user } = await ready();
    await submit(user);
    await screen.findByText('Approve the request in Test wallet.', { selector: '.asked' });
    expect(nameField()).toHaveAttribute('readonly');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await act(async () => agree(new Uint8Array(64)));
    expect(screen.getByRole('button', { name: 'Sign and launch' })).toBeInTheDocument();
    expect(sent).toEqual([]);
  });
});

describe('a wallet of the last visit that is not there yet', () => {
  const NOBODY = { wallet: null, isWalletExpected: true };

  test('is waited for, and asked once however often one presses', async () => {
    const { user } = await ready();
    act(() => updateWalletState(NOBODY));
    await submit(user);
    await submit(user);
    expect(signed).toEqual([]);
    act(connect);
    expect(await screen.findByRole('dialog', { name: 'TOMA is launched' })).toBeInTheDocument();
    expect(signed).toHaveLength(1);
  });

  test('is not asked once the sheet is closed', async () => {
    const { user, close } = await ready();
    act(() => updateWalletState(NOBODY));
    await submit(user);
    close();
    await act(async () => connect());
    expect(signed).toEqual([]);
  });

  test('nor is anybody called signed out whose session is being restored', async () => {
    const { user } = await ready();
    act(() => updateWalletState({ user: null, token: null, restoring: { address: WALLET } }));
    await submit(user);
    expect(screen.queryByText('Please sign in with your wallet first')).not.toBeInTheDocument();
    act(signIn);
    expect(await screen.findByRole('dialog', { name: 'TOMA is launched' })).toBeInTheDocument();
    expect(sent).toHaveLength(1);
  });
});

test('a no that comes after Cancel is not spoken of', async () => {
  let refuse = (_: Error) => {};
  sign = () => new Promise((_, reject) => (refuse = reject));
  const { user, close } = await ready();
  await submit(user);
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  close();
  await act(async () => refuse(Object.assign(new Error('User rejected the request.'), { code: 4001 })));
  expect(screen.queryByText(/You declined/)).not.toBeInTheDocument();
});

test('what went wrong again is said again', async () => {
  const { user } = await ready();
  act(() => updateWalletState({ wallet: null }));
  const find = () => screen.findByText('Please connect your wallet first', { selector: '.title' });
  await submit(user);
  const first = await find();
  await submit(user);
  expect(await find()).not.toBe(first);
});

test('what is said appears in view, however far the sheet is scrolled', async () => {
  const shown: (string | null)[] = [];
  const scroll = jest.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    shown.push(this.textContent);
  });
  sign = () => new Promise(() => {});
  const { user } = await ready();
  act(() => updateWalletState({ wallet: null }));
  await submit(user);
  await waitFor(() => expect(shown).toEqual(['Please connect your wallet first']));
  act(connect);
  await submit(user);
  await waitFor(() => expect(shown.at(-1)).toBe('Approve the request in Test wallet.'));
  scroll.mockRestore();
});

test('a signature that the server does not take ends no session', async () => {
  answers[ENDPOINTS.launchToken.path] = () => problem(401, 'signature_invalid', 'The signature is not your wallet’s.');
  const { user } = await ready();
  await submit(user);
  expect(await screen.findByText('The signature is not your wallet’s.')).toBeInTheDocument();
  expect(screen.getByText('Wallet connected')).toBeInTheDocument();
  expect(screen.queryByText('Your session has ended. Please sign in again.')).not.toBeInTheDocument();
});

test('a session that has ended is said, and can be begun anew from here', async () => {
  answers[ENDPOINTS.launchToken.path] = () => problem(401, 'unauthorized', 'Please sign in.');
  const { user } = await ready();
  await submit(user);
  expect(await screen.findByText('Your session has ended. Please sign in again.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeInTheDocument();
});

test('a refusal of the server is said in its own words, and the form stays', async () => {
  const sentence = 'The token\'s name is not allowed: it reads as "tomasz".';
  const errors = [{ path: 'name', message: 'must not read as "tomasz"' }];
  answers[ENDPOINTS.launchToken.path] = () =>
    Response.json({ status: 400, code: 'invalid_request', message: sentence, errors }, { status: 400 });
  const { user } = await ready();
  await submit(user);
  expect(await screen.findByText(sentence)).toBeInTheDocument();
  expect(nameField()).toHaveValue('Tomasz Wren Token');
  expect(nameField()).toHaveAttribute('aria-invalid', 'true');
  expect(nameField()).toHaveFocus();
  expect(symbolField()).toHaveAttribute('aria-invalid', 'false');
  // The first letter clears the note, which was about other words.
  await user.type(nameField(), '!');
  expect(screen.queryByText(sentence)).not.toBeInTheDocument();
  expect(nameField()).toHaveAttribute('aria-invalid', 'false');
});

describe('a post from which nothing can be launched', () => {
  const sentence = 'The author of this post does not want tokens launched from it.';

  test('has no form, and the server says why before anything is signed', async () => {
    const refusal = { code: 'launch_not_allowed', message: sentence };
    answers[ENDPOINTS.checkToken.path.replace(':id', post._id)] = () => ({ ...free, refusal });
    open();
    expect(await screen.findByText(sentence, { selector: '.plain' })).toBeInTheDocument();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Sign and launch' })).not.toBeInTheDocument();
  });

  test('loses its form where that is learnt only later', async () => {
    answers[ENDPOINTS.launchToken.path] = () => problem(403, 'launch_not_allowed', sentence);
    const { user } = await ready();
    await submit(user);
    expect(await screen.findByText(sentence, { selector: '.plain' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Sign and launch' })).not.toBeInTheDocument();
  });
});

test('whoever comes second sees the token that is there', async () => {
  answers[ENDPOINTS.launchToken.path] = () => {
    answers[ENDPOINTS.checkToken.path.replace(':id', post._id)] = () => ({
      ...free,
      exists: true,
      tokenLaunch: launch,
    });
    return problem(409, 'already_launched', 'This post has already been used for a token launch.');
  };
  const { user } = await ready();
  await submit(user);
  const dialog = await screen.findByRole('dialog', { name: 'Already Launched' });
  expect(dialog).toHaveTextContent('This tweet has already been used for a token launch.');
  expect(dialog).toHaveTextContent('Its token is TOMA, Tomasz Wren Token.');
});

test('links of an explorer and a platform lead out safely; what is no link is none', async () => {
  const odd = { ...launch, pumpfunUrl: 'javascript:alert(1)', solscanUrl: 'javascript:alert(2)' };
  answers[ENDPOINTS.launchToken.path] = () => Response.json({ ...odd, tokenLaunch: odd }, { status: 201 });
  const { user } = await ready();
  await submit(user);
  const link = await screen.findByRole('link', { name: /View on Solscan/ });
  expect(screen.getByTitle('KeptTransaction').tagName).toBe('SPAN');
  expect(link).toHaveAttribute('href', launch.solscanTokenUrl);
  expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  expect(screen.queryByRole('link', { name: /View on pump.fun/ })).not.toBeInTheDocument();
});

test('where launching is closed there is no form', async () => {
  answers[ENDPOINTS.config.path] = () => ({ ...publicConfig, launchPlatform: null });
  open();
  await waitFor(() =>
    expect(within(screen.getByRole('dialog')).getAllByRole('status')[0]).toHaveTextContent(
      'Launching is not open at the moment. Please come back later.',
    ),
  );
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
});

test('closed while it launches, the end is said in the corner', async () => {
  let answer = (_: Response) => {};
  answers[ENDPOINTS.launchToken.path] = () => new Promise<Response>((resolve) => (answer = resolve));
  const { user, close } = await ready();
  await submit(user);
  await screen.findByRole('dialog', { name: 'Launching TOMA' });
  close();
  await act(async () => answer(Response.json({ ...launch, tokenLaunch: launch }, { status: 201 })));
  expect(await screen.findByText('TOMA is launched.')).toBeInTheDocument();
});

test('closed while it launches, a failure names the token it is about', async () => {
  let answer = (_: Response) => {};
  answers[ENDPOINTS.launchToken.path] = () => new Promise<Response>((resolve) => (answer = resolve));
  const { user, close } = await ready();
  await submit(user);
  await screen.findByRole('dialog', { name: 'Launching TOMA' });
  close();
  await act(async () => answer(problem(503, 'launch_failed', 'Nothing was launched. Please try again.')));
  expect(await screen.findByText('TOMA: Nothing was launched. Please try again.')).toBeInTheDocument();
});

test('a launch of somebody else is followed only while the sheet is open', async () => {
  const path = ENDPOINTS.checkToken.path.replace(':id', post._id);
  answers[path] = () => ({ ...free, tokenLaunch: { ...launch, status: 'sent' } });
  const looks = () => jest.mocked(fetch).mock.calls.filter(([input]) => String(input) === path).length;
  const pass = () => act(() => jest.advanceTimersByTimeAsync(60_000));
  jest.useFakeTimers();
  try {
    const { close } = open();
    await screen.findByRole('dialog', { name: 'Launching TOMA' });
    const opened = looks();
    await pass();
    expect(looks()).toBeGreaterThan(opened + 1);
    close();
    const closed = looks();
    await pass();
    expect(looks()).toBeLessThanOrEqual(closed + 1);
  } finally {
    jest.useRealTimers();
  }
});

describe('the page around the sheet', () => {
  let listed = 0;

  beforeEach(() => {
    listed = 0;
    answers[ENDPOINTS.listArchives.path] = () => {
      listed += 1;
      return archivePage([post]);
    };
  });

  test('marks the post, and asks the server again', async () => {
    const { user } = await ready(<List />);
    await waitFor(() => expect(listed).toBe(1));
    let answer = (_: ArchivePage) => {};
    answers[ENDPOINTS.listArchives.path] = () => new Promise((resolve) => (answer = resolve));
    await submit(user);
    expect(await screen.findByText('launched')).toBeInTheDocument();
    // The server's answer replaces the hint.
    await act(async () => answer(archivePage([post])));
    expect(await screen.findByText('not launched')).toBeInTheDocument();
  });

  test('is left alone where nothing was asked of the server, or it is away', async () => {
    sign = async () => {
      throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
    };
    const { user } = await ready(<List />);
    await waitFor(() => expect(listed).toBe(1));
    await submit(user);
    await screen.findByText('You declined in your wallet. Nothing was signed.');
    expect(listed).toBe(1);
  });

  test('is asked for anew after a refusal', async () => {
    answers[ENDPOINTS.launchToken.path] = () => problem(410, 'post_removed', 'This post was removed.');
    const { user } = await ready(<List />);
    await waitFor(() => expect(listed).toBe(1));
    await submit(user);
    await screen.findByText('This post was removed.');
    await waitFor(() => expect(listed).toBe(2));
  });
});
