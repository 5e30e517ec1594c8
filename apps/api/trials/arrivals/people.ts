/** People of one platform who post and ask the keeper for posts. */
export interface People {
  platform: 'x' | 'bluesky';
  /** Settings with which API and agent read the platform and answer there. */
  env: Record<string, string>;
  /** Somebody asks for a post: for a new one, or for one that others ask for at the same time. */
  ask(): Promise<Asked>;
  /** From now on nothing goes wrong on the platform. */
  calm(): void;
  /** By the addresses of mentions, what the platform calls the keeper's answers to them. */
  answers(): Promise<Map<string, string[]>>;
  /** What went wrong on the platform itself, and how often. */
  mishaps(): Record<string, number>;
  close(): Promise<void>;
}

export interface Asked {
  /** The address of the mention. */
  mention: string;
  /** Under which `id` the post is to be kept. */
  target: string;
  /** The same of the post that it quotes. */
  quoted: string | null;
}

export interface Written<Ref> {
  ref: Ref;
  quoted: Ref | null;
}

/** Of requests, those that ask for a post that others ask for too. */
const SHARED = 0.3;
/** So many posts back: others are still asked for at the same moment. */
const LATEST = 5;
export const QUOTING = 0.25;
export const WITH_PICTURE = 0.5;
/** The others ask in a quote. */
export const ASKING_IN_REPLY = 0.3;

/** What is to be asked for: now and then one of the latest, else what `write` makes. */
export async function pickTarget<Ref>(
  written: Written<Ref>[],
  random: () => number,
  write: () => Promise<Written<Ref>>,
): Promise<Written<Ref>> {
  const latest = written.slice(-LATEST);
  const shared = random() < SHARED ? latest[Math.floor(random() * latest.length)] : undefined;
  if (shared) return shared;
  const made = await write();
  written.push(made);
  return made;
}
