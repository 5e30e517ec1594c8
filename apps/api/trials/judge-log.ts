import { type AuditEntry, sealEntry } from '../src/audit/audit-entry.ts';
import { AuditStore } from '../src/audit/audit-store.ts';
import { checkChain, headsOf } from '../src/audit/check-chain.ts';
import { keptFile } from '../src/kept-file.ts';
import { ledgerFolder } from '../src/ledger/ledger.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import type { Stage } from './stage.ts';

type Alteration = (entries: AuditEntry[], at: number) => AuditEntry[];

/** Alterations of the log by an attacker who can write the database but has no key; `at` is any position in the log. */
const ALTERATIONS: Record<string, Alteration> = {
  'an act is another': (entries, at) => changed(entries, at, { act: 'nothing of note' }),
  'an actor is another': (entries, at) => changed(entries, at, { actor: { kind: 'wallet', id: 'somebody else' } }),
  'a subject is another': (entries, at) => changed(entries, at, { subject: { kind: 'post', id: 'another' } }),
  'a time is another': (entries, at) => changed(entries, at, { at: new Date(0) }),
  'a state before is another': (entries, at) => changed(entries, at, { before: { changed: true } }),
  'a reason is added': (entries, at) => changed(entries, at, { reason: 'asked by its author' }),
  'an entry is cut out': (entries, at) => entries.toSpliced(at, 1),
  'an entry is put twice': (entries, at) => entries.toSpliced(at, 0, entries[at] as AuditEntry),
  'two entries change places': (entries, at) => {
    const [one, other] = [entries[at - 1], entries[at]] as [AuditEntry, AuditEntry];
    return entries.toSpliced(at - 1, 2, { ...other, _id: one._id }, { ...one, _id: other._id });
  },
  'an entry is made anew with another key': (entries, at) => {
    const { _id, previous, mark: _, at: time, ...act } = entries[at] as AuditEntry;
    return entries.with(at, sealEntry({ ...act, act: 'nothing of note' }, _id, time, previous, 'a'.repeat(64)));
  },
  'one is put to the end by hand': (entries) => {
    const last = entries.at(-1) as AuditEntry;
    return [...entries, { ...last, _id: last._id + 1, previous: last.mark, mark: last.mark }];
  },
};

/** Returns errors of the log of acts after a restore, and the alterations of it that a check would not find. */
export async function judgeLog({ database, product }: Stage, random: () => number): Promise<string[]> {
  const { folder } = product;
  const key = keptFile(`${folder}/audit-key`, () => '');
  const entries: AuditEntry[] = [];
  for await (const entry of new AuditStore(database.db).walk()) entries.push(entry);
  const heads = headsOf((await readLedger(ledgerFolder(folder)))?.entries ?? []);
  const wrong = (await checkChain(entries, heads, key)).faults.map((fault) => `the log of acts: ${fault}`);
  if (heads.length === 0) wrong.push('the ledger tells nothing of the log of acts');
  for (const [name, alter] of Object.entries(ALTERATIONS)) {
    const at = 1 + Math.floor(random() * (entries.length - 1));
    await demandFault(alter(entries, at), `${name} at ${at} of ${entries.length}`);
  }
  // The check does not notice the loss of entries after the last head in the ledger.
  const told = Math.max(0, ...heads.map(({ seq }) => seq));
  const upTo = entries.findIndex(({ _id }) => _id === told);
  await demandFault(entries.slice(0, Math.floor(random() * upTo)), 'it is cut off at the end');
  return wrong;

  async function demandFault(altered: AuditEntry[], name: string): Promise<void> {
    if ((await checkChain(altered, heads, key)).faults.length === 0)
      wrong.push(`nothing is found of a log of acts in which ${name}`);
  }
}

function changed(entries: readonly AuditEntry[], at: number, fields: Partial<AuditEntry>): AuditEntry[] {
  return entries.with(at, { ...(entries[at] as AuditEntry), ...fields });
}
