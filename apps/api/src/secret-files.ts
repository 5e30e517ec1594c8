import { readFileSync } from 'node:fs';
import { StartRefusal } from './start-refusal.ts';

/** Thrown with one line for each wrong setting, by name. */
export class ConfigError extends StartRefusal {}

type Environment = Record<string, string | undefined>;

/** Takes one sentence about a wrong setting; the sentence begins with its name. */
export type Refuse = (sentence: string) => void;

/**
 * The settings of an environment; empty values count as absent. Each of `secrets` may instead be in the file that
 * `NAME_FILE` names, as orchestrators mount them; a final line break is ignored. An unreadable file is refused, and its
 * setting is absent.
 */
export function withSecretFiles(env: Environment, secrets: readonly string[], refuse: Refuse): Record<string, string> {
  const given = Object.entries(env).filter((setting): setting is [string, string] => Boolean(setting[1]));
  const settings = Object.fromEntries(given);
  for (const name of secrets) {
    const path = settings[`${name}_FILE`];
    if (!path) continue;
    if (settings[name]) refuse(`${name} and ${name}_FILE must not both be set`);
    else {
      const secret = readSecret(name, path, refuse);
      if (secret) settings[name] = secret;
    }
  }
  return settings;
}

function readSecret(name: string, path: string, refuse: Refuse): string {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    refuse(`${name}_FILE names ${path}, which cannot be read (${code})`);
    return '';
  }
  const secret = content.replace(/\r?\n$/, '');
  if (secret === '') refuse(`${name}_FILE names ${path}, which is empty`);
  return secret;
}
