/** Simulated users of one platform, who post and ask the keeper to save posts. */
export interface People {
  platform: 'x' | 'bluesky';
  /** Environment variables with which API and agent use the platform. */
  env: Record<string, string>;
  /** One user asks for a post: a new one, or one that others ask for at the same time. */
  ask(): Promise<Asked>;
  /** Stops all faults of the platform. */
  calm(): void;
  /** The platform's ids of the keeper's answers, by the address of the mention. */
  answers(): Promise<Map<string, string[]>>;
  /** Number of faults of the platform, by kind. */
  mishaps(): Record<string, number>;
  close(): Promise<void>;
}

export interface Asked {
  /** The address of the mention. */
  mention: string;
  /** The `id` that the post must get in the archive. */
  target: string;
  /** The same for the post that it quotes. */
  quoted: string | null;
}

export interface Written<Ref> {
  ref: Ref;
  quoted: Ref | null;
}

/** Share of requests for a post that others ask for too. */
const SHARED = 0.3;
/** Number of latest posts for which others still ask at the same moment. */
const LATEST = 5;
export const QUOTING = 0.25;
export const WITH_PICTURE = 0.5;
/** Share of requests in a reply; the others are quotes. */
export const ASKING_IN_REPLY = 0.3;

/** Chooses the post to ask for: sometimes one of the latest, else a new one from `write`. */
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
