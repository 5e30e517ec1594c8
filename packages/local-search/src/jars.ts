import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const JAVA = join(import.meta.dirname, '../java');
const MAVEN_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';

/** The class path of the jars that a POM of this package lists; Maven fetches them once. */
export function resolveJars(name: string, pom: string, settings: readonly string[]): string {
  const folder = join(homedir(), '.cache', 'amber-local-search');
  const file = join(folder, `${name}.classpath`);
  const known = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (known?.split(':').every((jar) => existsSync(jar))) return known;
  mkdirSync(folder, { recursive: true });
  const made = `${file}.${process.pid}`;
  const args = ['-B', '-q', '-f', join(JAVA, pom), MAVEN_PLUGIN, ...settings, `-Dmdep.outputFile=${made}`];
  try {
    execFileSync('mvn', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 600_000 });
    renameSync(made, file);
  } finally {
    rmSync(made, { force: true });
  }
  return readFileSync(file, 'utf8');
}
