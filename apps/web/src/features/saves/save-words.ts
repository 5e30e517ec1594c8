import { SAVE_REASONS, type Save, type SaveState } from '@archive/contracts';

/** The steps of a request in order, each with its label while it runs and when it is done. */
export const SAVE_STEPS: { state: Exclude<SaveState, 'failed'>; current: string; done: string }[] = [
  { state: 'received', current: 'Asking', done: 'Asked for' },
  { state: 'fetched', current: 'Being fetched', done: 'Fetched' },
  { state: 'stored', current: 'Being kept', done: 'Kept' },
  { state: 'answered', current: 'Finishing', done: 'Done' },
];

/** Reasons that the server knows before it fetches anything. */
const AT_ONCE: readonly Save['reason'][] = ['not_a_post', 'limit_reached', 'too_old', 'not_understood'];

export type StepState = 'done' | 'current' | 'coming' | 'failed';

/** The state of each step of a request. */
export function stepStates({ state, reason }: Pick<Save, 'state' | 'reason'>): StepState[] {
  if (state === 'failed') {
    const failed = AT_ONCE.includes(reason) ? 0 : 1;
    return SAVE_STEPS.map((_, at) => (at < failed ? 'done' : at === failed ? 'failed' : 'coming'));
  }
  const reached = SAVE_STEPS.findIndex((step) => step.state === state);
  return SAVE_STEPS.map((_, at) => (at <= reached ? 'done' : at === reached + 1 ? 'current' : 'coming'));
}

/** The outcome of a request as a sentence. */
export function saveSentence({ state, reason, via }: Pick<Save, 'state' | 'reason' | 'via'>): string {
  switch (state) {
    case 'received':
      return 'Being fetched';
    case 'fetched':
      return 'Being kept';
    case 'stored':
      return via === 'mention' ? 'Kept, answer on its way' : 'Kept';
    case 'answered':
      return via === 'mention' ? 'Kept and answered' : 'Kept';
    case 'failed':
      if (reason === 'taken_back') return 'Taken back';
      return reason === null ? 'It could not be saved.' : SAVE_REASONS[reason];
  }
}

export const SAVE_WAYS: Record<Save['via'], string> = {
  mention: 'mention',
  save: 'pasted link',
  ingest: 'agent',
  import: 'import',
};

export function isOpen({ state }: Pick<Save, 'state'>): boolean {
  return state !== 'answered' && state !== 'failed';
}

/** An address without its protocol; a long one is cut in the middle. */
export function shortAddress(address: string, length = 44): string {
  const short = address.replace(/^https?:\/\/(www\.)?/, '');
  return short.length <= length ? short : `${short.slice(0, length - 8)}…${short.slice(-7)}`;
}

/** The link in the query string of `/save`. Phones share it as the text, and sometimes as the title. */
export function sharedLink(search: string): string {
  const params = new URLSearchParams(search);
  const given = ['url', 'text', 'title'].map((name) => params.get(name)?.trim() ?? '').filter((text) => text !== '');
  const links = given.flatMap((text) => /(?:https?|at):\/\/\S+/i.exec(text)?.[0] ?? []);
  return links[0] ?? given[0] ?? '';
}
