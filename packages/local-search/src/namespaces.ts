import { execFileSync } from 'node:child_process';

const BRIDGE = 'search0';
const NETWORK = '10.213.0';

/** Network namespaces, one per node, connected by a bridge that this machine uses too. Needs root and `ip`. */
export interface Namespaces {
  addressOf(at: number): string;
  /** The command line that runs `command` inside a node's namespace. */
  inside(at: number, command: readonly string[]): readonly string[];
  /** Disconnects a running node from the network. */
  cut(at: number): void;
  join(at: number): void;
  remove(): void;
}

export function makeNamespaces(count: number): Namespaces {
  const ip = (line: string) => execFileSync('ip', line.split(' '), { stdio: ['ignore', 'ignore', 'pipe'] });
  const places = Array.from({ length: count }, (_, at) => ({ name: `search-n${at}`, outer: `search-v${at}` }));
  const placeOf = (at: number) => places[at] as (typeof places)[number];
  const addressOf = (at: number) => `${NETWORK}.${at + 11}`;
  const remove = () => {
    // The links go first: the kernel removes those of a deleted namespace later, when their names may be wanted again.
    const links = execFileSync('ip', ['link'], { encoding: 'utf8' });
    for (const { outer } of places) if (links.includes(` ${outer}@`)) ip(`link del ${outer}`);
    if (links.includes(` ${BRIDGE}:`)) ip(`link del ${BRIDGE}`);
    const made = execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' });
    for (const { name } of places) if (made.includes(name)) ip(`netns del ${name}`);
  };
  // Removes the remains of a killed run.
  remove();
  ip(`link add ${BRIDGE} type bridge`);
  ip(`addr add ${NETWORK}.1/24 dev ${BRIDGE}`);
  ip(`link set ${BRIDGE} up`);
  for (const [at, { name, outer }] of places.entries()) {
    ip(`netns add ${name}`);
    ip(`link add ${outer} type veth peer name inner netns ${name}`);
    ip(`link set ${outer} master ${BRIDGE} up`);
    ip(`-n ${name} addr add ${addressOf(at)}/24 dev inner`);
    ip(`-n ${name} link set inner up`);
    ip(`-n ${name} link set lo up`);
  }
  return {
    addressOf,
    inside: (at, command) => ['ip', 'netns', 'exec', placeOf(at).name, ...command],
    cut: (at) => void ip(`link set ${placeOf(at).outer} down`),
    join: (at) => void ip(`link set ${placeOf(at).outer} up`),
    remove,
  };
}
