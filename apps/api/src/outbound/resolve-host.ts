import { Resolver } from 'node:dns/promises';

const QUESTION = { timeout: 2_000, tries: 2 };

/**
 * Looks a name up with the network's name servers. `getaddrinfo` would read `/etc/hosts`, which may contain our own
 * machines, and a hanging name server would block one of the few threads for files.
 */
export async function resolveHost(name: string): Promise<string[]> {
  const resolver = new Resolver(QUESTION);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new Error(`no address of ${name} is known`);
  return addresses;
}
