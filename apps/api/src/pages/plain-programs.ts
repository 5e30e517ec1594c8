import { PROGRAM_EXAMPLES } from '@archive/contracts';
import { escapeText } from '../markup/clean-text.ts';

/** The programming interfaces, with an example each. */
export function plainPrograms(origin: string): string {
  const at = (text: string) => escapeText(text.replaceAll('ORIGIN', origin));
  const parts = PROGRAM_EXAMPLES.map(
    ({ title, text, commands }) =>
      `<h2>${at(title)}</h2><p>${at(text)}</p>${commands.map((command) => `<pre>${at(command)}</pre>`).join('')}`,
  );
  return ['<h1>For programs</h1>', ...parts, '<p><a href="/docs">Every call</a> <a href="/">All posts</a></p>'].join(
    '',
  );
}
