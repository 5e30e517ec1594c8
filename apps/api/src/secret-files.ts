import { readFileSync } from 'node:fs';

/** Thrown with one line per wrong setting, by name. */
export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>;

/**
 * The settings that an environment gives; empty means absent. Each of `secrets` may stand in the file that `NAME_FILE`
 * names instead, as orchestrators mount them; a line break at its end is the editor's. Throws `ConfigError`.
 */
export function withSecretFiles(env: Environment, secrets: readonly string[]): Record<string, string> {
  const given = Object.entries(env).filter((setting): setting is [string, string] => Boolean(setting[1]));
  const settings = Object.fromEntries(given);
  for (const name of secrets) {
    const path = settings[`${name}_FILE`];
    if (!path) continue;
    if (settings[name]) throw new ConfigError(`${name} and ${name}_FILE must not both be set`);
    settings[name] = readSecret(name, path);
  }
  return settings;
}

function readSecret(name: string, path: string): string {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${name}_FILE names ${path}, which cannot be read (${code})`);
  }
  const secret = content.replace(/\r?\n$/, '');
  if (secret === '') throw new ConfigError(`${name}_FILE names ${path}, which is empty`);
  return secret;
}
