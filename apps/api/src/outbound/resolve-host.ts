import { Resolver } from 'node:dns/promises';

const QUESTION = { timeout: 2_000, tries: 2 };

/**
 * The addresses of a name, by the network's own name servers. Not by `getaddrinfo`: that reads `/etc/hosts`, where names
 * stand for machines of ours, and a name server that hangs would keep one of the few threads that files are read with.
 */
export async function resolveHost(name: string): Promise<string[]> {
  const resolver = new Resolver(QUESTION);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new Error(`no address of ${name} is known`);
  return addresses;
}
